// Which kernels of the corpus a device executed and which it refused, against the list of expected refusals;
// and the kernels themselves as IR, where --save-kernels asks for them.
//
// Threads: the main thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collet/collet.hpp"

namespace conformance {

// A kernel that needs what a kind of device lacks.
struct ExpectedRefusal {
  std::string_view backend;  // "vulkan"
  std::string_view device;   // of the device's name, with * for any text
  std::string_view kernel;   // of the behaviour's name, with * for any text
  std::string_view needs;    // a part of the error's message
};
const std::vector<ExpectedRefusal>& expected_refusals();

// For the behaviour that runs now: fails it where the list says otherwise.
void note_execution(const collet::DeviceInfo& device);
void note_refusal(const collet::DeviceInfo& device, const collet::Error& error);

// Each kernel that the corpus runs from now on becomes a file of the folder: BEHAVIOUR.N.ir.
void save_kernels(std::string folder);
bool saves_kernels();
void save_kernel(const collet::Result<collet::KernelCode>& ir);

// "85 executed, 3 refused"; "" where the device met no kernel of the corpus.
std::string corpus_summary(const collet::DeviceInfo& device);

}  // namespace conformance
