// collet devices: every device that can be opened, by the id that opens it.

#include <collet/properties.hpp>
#include <cstdio>

#include "verbs.hpp"

namespace collet::tool {

void add_devices(CLI::App& app) {
  app.add_subcommand("devices", "every device that can be opened")->callback([] {
    for (const DeviceInfo& device : devices()) {
      std::printf("%-10s %-10s %s (%s)\n", device.id().c_str(), std::string(to_string(device.type)).c_str(),
                  device.name.c_str(), device.driver.c_str());
    }
  });
}

}  // namespace collet::tool
