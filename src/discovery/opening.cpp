// Opens what a request chooses, and makes sure that it is what was probed.

#include "discovery/opening.hpp"

#include "core/log.hpp"
#include "discovery/registry.hpp"
#include "discovery/selector.hpp"

namespace collet::discovery {
namespace {

bool same_device(const DeviceInfo& probed, const DeviceInfo& opened) {
  return probed.name == opened.name && probed.uuid == opened.uuid;
}

Error explained(const Error& error, const Choice& choice) {
  return error.with_hint(error.hint() + (error.hint().empty() ? "" : "\n") + choice.explain());
}

}  // namespace

Result<std::unique_ptr<backend::Device>> open_chosen(const Request& request, const OpenOptions& options,
                                                     const Sources& sources) {
  DiscoverOptions how;
  if (const auto selector = parse_selector(request.selector); selector && !selector->backend.empty())
    how.backends = {selector->backend};  // a driver that is not asked for is not touched
  for (;; how.cached = false) {
    const Choice choice = choose(sources.discover(how), request);
    core::log(LogLevel::info, "discovery", choice.summary());
    if (choice.error) return explained(*choice.error, choice);
    const DeviceInfo& probed = choice.candidates[*choice.selected].device;
    auto opened = sources.open(probed.id(), options);
    if (!opened) return explained(opened.error().during("opening \"" + probed.id() + "\""), choice);
    const DeviceInfo& found = (*opened)->info();
    if (same_device(probed, found)) return opened;
    const std::string differs =
        probed.id() + " was probed as \"" + probed.name + "\" and opened as \"" + found.name + "\".";
    if (!how.cached) {
      return explained(Error(ErrorCode::internal, Category::device, Cause::device_open_failed,
                             differs + " It was probed twice."),
                       choice);
    }
    core::log(LogLevel::warn, "discovery", differs + " It is probed again.");
  }
}

Result<std::unique_ptr<backend::Device>> open_chosen(const Request& request, const OpenOptions& options) {
  return open_chosen(request, options, {.discover = collet::discover, .open = open});
}

}  // namespace collet::discovery
