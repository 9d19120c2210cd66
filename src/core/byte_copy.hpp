// A kernel that copies bytes, for devices whose own copies take only multiples of Caps::copy_alignment.
#pragma once

#include "core/kernel_state.hpp"

namespace collet::core {

// Arguments: source and target, u8 each; the first byte in either, u32 each. One item per byte.
detail::KernelState& byte_copy_kernel();

inline constexpr std::uint32_t kByteCopyGroup = 64;

}  // namespace collet::core
