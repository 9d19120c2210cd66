// What collet check finds in a kernel.
#pragma once

#include <collet/any_kernel.hpp>
#include <optional>
#include <string>
#include <vector>

namespace collet::tool {

// Whether a kernel can be written in a language.
struct WrittenIn {
  std::string dialect;
  std::string refused;  // why not; "" where it can
};

// A kernel that the verifier accepts.
struct KernelFacts {
  std::string name;
  std::array<std::uint32_t, 3> group{};
  std::vector<AnyParameter> parameters = {};
  std::uint64_t workgroup_bytes = 0;
  std::vector<std::string> features = {};  // that it needs of a device, in any of the languages
  bool has_barriers = false;
  bool has_atomics = false;
  std::vector<WrittenIn> languages = {};
};

// What is wrong with one that it does not accept.
struct KernelFault {
  std::uint32_t line = 0;  // of the text
  Error error;
};

struct KernelCheck {
  std::string given;  // the word of the command line
  std::optional<KernelFacts> facts = {};
  std::optional<KernelFault> fault = {};  // where there are no facts
};

KernelFacts facts_of(const AnyKernel& kernel);

}  // namespace collet::tool
