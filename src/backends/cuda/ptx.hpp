// What a PTX text says of its kernels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collet::backend::cuda {

struct PtxEntry {
  std::string name;
  std::uint32_t parameters = 0;
};

// The kernels of a text, in order. Of a text that is no PTX: nothing, or nonsense, never a fault.
std::vector<PtxEntry> ptx_entries(std::string_view ptx);

}  // namespace collet::backend::cuda
