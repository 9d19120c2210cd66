// The list of quirks, and which of them a device has.

#include "discovery/quirks.hpp"

#include <algorithm>
#include <charconv>

namespace collet::discovery {
namespace {

constexpr Quirk kQuirks[] = {
    {.backend = "vulkan",
     .driver = "llvmpipe Mesa",
     .first = "22.0",
     .fixed = "",
     .what = "It ends loops after 65,535 iterations, counted over all loops of a kernel, without an error.",
     .action = Quirk::Action::avoid,
     .reproducer = "conformance Kernel.ALoopOf70000RoundsIsWhole",
     .loop_rounds = 65'535},
    {.backend = "vulkan",
     .driver = "llvmpipe Mesa",
     .first = "22.0",
     .fixed = "",
     .what = "It takes x + 0 for x and x * 0 for 0, also where x is -0, infinite or no number.",
     .action = Quirk::Action::avoid,
     .reproducer = "conformance Kernel.AZeroInTheCodeIsAddedAndMultipliedAsAnyNumber",
     .float_zeros = true},
    {.backend = "vulkan",
     .driver = "llvmpipe Mesa",
     .first = "22.0",
     .fixed = "",
     .what = "It takes a fence for a barrier: where some items of a group do not come to a fence, the others "
             "stop there without an error.",
     .action = Quirk::Action::avoid,
     .reproducer = "conformance Kernel.AFenceThatNotAllItemsReachIsNoBarrier",
     .fences = true},
    {.backend = "vulkan",
     .driver = "SwiftShader",
     .first = "",
     .fixed = "",
     .what = "It rounds unsigned integers above 2^31 twice on their way to floats.",
     .action = Quirk::Action::avoid,
     .reproducer = "conformance Kernel.UnsignedIntegersBecomeFloatsRoundedOnce",
     .u32_to_f32 = true},
    {.backend = "vulkan",
     .driver = "SwiftShader",
     .first = "",
     .fixed = "",
     .what = "It converts signed constants to floats as if they were unsigned.",
     .action = Quirk::Action::avoid,
     .reproducer = "tests/fuzz/reproducers/constant_becomes_a_float.ir, where such constants are not folded"},
    {.backend = "opencl",
     .driver = "Portable Computing Language",
     .first = "3.1",
     .fixed = "",
     .what = "In and after a branch or a loop with a barrier, and behind a return before one, items may take "
             "another side of the next branch than their own.",
     .action = Quirk::Action::avoid,
     .reproducer = "conformance Kernel.ABranchBehindABranchWithABarrierIsEachItemsOwn, "
                   "ctest fuzz.branch_with_barrier_and_else"},
    {.backend = "opencl",
     .driver = "Portable Computing Language",
     .first = "3.1",
     .fixed = "",
     .what = "Behind barriers, an item may take another side of a branch in or behind a loop than its own; "
             "seen in 1 of 20,000 random kernels.",
     .action = Quirk::Action::avoid,
     .reproducer = "ctest fuzz.known.guard_behind_a_loop_in_a_branch"},
    {.backend = "opencl",
     .driver = "Portable Computing Language",
     .first = "3.1",
     .fixed = "",
     .what =
         "Its compiler ends the process where a loop stands before a barrier in a loop of few known rounds "
         "(\"Multiple outgoing edges from exit block!\"); seen in 1 of 20,000 random kernels.",
     .action = Quirk::Action::avoid,
     .reproducer = "ctest fuzz.known.loop_in_front_of_a_barrier"},
    {.backend = "opencl",
     .driver = "Intel(R) OpenCL",
     .first = "2026",
     .fixed = "",
     .what = "In SPIR-V, what is loaded from a private array of bytes may be another value than was stored.",
     .action = Quirk::Action::avoid,
     .reproducer = "tests/fuzz/reproducers/bytes_in_private_memory.ir, with bytes in arrays again"},
    {.backend = "opencl",
     .driver = "Intel(R) OpenCL",
     .first = "2026",
     .fixed = "",
     .what = "Its compiler ends the process where a kernel with barriers has certain loops; seen in 4 of "
             "20,000 random kernels.",
     .action = Quirk::Action::avoid,
     .reproducer = "tests/fuzz/known/intel, which .ci/deep fuzz replays"},
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::uint64_t next_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty()) text.remove_prefix(1);  // the dot
  return error == std::errc() ? number : 0;
}

// The first number with its dots after `name` in the driver's own words; "" where there is none.
std::string_view version_after(std::string_view name, std::string_view driver) {
  const std::size_t at = driver.find(name);
  if (at == std::string_view::npos) return {};
  driver.remove_prefix(at + name.size());
  const auto* begin = std::find_if(driver.begin(), driver.end(), is_digit);
  const auto* end = std::find_if(begin, driver.end(), [](char c) { return !is_digit(c) && c != '.'; });
  return {begin, end};
}

bool matches(const Quirk& quirk, const DeviceInfo& device) {
  if (quirk.backend != device.backend || device.driver.find(quirk.driver) == std::string::npos) return false;
  const std::string_view version = version_after(quirk.driver, device.driver);
  if (!quirk.first.empty() && compare_versions(version, quirk.first) < 0) return false;
  return quirk.fixed.empty() || compare_versions(version, quirk.fixed) < 0;
}

}  // namespace

std::span<const Quirk> known_quirks() { return kQuirks; }

std::vector<const Quirk*> quirks_of(const DeviceInfo& device, std::span<const Quirk> quirks) {
  std::vector<const Quirk*> found;
  for (const Quirk& quirk : quirks) {
    if (matches(quirk, device)) found.push_back(&quirk);
  }
  return found;
}

void apply_quirks(DeviceInfo& device, std::span<const Quirk> quirks) {
  for (const Quirk* quirk : quirks_of(device, quirks)) {
    if (quirk->action == Quirk::Action::refuse && device.refused.empty())
      device.refused = "Its driver is known to be bad (" + device.driver + "): " + std::string(quirk->what);
  }
}

int compare_versions(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const std::uint64_t left = next_number(a);
    const std::uint64_t right = next_number(b);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

}  // namespace collet::discovery
