// Modules that were loaded, and their functions.

#include "module.hpp"

#include <algorithm>
#include <cstring>

#include "device_facts.hpp"
#include "faults.hpp"
#include "memory.hpp"
#include "ptx_parser.hpp"

namespace collet::cuda_double {

std::shared_ptr<Module> Module::load(std::shared_ptr<Context> context, const std::string& ptx) {
  std::shared_ptr<Module> module(new Module(std::move(context)));
  Program& program = module->program_;
  program = parse_ptx(ptx, wrong_opcode());
  Memory& memory = Memory::instance();
  const int device = module->context->device;
  if (!program.variables.empty()) {
    if (memory.allocate(Memory::Kind::module, device, program.data.size(), module->data_) != kSuccess)
      return nullptr;
    // What is allocated are the variables, not what is between them.
    memory.remove(Memory::Kind::module, module->data_);
    for (const Variable& variable : program.variables) {
      if (variable.size == 0) continue;
      memory.add({module->data_ + variable.offset, variable.size, device, Memory::Kind::module});
    }
  }
  program.place(module->data_);
  if (!program.data.empty()) {
    std::memcpy(reinterpret_cast<void*>(static_cast<std::uintptr_t>(module->data_)), program.data.data(),
                program.data.size());
  }
  return module;
}

Module::~Module() {
  if (data_ == 0) return;
  for (const Variable& variable : program_.variables) {
    Memory::instance().remove(Memory::Kind::module, data_ + variable.offset);
  }
  Memory::instance().free(Memory::Kind::module, data_);
}

int blocks_per_processor(const Kernel& kernel, u32 threads, u64 dynamic_shared) {
  const u64 shared = kernel.module->program().dynamic_shared + dynamic_shared;
  if (threads == 0 || threads > kMostThreads || shared > kSharedPerProcessor) return 0;
  u64 blocks = std::min(kBlocksPerProcessor, kThreadsPerProcessor / threads);
  if (shared != 0) blocks = std::min(blocks, kSharedPerProcessor / shared);
  return static_cast<int>(blocks);
}

}  // namespace collet::cuda_double
