// Drivers that are known to be bad, as data.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/properties.hpp"

namespace collet::discovery {

struct Quirk {
  enum class Action : std::uint8_t {
    refuse,  // the device is never chosen
    avoid,   // it works; what is said in `what` must not be asked of it
  };
  std::string_view backend;
  std::string_view driver;  // a part of DeviceInfo::driver, before its version: "llvmpipe Mesa"
  std::string_view first;   // version that has it; "" means all from the beginning
  std::string_view fixed;   // first version without it; "" means none yet
  std::string_view what;    // a sentence
  Action action = Action::refuse;
  std::string_view reproducer;  // the test or canary that shows it
  // Rounds of all loops together after which it leaves them; traced kernels watch theirs. 0: it does not.
  std::uint32_t loop_rounds = 0;
  bool u32_to_f32 = false;  // that conversion is wrong above 2^31; traced kernels do it in another way
  bool fences = false;      // a fence waits like a barrier; traced kernels use atomic operations in its place
  bool float_zeros = false;  // sums and products with constant zeros are wrong; traced kernels hide the zeros
};

std::span<const Quirk> known_quirks();

// Those of `quirks` that this device has.
std::vector<const Quirk*> quirks_of(const DeviceInfo& device, std::span<const Quirk> quirks = known_quirks());

// Refuses the device where a quirk says so and nothing else does yet.
void apply_quirks(DeviceInfo& device, std::span<const Quirk> quirks = known_quirks());

// Negative, zero or positive, number by number: "22.3.6" is before "22.10". What is missing counts as 0.
int compare_versions(std::string_view a, std::string_view b);

}  // namespace collet::discovery
