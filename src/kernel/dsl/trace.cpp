// The part of the tracer that is no template.

#include "kernel/dsl/trace.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "kernel/ir/message.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::detail {
namespace {

thread_local Trace* active = nullptr;
std::atomic<std::uint32_t> next_serial{1};

// Of all traces that are going on; the others are linked to it. Debuggers look here, too (tools/debugger).
Trace* newest = nullptr;

// The lock of `newest`, of the links, and of who was blamed.
std::mutex& live() {
  static auto* const mutex = new std::mutex;  // for threads that outlive main()
  return *mutex;
}

constexpr const char* kStray =
    "Something of this kernel is used where it is not traced, on another thread or inside another kernel or "
    "function, and would be missing from it. Trace a kernel on one thread, with its own parameters and "
    "values.";

Error trace_failure(const std::string& what, std::string message) {
  return Error(ErrorCode::invalid_argument, Category::kernel, Cause::module_failed, std::move(message))
      .during("tracing " + what);
}

}  // namespace

Trace::Trace(ir::Kernel frame, Of of)
    : kernel_(std::move(frame)), of_(of), serial_(next_serial.fetch_add(1)), outer_(active) {
  kernel_.blocks.assign(1, {});
  open_.push_back({});
  active = this;
  const std::lock_guard lock(live());
  older_ = std::exchange(newest, this);
}

Trace::~Trace() { leave(); }

bool Trace::leave() {
  if (over_) return blamed_;
  over_ = true;
  active = outer_;
  const std::lock_guard lock(live());
  Trace** link = &newest;
  while (*link != this) link = &(*link)->older_;
  *link = older_;
  return blamed_;
}

Trace* Trace::current() { return active; }

void Trace::blame(std::uint32_t serial) {
  const std::lock_guard lock(live());
  for (Trace* trace = newest; trace != nullptr; trace = trace->older_) {
    if (trace->serial_ == serial) trace->blamed_ = true;
  }
}

void Trace::blame_all() {
  const std::lock_guard lock(live());
  for (Trace* trace = newest; trace != nullptr; trace = trace->older_) trace->blamed_ = true;
}

void Trace::fail(std::string message) {
  if (failure_) return;
  std::string what = (of_ == Of::kernel ? "[Kernel \"" : "[Function \"") + kernel_.name + "\"]";
  if (where_.line() != 0)
    what += " at or after " + std::string(where_.file_name()) + ":" + std::to_string(where_.line());
  failure_ = trace_failure(what, std::move(message));
}

bool Trace::ours(Traced value) {
  if (value.trace == serial_ && value.id < kernel_.nodes.size()) return true;
  fail("A value of another kernel, or of an earlier trace, is used.");
  blame(value.trace);
  return false;
}

bool Trace::ours_to_reach(Traced place) {
  if (place.trace == serial_) return true;
  fail("Memory or a parameter of another kernel, or of an earlier trace, is used.");
  blame(place.trace);
  return false;
}

Traced Trace::add(const ir::Node& node) {
  if (kernel_.nodes.size() >= ir::kMostNodes) {
    fail("The kernel has more than " + std::to_string(ir::kMostNodes) +
         " nodes: a C++ loop or recursion that runs while tracing writes down every round.");
    return {0, serial_};
  }
  const auto id = static_cast<ir::Id>(kernel_.nodes.size());
  kernel_.nodes.push_back(node);
  if (ir::is_access(node.op) || ir::is_together(node.op)) kernel_.nodes.back().place = place();
  ir::Id read = ir::reads_memory(node.op) && !is_table(node.low()) ? id : ir::kNone;
  for (std::uint8_t i = 0; i < node.count && read != id; ++i) {
    const ir::Id earlier = reads_[node.arguments[i]];
    if (earlier != ir::kNone && (read == ir::kNone || read < earlier)) read = earlier;
  }
  reads_.push_back(read);
  if (!open_.back().ended) kernel_.blocks[open_.back().block].nodes.push_back(id);
  return {id, serial_};
}

bool Trace::reads_memory(Traced value, Traced since) const {
  if (value.trace != serial_ || value.id >= reads_.size() || reads_[value.id] == ir::kNone) return false;
  return since.trace != serial_ || reads_[value.id] > since.id;
}

std::uint32_t Trace::place() {
  const auto same = [&](const ir::Place& place) {
    return place.line == where_.line() && place.file == where_.file_name() && place.name.empty();
  };
  if (kernel_.places.empty() || !same(kernel_.places.back()))
    kernel_.places.push_back({where_.file_name(), where_.line()});
  return static_cast<std::uint32_t>(kernel_.places.size() - 1);
}

void Trace::name(Traced variable, std::string name) {
  if (!ours(variable)) return;
  if (!is_name(name)) return fail("A variable has the name \"" + name + "\": " + kNames);
  kernel_.places.push_back({where_.file_name(), where_.line(), std::move(name)});
  kernel_.nodes[variable.id].place = static_cast<std::uint32_t>(kernel_.places.size() - 1);
}

bool Trace::is_table(std::uint32_t memory) const {
  return memory < kernel_.memories.size() && kernel_.memories[memory].space == ir::Space::table;
}

Traced Trace::table(const TableContents& contents) {
  if (of_ == Of::function) fail("A function has no tables; it computes with its arguments only.");
  const auto [found, added] = tables_.try_emplace(contents);
  if (added) {
    found->second = static_cast<std::uint32_t>(kernel_.memories.size());
    ir::Memory memory;
    memory.space = ir::Space::table;
    memory.name = "table" + std::to_string(found->second);
    memory.element = contents->type;
    memory.stride = ir::bytes(memory.element);
    memory.count = contents->bytes.size() / memory.stride;
    memory.access = backend::Access::read;
    memory.contents = contents->bytes;
    kernel_.memories.push_back(std::move(memory));
  }
  return {found->second, serial_};
}

Traced Trace::declare(ir::Space space, ElementType element, std::uint64_t count) {
  if (of_ == Of::function) fail("A function has no memory; it computes with its arguments only.");
  const auto index = static_cast<std::uint32_t>(kernel_.memories.size());
  ir::Memory memory;
  memory.space = space;
  memory.name = (space == ir::Space::workgroup ? "shared" : "array") + std::to_string(index);
  memory.element = element.type;
  memory.stride = element.stride;
  memory.count = count;
  kernel_.memories.push_back(std::move(memory));
  return {index, serial_};
}

std::uint32_t Trace::begin_block(bool loop) {
  const auto block = static_cast<std::uint32_t>(kernel_.blocks.size());
  kernel_.blocks.emplace_back();
  open_.push_back({.block = block, .loop = loop, .ended = false});
  return block;
}

void Trace::end_block() {
  if (open_.size() > 1) open_.pop_back();
}

void Trace::jump(ir::Op op) {
  if (op != ir::Op::return_) {
    bool inside = false;
    for (const Open& open : open_) inside = inside || open.loop;
    if (!inside)
      fail(op == ir::Op::break_ ? "break_() is called outside a loop."
                                : "continue_() is called outside a loop.");
  }
  add({.op = op, .type = {}, .count = 0, .arguments = {}, .immediate = 0});
  open_.back().ended = true;
}

void Trace::expect_else(Traced branch) {
  if (!ours(branch) || open_.back().ended) return;
  const std::vector<ir::Id>& before = kernel_.blocks[open_.back().block].nodes;
  if (before.empty() || before.back() != branch.id || kernel_.nodes[branch.id].high() != ir::kNone)
    fail("else_() does not follow its if_() at once.");
}

void Trace::set_else(Traced branch, std::uint32_t block) {
  if (ours(branch)) set_blocks(branch, kernel_.nodes[branch.id].low(), block);
}

void Trace::set_blocks(Traced node, std::uint32_t first, std::uint32_t second) {
  if (ours(node)) kernel_.nodes[node.id].immediate = ir::pack(first, second);
}

std::uint32_t Trace::callee(const std::shared_ptr<const TracedFunction>& function) {
  const auto number = static_cast<std::uint32_t>(std::ranges::find(callees_, function) - callees_.begin());
  if (number == callees_.size()) callees_.push_back(function);
  return number;
}

std::uint32_t Trace::message(ir::Message message, const std::vector<Traced>& values) {
  for (const Traced value : values) {
    if (!ours(value)) return 0;
    message.values.push_back(kernel_.nodes[value.id].type.scalar);
  }
  if (const auto good = ir::check_message(message); !good) fail(good.error().message());
  kernel_.messages.push_back(std::move(message));
  return static_cast<std::uint32_t>(kernel_.messages.size() - 1);
}

void Trace::finish(TracedFunction& function) {
  if (leave()) fail(kStray);
  function.body.nodes = std::move(kernel_.nodes);
  function.body.blocks = std::move(kernel_.blocks);
  function.callees = std::move(callees_);
  function.messages = std::move(kernel_.messages);
  function.failure = failure_;
}

Result<ir::Kernel> Trace::finish() {
  if (leave()) fail(kStray);
  const std::optional<Error> inside = link(kernel_, callees_);
  if (!failure_) failure_ = inside;
  if (failure_) return *failure_;
  COLLET_CHECK(ir::verify(kernel_));
  ir::fold(kernel_);
  ir::compact(kernel_);
  return std::move(kernel_);
}

namespace {

// What becomes of an operation where nothing is traced: the traces that it was meant for miss it.
Traced stray(ir::Op op, Traced place, std::initializer_list<Traced> arguments) {
  bool blamed = place.trace != 0;
  if (blamed) Trace::blame(place.trace);
  for (const Traced argument : arguments) {
    if (argument.trace == 0) continue;
    Trace::blame(argument.trace);
    blamed = true;
  }
  if (!blamed && ir::has_effect(op)) Trace::blame_all();
  return {};
}

Traced emit_checked(Trace& trace, ir::Op op, ir::Type type, std::initializer_list<Traced> arguments,
                    std::uint64_t immediate) {
  ir::Node node{.op = op, .type = type, .count = 0, .arguments = {}, .immediate = immediate};
  for (const Traced argument : arguments) {
    if (!trace.ours(argument))
      return trace.add({.op = ir::Op::constant, .type = type, .count = 0, .arguments = {}, .immediate = 0});
    node.arguments[node.count++] = argument.id;
  }
  return trace.add(node);
}

}  // namespace

Traced emit(ir::Op op, ir::Type type, std::initializer_list<Traced> arguments, std::uint64_t immediate) {
  Trace* trace = Trace::current();
  if (trace == nullptr) return stray(op, {}, arguments);
  return emit_checked(*trace, op, type, arguments, immediate);
}

Traced emit_at(ir::Op op, ir::Type type, Traced place, std::uint32_t offset,
               std::initializer_list<Traced> arguments) {
  Trace* trace = Trace::current();
  if (trace == nullptr) return stray(op, place, arguments);
  if (!trace->ours_to_reach(place))
    return trace->add({.op = ir::Op::constant, .type = type, .count = 0, .arguments = {}, .immediate = 0});
  return emit_checked(*trace, op, type, arguments, ir::pack(place.id, offset));
}

Traced emit_constant(ir::Type type, std::uint64_t bits) { return emit(ir::Op::constant, type, {}, bits); }

Traced emit_variable(ir::Type type) { return emit(ir::Op::variable, type, {}); }

bool reads_memory(Traced value, Traced since) {
  const Trace* trace = Trace::current();
  return trace != nullptr && trace->reads_memory(value, since);
}

std::string type_name(ir::Type type) { return ir::to_string(type); }

void trace_error(std::string message) {
  if (Trace* trace = Trace::current()) trace->fail(std::move(message));
}

void trace_at(const std::source_location& where) {
  if (Trace* trace = Trace::current()) trace->at(where);
}

void name_variable(Traced variable, std::string_view name) {
  if (Trace* trace = Trace::current()) trace->name(variable, std::string(name));
}

void no_such_element(std::int64_t number, std::uint64_t count) {
  trace_error("Element " + std::to_string(number) + " is used of a field that is an array of " +
              std::to_string(count) + ".");
}

Traced declare_workgroup(ElementType element, std::uint64_t count) {
  Trace* trace = Trace::current();
  return trace != nullptr ? trace->declare(ir::Space::workgroup, element, count) : Traced{};
}

Traced declare_item(ElementType element, std::uint64_t count) {
  Trace* trace = Trace::current();
  return trace != nullptr ? trace->declare(ir::Space::item, element, count) : Traced{};
}

Traced declare_table(const TableContents& contents) {
  Trace* trace = Trace::current();
  return trace != nullptr ? trace->table(contents) : Traced{};
}

Traced argument(std::uint32_t number) {
  const Trace* trace = Trace::current();
  return trace != nullptr ? Traced{number, trace->serial()} : Traced{};
}

OpenBlock::OpenBlock(bool loop) {
  Trace* trace = Trace::current();
  block_ = trace != nullptr ? trace->begin_block(loop) : 0;
}

OpenBlock::~OpenBlock() {
  if (!open_) return;
  end();
  trace_error(
      "An exception left an if_(), for_() or while_() while it was traced; what its block would have held is "
      "not known.");
}

std::uint32_t OpenBlock::end() {
  open_ = false;
  if (Trace* trace = Trace::current()) trace->end_block();
  return block_;
}

Traced emit_if(Traced condition, std::uint32_t then_block) {
  return emit(ir::Op::if_, {}, {condition}, ir::pack(then_block, ir::kNone));
}

void expect_else(Traced branch) {
  if (Trace* trace = Trace::current()) trace->expect_else(branch);
}

void set_else(Traced branch, std::uint32_t else_block) {
  if (Trace* trace = Trace::current()) trace->set_else(branch, else_block);
}

Traced emit_range(ir::Type type, Traced begin, Traced end, Traced step) {
  return emit(ir::Op::range, type, {begin, end, step});
}

void set_body(Traced range, std::uint32_t body) {
  if (Trace* trace = Trace::current()) trace->set_blocks(range, body, ir::kNone);
}

void emit_loop(std::uint32_t body) { emit(ir::Op::loop, {}, {}, ir::pack(body, ir::kNone)); }

void emit_jump(ir::Op op) {
  if (Trace* trace = Trace::current())
    trace->jump(op);
  else
    stray(op, {}, {});
}

}  // namespace collet::detail
