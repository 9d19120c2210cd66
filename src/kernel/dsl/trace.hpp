// One trace: a kernel while its function runs and is recorded.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "collet/detail/trace.hpp"
#include "collet/result.hpp"
#include "collet/table.hpp"
#include "kernel/dsl/function.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::detail {

// What emitted code can call an argument or a variable.
bool is_name(std::string_view text);
inline constexpr const char* kNames =
    "a name has letters, digits and underscores, 1 to 64 of them, and a letter first.";

// A trace that begins while another is going on takes its place until it ends.
//
// Threads: the thread that made it. Traces of one thread end in the reverse order of their beginnings.
class Trace {
 public:
  enum class Of : std::uint8_t { kernel, function };
  explicit Trace(ir::Kernel frame, Of of = Of::kernel);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // The kernel, verified, folded and numbered; or the first thing that went wrong.
  Result<ir::Kernel> finish();
  // The same of a function: its body is verified with the kernels that call it.
  void finish(TracedFunction& function);

  Traced add(const ir::Node& node);
  // The number by which what is traced calls the function.
  std::uint32_t callee(const std::shared_ptr<const TracedFunction>& function);
  // The number by which what is traced prints it, with these values; its types are theirs.
  std::uint32_t message(ir::Message message, const std::vector<Traced>& values);
  void fail(std::string message);
  // What the program calls a variable.
  void name(Traced variable, std::string name);
  // Calls `then` inside the branch of each assertion that is traced, where it is not empty.
  void watch_assertions(std::function<void()> then) { asserted_ = std::move(then); }
  void assertion_traced() const {
    if (asserted_) asserted_();
  }
  // What follows stands there.
  void at(const std::source_location& where) { where_ = where; }
  // False, and an error of both traces, where `value` is of another one.
  bool ours(Traced value);
  // The same for memory and parameters.
  bool ours_to_reach(Traced place);
  // Whether memory was read for `value` after `since` was traced; at all, where that is of no trace.
  bool reads_memory(Traced value, Traced since) const;
  Traced declare(ir::Space space, ElementType element, std::uint64_t count);
  Traced table(const TableContents& contents);
  std::uint32_t begin_block(bool loop);
  void end_block();
  void jump(ir::Op op);
  // An error where something was traced behind `branch`, or it has an else.
  void expect_else(Traced branch);
  void set_else(Traced branch, std::uint32_t block);
  void set_blocks(Traced node, std::uint32_t first, std::uint32_t second);
  std::uint32_t serial() const { return serial_; }

  // Of this thread, or null.
  static Trace* current();
  // Something of the trace `serial` is used where that is not traced; nothing happens where it is over.
  static void blame(std::uint32_t serial);
  // A statement is made where nothing is traced: it may belong to any trace that is going on.
  static void blame_all();

 private:
  struct Open {
    std::uint32_t block = 0;
    bool loop = false;
    bool ended = false;  // by a jump: what follows is dead
  };

  // Whether it was blamed.
  bool leave();
  bool is_table(std::uint32_t memory) const;
  // The number of the place where what is traced now stands.
  std::uint32_t place();

  ir::Kernel kernel_;
  const Of of_;
  Callees callees_;
  std::vector<Open> open_;
  std::map<TableContents, std::uint32_t> tables_;  // the memory that each is
  std::vector<ir::Id> reads_;  // of each node: the last node that read memory for it, or kNone
  const std::uint32_t serial_;
  Trace* const outer_;  // of this thread
  std::optional<Error> failure_;
  std::source_location where_;
  std::function<void()> asserted_;
  bool over_ = false;
  // Guarded by the lock of all traces.
  Trace* older_ = nullptr;  // of any thread
  bool blamed_ = false;
};

}  // namespace collet::detail
