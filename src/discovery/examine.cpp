// The steps of a probe.

#include "discovery/examine.hpp"

#include <algorithm>

#include "discovery/canary.hpp"
#include "drivers/quirks.hpp"
#include "platform/platform.hpp"

namespace collet::discovery {

Record examine(const Known& known, std::span<const std::uint32_t> skip,
               const std::function<void(const std::string& lines)>& tell) {
  Record record;
  record.backend.id = known.id;
  record.backend.rung = known.make == nullptr ? Rung::not_built : Rung::compiled_in;
  tell(first_line() + backend_lines(record.backend));

  const std::string_view api = known.library.empty() ? known.id : known.library;
  if (known.make != nullptr && !platform::library_names(api).empty()) {
    tell(doing_line("loading its library"));
    if (const auto library = platform::open_library(api)) {
      record.backend.rung = Rung::loaded;
      record.backend.library = library->path();
      tell(backend_lines(record.backend));
    }
  }

  tell(doing_line("listing devices"));
  record.backend = probe_here(known, record.devices);
  if (record.devices.size() > kMostDevices) {
    record.backend.message += (record.backend.message.empty() ? "" : " ") + std::string("Of ") +
                              std::to_string(record.devices.size()) + " devices the first " +
                              std::to_string(kMostDevices) + " are listed.";
    record.devices.resize(kMostDevices);
  }
  settle(record);
  std::string lines = backend_lines(record.backend);
  for (const DeviceInfo& device : record.devices) lines += device_lines(device);
  tell(lines);

  for (DeviceInfo& device : record.devices) {
    if (std::ranges::find(skip, device.index) != skip.end()) continue;
    drivers::apply_quirks(device);
    if (device.refused.empty()) {
      tell(doing_line("running a kernel on " + device.id() + " (" + device.name + ")"));
      Verdict verdict = try_canaries(device.id());
      device.rung = std::max(device.rung, verdict.rung);
      device.refused = std::move(verdict.refused);
    }
    tell(verdict_line(device));
  }
  settle(record);
  tell(end_line());
  return record;
}

void settle(Record& record) {
  record.backend.device_count = static_cast<std::uint32_t>(record.devices.size());
  for (const DeviceInfo& device : record.devices)
    record.backend.rung = std::max(record.backend.rung, device.rung);
}

}  // namespace collet::discovery
