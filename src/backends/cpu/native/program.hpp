// A kernel as machine code, and how a thread runs groups of it.
#pragma once

#include <memory>
#include <vector>

#include "backends/cpu/native/code.hpp"
#include "backends/cpu/native/layout.hpp"
#include "collet/backend.hpp"

namespace collet::backend::cpu::native {

// Threads: immutable.
struct Program {
  std::array<std::uint32_t, 3> axes{};
  std::vector<std::uint32_t> strides;  // of the buffers' elements
  std::uint64_t group_bytes = 0;
  std::unique_ptr<const Code> code;
};

// The text that LLVM gets; for tests and people. Fails with ErrorCode::unsupported and the name of what is
// not covered.
Result<std::string> write_text(const ir::Kernel& kernel, std::uint32_t width);

// Takes a kernel that verify() accepted. Fails as write_text() does, or where there is no LLVM.
Result<std::shared_ptr<const Program>> compile(const ir::Kernel& kernel, Level level = Level::host);

// What a thread needs to run groups; kept between them. Threads: one at a time.
class Scratch {
 public:
  // At least `bytes`, aligned to a cache line. Throws std::bad_alloc.
  std::byte* room(std::uint64_t bytes);

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Free> bytes_;
  std::uint64_t size_ = 0;
};

// Runs `count` groups along x, beginning with `first`, which is as for a host function. Throws
// std::bad_alloc.
void run(const Program& program, const HostGroup& first, std::uint32_t count, Scratch& scratch);

}  // namespace collet::backend::cpu::native
