// Where the bytes of an address are.
#pragma once

#include "block.hpp"
#include "ptx_decoder.hpp"
#include "warp.hpp"

namespace collet::cuda_double {

enum class Space : u8 { generic, global, shared, local, parameter };

// Takes .global, .const, .shared, .local or .param.
Space take_space(Decoder& decoder);
// Takes what says how memory is cached or ordered: loads acquire and stores release anyway.
void take_hints(Decoder& decoder);

u8* local_bytes(Warp& warp, unsigned lane, u64 address, u32 size);
u8* generic_bytes(Warp& warp, unsigned lane, u64 address, u32 size);
u8* parameter_bytes(Warp& warp, unsigned lane, u64 address, u32 size);

// The host's address of `size` bytes; throws Fault where a GPU would stop the kernel.
template <Space kSpace>
inline u8* bytes_at(Warp& warp, unsigned lane, u64 address, u32 size) {
  if constexpr (kSpace == Space::global) {
    return warp.block().global(address, size);
  } else if constexpr (kSpace == Space::shared) {
    return warp.block().shared(address, size);
  } else if constexpr (kSpace == Space::local) {
    return local_bytes(warp, lane, address, size);
  } else if constexpr (kSpace == Space::parameter) {
    return parameter_bytes(warp, lane, address, size);
  } else {
    return generic_bytes(warp, lane, address, size);
  }
}

// The handler that pick<space>() gives.
template <class Pick>
Handler for_space(Space space, Pick pick) {
  switch (space) {
    case Space::global: return pick.template operator()<Space::global>();
    case Space::shared: return pick.template operator()<Space::shared>();
    case Space::local: return pick.template operator()<Space::local>();
    case Space::parameter: return pick.template operator()<Space::parameter>();
    case Space::generic: break;
  }
  return pick.template operator()<Space::generic>();
}

}  // namespace collet::cuda_double
