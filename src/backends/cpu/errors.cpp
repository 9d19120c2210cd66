// CPU: its errors, in whole sentences.

#include "backends/cpu/errors.hpp"

#include <exception>
#include <string>

namespace collet::backend::cpu {

Error no_memory(std::uint64_t bytes, std::string_view purpose) {
  return Error(
      ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
      "The system has no " + std::to_string(bytes) + " bytes left for " + std::string(purpose) + ".");
}

Error kernel_threw(const KernelState& kernel, const HostGroup& group) {
  std::string what;
  try {
    throw;
  } catch (const KernelFailed& failed) {
    return failed.error.during("running [Kernel \"" + kernel.label + "\"]");
  } catch (const std::exception& exception) {
    what = std::string("an exception: ") + exception.what();
  } catch (...) {
    what = "something that is no std::exception";
  }
  const std::string id =
      std::to_string(group.id[0]) + ", " + std::to_string(group.id[1]) + ", " + std::to_string(group.id[2]);
  return Error(ErrorCode::internal, Category::kernel,
               "[Kernel \"" + kernel.label + "\"] threw " + what + " (in group " + id + ").")
      .with_hint(
          "A host function must not let an exception out; the groups that had not started were skipped.");
}

Error wait_timed_out(std::uint64_t wanted, std::uint64_t value) {
  return Error(ErrorCode::timeout, Category::synchronisation,
               "The deadline passed while a timeline stood at " + std::to_string(value) +
                   " and was to reach " + std::to_string(wanted) + ".");
}

}  // namespace collet::backend::cpu
