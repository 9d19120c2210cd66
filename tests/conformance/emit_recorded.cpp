// Devices whose dispatches are written down, for tests/browser: --through=record.

#include <gtest/gtest.h>

#include "conformance/registry.hpp"
#include "doubles/recording_device.hpp"

namespace conformance {
namespace {

std::string running() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }

const bool kAdded = add_way(
    "record", [](const collet::DeviceInfo& info) { return collet::test::open_recorded(info.id(), running); });

}  // namespace
}  // namespace conformance
