// Runs one workgroup of a program on the calling thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "backends/cpu/interpreter/frame.hpp"

namespace collet::backend::cpu::interpreter {

// What a thread needs to run groups: registers, masks, workgroup memory and private arrays. Kept between
// groups; a group of another program prepares it anew.
//
// Threads: one at a time.
class Scratch {
 public:
  Scratch() = default;
  Scratch(Scratch&&) noexcept = default;
  Scratch& operator=(Scratch&&) noexcept = default;

  // Fails where memory runs out. Costs nothing when the program is the last one again.
  Result<void> prepare(const std::shared_ptr<const Program>& program);

 private:
  friend Result<void> run(const std::shared_ptr<const Program>&, const HostGroup&, Scratch&);
  struct Free {
    void operator()(std::byte* memory) const;
  };
  using Bytes = std::unique_ptr<std::byte[], Free>;

  static Bytes allocate(std::uint64_t size);
  void run_part(Frame& frame);

  std::shared_ptr<const Program> program_;
  Bytes registers_;
  Bytes masks_;
  Bytes group_;
  Bytes items_;
  std::vector<std::uint32_t> active_;
  std::vector<View> views_;
};

// `group` is as for a host function; buffers and constants stand in the order of the kernel's parameters.
// Fails only where Scratch::prepare() does.
Result<void> run(const std::shared_ptr<const Program>& program, const HostGroup& group, Scratch& scratch);

}  // namespace collet::backend::cpu::interpreter
