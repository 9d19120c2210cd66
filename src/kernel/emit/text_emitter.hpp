// Writes a plain kernel in the language that a dialect describes.
#pragma once

#include "kernel/emit/dialect.hpp"

namespace collet::emit {

Result<Emitted> emit_text(const Kernel& kernel, const Dialect& dialect, const Target& target);

}  // namespace collet::emit
