// The copy of bytes as a kernel: stores of less than a word leave the rest of the word alone on every device.

#include "core/byte_copy.hpp"

#include "collet/any_kernel.hpp"

namespace collet::core {
namespace {

// Both buffers are written as far as the device knows: one memory may not be bound as read and as written.
constexpr std::string_view kText = R"(kernel byte_copy group(64, 1, 1) {
  buffer source: u8 inout may_alias
  buffer target: u8 inout may_alias
  value source_first: u32
  value target_first: u32
  %0: u32 = global_id 0
  %1: u32 = parameter source_first
  %2: u32 = add %1, %0
  %3: u8 = load source[%2]
  %4: u32 = parameter target_first
  %5: u32 = add %4, %0
  store target[%5], %3
}
)";

}  // namespace

detail::KernelState& byte_copy_kernel() {
  // Never freed: devices that are closed while the process exits may still refer to it.
  static auto* const kernel = [] {
    auto* const made = new AnyKernel(AnyKernel::parse(kText).value());
    made->state()->is_own = true;
    return made;
  }();
  return *kernel->state();
}

}  // namespace collet::core
