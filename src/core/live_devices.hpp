// The devices of this process that are open.
#pragma once

#include <cstdint>

namespace collet::detail {
class DeviceState;
}

namespace collet::core {

// Lets the exit handler find the device. The handler stops the service threads of those that are listed and
// gives work in flight a bounded time to end, before drivers unload themselves: it is registered anew after
// each backend's first device, so that it runs before the handlers of that backend's driver.
void enlist(detail::DeviceState* device);
void delist(detail::DeviceState* device);

// Calls `use` with the live device of that serial, where there is one.
void with_device(std::uint64_t serial, void (*use)(detail::DeviceState&, std::uint64_t),
                 std::uint64_t argument);

}  // namespace collet::core
