// What to do about a backend that did not come far.

#include "discovery/advice.hpp"

namespace collet::discovery {
namespace {

std::string install(std::string_view first, std::string_view second = {}) {
  return "Install it; on Debian: apt install " + std::string(first) + (second.empty() ? "" : " ") +
         std::string(second) + ".";
}

}  // namespace

void advise(const Known& known, BackendInfo& info) {
  const Remedy& remedy = known.remedy;
  if (!info.fix.empty()) return;
  if (info.rung == Rung::not_built) {
    if (!remedy.option.empty()) info.fix = "Build Collet with " + std::string(remedy.option) + ".";
  } else if (info.rung == Rung::compiled_in) {
    if (!remedy.loader.empty()) info.fix = install(remedy.loader, remedy.driver);
    if (!remedy.library.empty()) info.fix = remedy.library;
  } else if (info.device_count == 0 && !remedy.driver.empty()) {
    info.fix = "Install the driver of your device; on Debian one that runs on the CPU: apt install " +
               std::string(remedy.driver) + ".";
  }
}

}  // namespace collet::discovery
