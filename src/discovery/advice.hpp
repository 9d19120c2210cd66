// What to do about a backend that did not come far.
#pragma once

#include "collet/properties.hpp"
#include "discovery/registry.hpp"

namespace collet::discovery {

// Sets BackendInfo::fix where something can be done and the probe itself had no advice.
void advise(const Known& known, BackendInfo& info);

}  // namespace collet::discovery
