// The list of quirks, and which of them a device has.

#include "drivers/quirks.hpp"

#include <algorithm>
#include <charconv>

namespace collet::drivers {
namespace {

using enum QuirkAction;
using emit::Workaround;

constexpr std::string_view kLlvmpipe = "llvmpipe";
constexpr std::string_view kMesa = "Mesa";
constexpr std::string_view kSwiftShader = "SwiftShader";
constexpr std::string_view kPocl = "Portable Computing Language";
constexpr std::string_view kIntel = "Intel(R) OpenCL";

constexpr Quirk kQuirks[] = {
    {.id = "llvmpipe-cut-loops",
     .backend = "vulkan",
     .also = {"webgpu", "opengl", "opengles"},
     .device = kLlvmpipe,
     .driver = kMesa,
     .first = "22.0",
     .fixed = "",
     .what = "It ends loops after 65,535 iterations, counted over all loops of a kernel, without an error.",
     .action = refused,
     .reproducer = "conformance Kernel.ALoopOf70000RoundsIsWhole",
     .workaround = Workaround::watch_loops,
     .loop_rounds = 65'535},
    {.id = "llvmpipe-float-zeros",
     .backend = "vulkan",
     .also = {"webgpu", "opengl", "opengles"},
     .device = kLlvmpipe,
     .driver = kMesa,
     .first = "22.0",
     .fixed = "",
     .what = "It takes x + 0 for x and x * 0 for 0, also where x is -0, infinite or no number.",
     .action = avoided,
     .reproducer = "conformance Kernel.AZeroInTheCodeIsAddedAndMultipliedAsAnyNumber",
     .workaround = Workaround::hide_zeros},
    {.id = "llvmpipe-waiting-fences",
     .backend = "vulkan",
     .device = kLlvmpipe,
     .driver = kMesa,
     .first = "22.0",
     .fixed = "",
     .what = "It takes a fence for a barrier: where some items of a group do not come to a fence, the others "
             "stop there without an error.",
     .action = avoided,
     .reproducer = "conformance Kernel.AFenceThatNotAllItemsReachIsNoBarrier",
     .workaround = Workaround::fences_as_atomics},
    {.id = "swiftshader-unsigned-to-float",
     .backend = "vulkan",
     .also = {"webgpu"},
     .driver = kSwiftShader,
     .first = "",
     .fixed = "",
     .what = "It rounds unsigned integers above 2^31 twice on their way to floats.",
     .action = avoided,
     .reproducer = "conformance Kernel.UnsignedIntegersBecomeFloatsRoundedOnce",
     .workaround = Workaround::u32_through_i32},
    {.id = "swiftshader-signed-constants",
     .backend = "vulkan",
     .driver = kSwiftShader,
     .first = "",
     .fixed = "",
     .what = "It converts negative constants to floats as if they were unsigned.",
     .action = avoided,
     .reproducer = "fuzz constant_becomes_a_float.ir",
     .workaround = Workaround::always},  // constants are folded before the driver sees them
    {.id = "swiftshader-constant-loads",
     .backend = "vulkan",
     .driver = kSwiftShader,
     .first = "",
     .fixed = "",
     .what =
         "It loads from a place that it finds to be constant also where the branch around that is not taken.",
     .action = avoided,
     .reproducer = "fuzz load_at_a_constant_in_a_branch.ir",
     .workaround = Workaround::constant_loads},
    // WGSL has no word against this; SPIR-V, which Collet writes for Vulkan itself, has one.
    {.id = "swiftshader-rewritten-floats",
     .backend = "webgpu",
     .driver = kSwiftShader,
     .first = "",
     .fixed = "",
     .what = "It rewrites sums and products of floats as if they were exact: (a - b) + b becomes a.",
     .action = avoided,
     .reproducer = "conformance Kernel.AZeroInTheCodeIsAddedAndMultipliedAsAnyNumber",
     .workaround = Workaround::opaque_floats},
    {.id = "llvmpipe-rewritten-floats",
     .backend = "webgpu",
     .device = kLlvmpipe,
     .driver = kMesa,
     .first = "",
     .fixed = "",
     .what = "It rewrites sums and products of floats as if they were exact: (a - b) + b becomes a.",
     .action = avoided,
     .reproducer = "fuzz difference_and_sum.ir",
     .workaround = Workaround::opaque_floats},
    {.id = "llvmpipe-chosen-floats",
     .backend = "opengl",
     .also = {"opengles"},
     .device = kLlvmpipe,
     .driver = kMesa,
     .first = "22.0",
     .fixed = "",
     .what = "It takes (a < b) ? b : a for max(a, b), also where one is no number, and where its text says "
             "`precise`.",
     .action = avoided,
     .reproducer = "fuzz larger_of_no_number.ir",
     .workaround = Workaround::opaque_choices},
    {.id = "pocl-branch-behind-barrier",
     .backend = "opencl",
     .driver = kPocl,
     .first = "3.1",
     .fixed = "",
     .what = "In and after a branch or a loop with a barrier, and behind a return before one, items may take "
             "another side of the next branch than their own.",
     .action = avoided,
     .reproducer = "conformance Kernel.ABranchBehindABranchWithABarrierIsEachItemsOwn",
     .workaround = Workaround::flat_barriers},
    {.id = "pocl-branch-in-uniform-loop",
     .backend = "opencl",
     .driver = kPocl,
     .first = "3.1",
     .fixed = "",
     .what =
         "In a kernel with barriers, items may take another side than their own of a branch in or behind a "
         "loop that all items run equally often.",
     .action = avoided,
     .reproducer = "fuzz guard_behind_a_loop_in_a_branch.ir",
     .workaround = Workaround::divergent_loops},
    {.id = "pocl-loop-before-barrier",
     .backend = "opencl",
     .driver = kPocl,
     .first = "3.1",
     .fixed = "",
     .what =
         "Its compiler ends the process (\"Multiple outgoing edges from exit block!\") where a loop with a "
         "barrier begins with another loop.",
     .action = avoided,
     .reproducer = "fuzz loop_in_front_of_a_barrier.ir",
     .workaround = Workaround::barrier_before_loops},
    {.id = "pocl-narrow-groups",
     .backend = "opencl",
     .driver = kPocl,
     .first = "3.1",
     .fixed = "",
     .what =
         "In a group of several items that is 1 wide, what stands in front of a loop with a barrier is also "
         "run by an item that the group does not have.",
     .action = avoided,
     .reproducer = "fuzz loop_with_a_barrier_in_a_narrow_group.ir",
     .workaround = Workaround::narrow_groups},
    {.id = "pocl-functions",
     .backend = "opencl",
     .driver = kPocl,
     .first = "3.1",
     .fixed = "",
     .what =
         "In a kernel with barriers, what a function gives may be of other values than it was called with.",
     .action = avoided,
     .reproducer = "fuzz function_between_barriers.ir",
     .workaround = Workaround::inline_functions},
    {.id = "pocl-stack",
     .backend = "opencl",
     .driver = kPocl,
     .first = "3.1",
     .fixed = "",
     .what =
         "It keeps the private arrays of all items of a group, and what lives across barriers, on a thread's "
         "stack, and ends the process where that does not fit.",
     .action = refused,
     .reproducer = "fuzz arrays_beyond_the_stack.ir",
     .workaround = Workaround::limit_stack},
    {.id = "intel-private-bytes",
     .backend = "opencl",
     .driver = kIntel,
     .first = "2026",
     .fixed = "",
     .what = "What is loaded from a private array of bytes may be another value than was stored.",
     .action = avoided,
     .reproducer = "fuzz bytes_in_private_memory.ir",
     .shows = false,
     .workaround = Workaround::wide_private_arrays},
    {.id = "intel-vectoriser",
     .backend = "opencl",
     .driver = kIntel,
     .first = "2026",
     .fixed = "",
     .what =
         "Its vectoriser ends the process in kernels with barriers and loops of constant bounds in steps of "
         "more than 1, and at loops in which a 64-bit variable takes over another's value.",
     .action = avoided,
     .reproducer = "fuzz intel/loops_with_barriers.ir",
     .workaround = Workaround::plain_build},
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
  if (quirk.backend != device.backend && std::ranges::find(quirk.also, device.backend) == quirk.also.end())
    return false;
  if (device.driver.find(quirk.driver) == std::string::npos) return false;
  if (device.name.find(quirk.device) == std::string::npos) return false;
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
    if (quirk->action == excluded && device.refused.empty())
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

}  // namespace collet::drivers

namespace collet {

std::string_view to_string(QuirkAction action) {
  switch (action) {
    case QuirkAction::avoided: return "avoided";
    case QuirkAction::refused: return "refused";
    case QuirkAction::known: return "known";
    case QuirkAction::excluded: return "excluded";
  }
  return "unknown";
}

std::vector<DeviceQuirk> quirks(const DeviceInfo& device) {
  std::vector<DeviceQuirk> found;
  for (const drivers::Quirk* quirk : drivers::quirks_of(device))
    found.push_back({std::string(quirk->id), quirk->action, std::string(quirk->what)});
  return found;
}

}  // namespace collet
