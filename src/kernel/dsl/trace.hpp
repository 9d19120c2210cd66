// One trace: a kernel while its function runs and is written down.
#pragma once

#include <functional>
#include <optional>

#include "collet/detail/trace.hpp"
#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::detail {

// Threads: the thread that made it. At most one at a time per thread.
class Trace {
 public:
  explicit Trace(ir::Kernel frame);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // The kernel, verified, folded and numbered; or the first thing that went wrong.
  Result<ir::Kernel> finish();

  Traced add(const ir::Node& node);
  void fail(std::string message);
  // False, and an error, where `value` is of another trace.
  bool ours(Traced value);
  bool reads_memory(Traced value) const;
  std::uint32_t declare(ir::Space space, ElementType element, std::uint64_t count);
  std::uint32_t begin_block(bool loop);
  void end_block();
  void jump(ir::Op op);
  void set_blocks(Traced node, std::uint32_t first, std::uint32_t second);

  static Trace* current();

 private:
  struct Open {
    std::uint32_t block = 0;
    bool loop = false;
    bool ended = false;  // by a jump: what follows is dead
  };

  ir::Kernel kernel_;
  std::vector<Open> open_;
  std::uint32_t serial_;
  std::optional<Error> failure_;
};

}  // namespace collet::detail
