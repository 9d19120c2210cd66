// Null: programs are accepted and never run. Caps::executes says so, and receipts repeat it.

#include "backends/null/device.hpp"

namespace collet::backend::null {

Result<BuiltProgram> NullDevice::create_program(const ProgramDesc&) {
  return BuiltProgram{.program = Program{1}, .log = {}, .ignored = {}};
}

void NullDevice::destroy_program(Program) {}

Result<Kernel> NullDevice::create_kernel(Program, const KernelDesc&) { return Kernel{1}; }

void NullDevice::destroy_kernel(Kernel) {}

}  // namespace collet::backend::null
