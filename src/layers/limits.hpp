// Limits that a user makes up for simulated devices.
#pragma once

#include <cstdint>
#include <string_view>

#include "collet/result.hpp"

namespace collet::layers {

// What an API or a kind of device is like, beyond figures.
struct Profile {
  std::string_view name;                            // "" where there is none
  bool mapped_device = true;                        // the host reaches memory of Placement::device
  bool mapped = true;                               // and of the other placements
  bool host_commands = true;                        // copies to and from the host's memory
  bool transfer_queue = false;                      // copies run beside kernels
  bool one_queue = false;                           // all streams submit to one thread, in one order
  bool shared_blocks = true;                        // see Caps
  bool mixed_access = true;                         // see Caps
  bool wide_types = true;                           // integers and floats of 64 bits, floats of 16
  std::uint32_t copy_alignment = 1;                 // see Caps
  std::uint32_t offset_alignment = 16;              // see Caps
  std::uint64_t binding_range = ~std::uint64_t{0};  // bytes of a buffer that a kernel sees
};

// The defaults are those of a modest GPU.
struct Limits {
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of all allocations together
  std::uint32_t groups = 65'535;                  // along each dimension of a grid
  std::uint32_t group_items = 256;                // of one group
  std::uint32_t shared = 32 << 10;                // bytes of one group
  std::uint32_t buffers = 32;                     // of one kernel
  std::uint32_t constants = 256;                  // bytes of one kernel
  std::uint32_t devices = 1;                      // how many there are
  Profile profile;
};

// COLLET_FAKE: "1" is the defaults; "memory=1G,groups=65535,group_items=256,shared=32K,buffers=8,
// constants=128,gpus=2" changes them, each where it is given; "" and "0" are no devices at all.
// "profile=discrete", "profile=webgpu" and "profile=opengl" set what such a device has; figures behind it
// change that.
Result<Limits> parse_limits(std::string_view text);

}  // namespace collet::layers
