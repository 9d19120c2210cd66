// Arguments for a kernel that a person named: a grid, made-up buffers, and values.
#pragma once

#include <CLI/CLI.hpp>
#include <collet/collet.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "scalars.hpp"

namespace collet::tool {

// What the command line says of them.
struct KernelAsked {
  std::string kernel;
  std::vector<std::string> grid;    // elements by dimension
  std::uint64_t elements = 0;       // of each buffer; 0 for as many as the grid has
  std::vector<std::string> values;  // name=number
};
// KERNEL, --grid, --elements and --set.
void add_kernel_options(CLI::App& verb, KernelAsked& asked);

struct KernelCall {
  AnyKernel kernel;
  std::vector<std::string> values;  // name=number
  Grid grid;
  std::vector<Bytes> arguments;  // as made up, by parameter
};
// `copies` of the buffers must fit into the machine's memory.
Result<KernelCall> make_call(KernelAsked asked, std::uint64_t copies);

// The arguments on a device.
struct Uploaded {
  std::vector<Buffer<std::byte>> buffers;
  std::vector<AnyArgument> passed;
};
Result<Uploaded> upload(const Device& device, const KernelCall& call);

}  // namespace collet::tool
