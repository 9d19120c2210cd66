// Limits that a user makes up for simulated devices.
#pragma once

#include <cstdint>
#include <string_view>

#include "collet/result.hpp"

namespace collet::layers {

// The defaults are those of a modest GPU.
struct Limits {
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of all allocations together
  std::uint32_t groups = 65'535;                  // along each dimension of a grid
  std::uint32_t group_items = 256;                // of one group
  std::uint32_t shared = 32 << 10;                // bytes of one group
  std::uint32_t buffers = 32;                     // of one kernel
  std::uint32_t constants = 256;                  // bytes of one kernel
  std::uint32_t devices = 1;                      // how many there are
};

// COLLET_FAKE: "1" is the defaults; "memory=1G,groups=65535,group_items=256,shared=32K,buffers=8,
// constants=128,gpus=2" changes them, each where it is given; "" and "0" are no devices at all.
Result<Limits> parse_limits(std::string_view text);

}  // namespace collet::layers
