// Device::open() and its kin: from a name or a wish to an open device.

#include "collet/device.hpp"
#include "core/background.hpp"
#include "core/device_state.hpp"
#include "discovery/environment.hpp"
#include "discovery/opening.hpp"

namespace collet {
namespace {

using discovery::Opened;

// COLLET_STRICT, COLLET_VALIDATE and COLLET_CHECK ask for the same as the options.
Result<void> obey_environment(OpenOptions& options) {
  discovery::warn_of_unknown_variables();
  COLLET_TRY(strict, discovery::environment_switch("COLLET_STRICT"));
  COLLET_TRY(validation, discovery::environment_switch("COLLET_VALIDATE"));
  COLLET_TRY(checked, discovery::environment_switch("COLLET_CHECK"));
  options.strict = options.strict || strict;
  options.checked = options.checked || checked;
  options.validation = options.validation || validation;
  return {};
}

Opened open_named(std::string_view id, const OpenOptions& options) {
  COLLET_TRY(selector, discovery::parse_selector(id));
  if (!selector.backend.empty() && selector.type.empty())
    return discovery::open_named(selector, options, discovery::this_machine());
  COLLET_TRY(simulated, discovery::environment_simulates());
  return discovery::open_chosen(
      {.selector = std::string(id), .strict = options.strict, .simulated = simulated}, options,
      discovery::this_machine());
}

Opened open_best_one(const OpenOptions& options) {
  COLLET_TRY(request, Request::from_environment());
  request.strict = options.strict;
  return discovery::open_chosen(request, options, discovery::this_machine());
}

// Every way of opening ends here.
Result<Device> opened(Opened native, OpenOptions options) {
  if (!native) return native.error();
  if (options.strict && !(*native)->caps().executes) {
    return Error(
        ErrorCode::unsupported, Category::device, Cause::device_open_failed,
        (*native)->info().id() +
            " runs no kernels: launches on it succeed unexecuted. Strict mode opens no such device.");
  }
  return Device(detail::Ref(new detail::DeviceState(std::move(*native), std::move(options))));
}

}  // namespace

Result<Device> Device::open(std::string_view id, OpenOptions options) {
  const std::string doing = "opening \"" + std::string(id) + "\"";
  if (auto obeyed = obey_environment(options); !obeyed) return obeyed.error().during(doing);
  auto native = open_named(id, options);
  auto device = opened(std::move(native), std::move(options));
  if (!device) return device.error().during(doing);
  return device;
}

Result<Device> Device::open_best(OpenOptions options) {
  constexpr const char* kDoing = "opening the best device";
  if (auto obeyed = obey_environment(options); !obeyed) return obeyed.error().during(kDoing);
  auto native = open_best_one(options);
  auto device = opened(std::move(native), std::move(options));
  if (!device) return device.error().during(kDoing);
  return device;
}

std::future<Result<Device>> Device::open_async(std::string id, OpenOptions options) {
  return core::in_background(
      [id = std::move(id), options = std::move(options)] { return open(id, options); });
}

}  // namespace collet
