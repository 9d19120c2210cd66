// The same answers for both tiers.

#include "backends/cpu/simt/places.hpp"

#include <algorithm>

namespace collet::backend::cpu {

std::array<std::uint32_t, 3> find_axes(const ir::Kernel& kernel) {
  std::array<std::uint32_t, 3> axes{};
  std::uint32_t axis = 0;
  for (const bool trivial : {false, true}) {
    for (std::uint32_t d = 0; d < 3; ++d) {
      if ((kernel.group[d] == 1) == trivial) axes[axis++] = d;
    }
  }
  return axes;
}

std::vector<std::uint32_t> place_parameters(const ir::Kernel& kernel) {
  std::vector<std::uint32_t> places;
  places.reserve(kernel.parameters.size());
  detail::ConstantPlaces block;
  for (const ir::Parameter& parameter : kernel.parameters)
    places.push_back(block.place(parameter.size, parameter.alignment));
  return places;
}

std::uint32_t existing(const HostGroup& group, std::uint32_t dimension) {
  const std::uint64_t first = std::uint64_t{group.id[dimension]} * group.size[dimension];
  const std::uint64_t left = group.extent[dimension] > first ? group.extent[dimension] - first : 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(left, group.size[dimension]));
}

}  // namespace collet::backend::cpu
