// A kernel as machine code, and how a thread runs groups of it.
#pragma once

#include <memory>
#include <mutex>

#include "backends/cpu/native/code.hpp"
#include "backends/cpu/native/form.hpp"
#include "collet/backend.hpp"

namespace collet::backend::cpu::native {

// Code, and what it needs beside its arguments. Threads: immutable.
struct Runnable {
  std::unique_ptr<const Code> code;
  std::uint64_t scratch_bytes = 0;
};

// Threads: thread-safe.
class Program {
 public:
  Program(const Llvm& llvm, Machine machine, const ir::Kernel& kernel);

  // Fails with ErrorCode::unsupported and the name of what is not covered.
  Result<void> start();

  const std::array<std::uint32_t, 3>& axes() const { return form_.layout.axes; }
  const ir::Kernel& kernel() const { return form_.kernel; }

  // For groups all of whose items exist.
  const Runnable& whole() const { return whole_; }
  // For others: compiled by the first who asks, which takes as long as start() did. Fails where LLVM does.
  const Result<Runnable>& partial() const;

 private:
  Result<Runnable> compiled(const KernelForm& form, bool partial) const;
  Result<Runnable> compile_partial() const;
  KernelForm guarded() const;

  const Llvm& llvm_;
  const Machine machine_;
  const KernelForm form_;
  Runnable whole_;
  mutable std::once_flag partial_made_;
  mutable Result<Runnable> partial_ = Runnable{};
};

// Takes a kernel that verify() accepted. Fails as Program::start() does, or where there is no LLVM.
Result<std::shared_ptr<const Program>> compile(const ir::Kernel& kernel, Level level = Level::host);

// What a thread needs to run groups; kept between them. Threads: one at a time.
class Scratch {
 public:
  // At least `bytes`, aligned as the largest vector wants it.
  Result<std::byte*> room(std::uint64_t bytes);

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Free> bytes_;
  std::uint64_t size_ = 0;
};

// Runs `count` groups along x, beginning with `first`, which is as for a host function. Fails where
// Scratch::room() or Program::partial() does.
Result<void> run(const Program& program, const HostGroup& first, std::uint32_t count, Scratch& scratch);

}  // namespace collet::backend::cpu::native
