// Code that does not fit what it is launched with.

#include "backends/common/misfit.hpp"

namespace collet::backend::common {
namespace {

std::string text(const std::array<std::uint32_t, 3>& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

}  // namespace

Error misfit(Cause cause, std::string message) {
  return Error(ErrorCode::build_failed, Category::compilation, cause, std::move(message));
}

Error no_such_kernel(std::string_view what, std::string_view entry, std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return misfit(names.empty() ? Cause::no_kernels : Cause::kernel_not_found,
                std::string(what) + " \"" + std::string(entry) +
                    "\"; it has: " + (names.empty() ? "none" : list) + ".");
}

Error other_group_size(std::string_view what, std::string_view entry,
                       const std::array<std::uint32_t, 3>& fixed, const std::array<std::uint32_t, 3>& asked) {
  return misfit(Cause::pipeline_failed, std::string(what) + " fixes the group size of \"" +
                                            std::string(entry) + "\" at " + text(fixed) +
                                            ", but the signature says " + text(asked) + ".");
}

}  // namespace collet::backend::common
