// All of Collet.
#pragma once

#include "collet/arguments.hpp"
#include "collet/buffer.hpp"
#include "collet/deadline.hpp"
#include "collet/device.hpp"
#include "collet/diagnosis.hpp"
#include "collet/discovery.hpp"
#include "collet/error.hpp"
#include "collet/event.hpp"
#include "collet/grid.hpp"
#include "collet/kernel.hpp"
#include "collet/log.hpp"
#include "collet/options.hpp"
#include "collet/properties.hpp"
#include "collet/receipt.hpp"
#include "collet/result.hpp"
#include "collet/stream.hpp"
