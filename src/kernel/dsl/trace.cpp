// The part of the tracer that is no template.

#include "kernel/dsl/trace.hpp"

#include <atomic>

#include "kernel/ir/passes.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::detail {
namespace {

thread_local Trace* active = nullptr;
std::atomic<std::uint32_t> next_serial{1};

Error trace_failure(const ir::Kernel& kernel, std::string message) {
  return Error(ErrorCode::invalid_argument, Category::kernel, Cause::module_failed, std::move(message))
      .during("tracing [Kernel \"" + kernel.name + "\"]");
}

}  // namespace

Trace::Trace(ir::Kernel frame) : kernel_(std::move(frame)), serial_(next_serial.fetch_add(1)) {
  kernel_.blocks.assign(1, {});
  open_.push_back({});
  if (active != nullptr) fail("A kernel is traced inside another; make it before.");
  active = this;
}

Trace::~Trace() {
  if (active == this) active = nullptr;
}

Trace* Trace::current() { return active; }

void Trace::fail(std::string message) {
  if (!failure_) failure_ = trace_failure(kernel_, std::move(message));
}

bool Trace::ours(Traced value) {
  if (value.trace == serial_ && value.id < kernel_.nodes.size()) return true;
  fail("A value of another kernel, or of an earlier trace, is used.");
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
  if (!open_.back().ended) kernel_.blocks[open_.back().block].nodes.push_back(id);
  return {id, serial_};
}

bool Trace::reads_memory(Traced value) const {
  std::vector<ir::Id> waiting{value.id};
  std::vector<bool> seen(kernel_.nodes.size());
  while (!waiting.empty()) {
    const ir::Id id = waiting.back();
    waiting.pop_back();
    if (id >= kernel_.nodes.size() || seen[id]) continue;
    seen[id] = true;
    const ir::Node& node = kernel_.nodes[id];
    if (ir::reads_memory(node.op)) return true;
    for (std::uint8_t i = 0; i < node.count; ++i) waiting.push_back(node.arguments[i]);
  }
  return false;
}

std::uint32_t Trace::declare(ir::Space space, ElementType element, std::uint64_t count) {
  const auto index = static_cast<std::uint32_t>(kernel_.memories.size());
  ir::Memory memory;
  memory.space = space;
  memory.name = (space == ir::Space::workgroup ? "shared" : "array") + std::to_string(index);
  memory.element = element.type;
  memory.stride = element.stride;
  memory.count = count;
  kernel_.memories.push_back(std::move(memory));
  return index;
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
      fail(op == ir::Op::break_ ? "break_() stands in no loop." : "continue_() stands in no loop.");
  }
  add({.op = op, .type = {}, .count = 0, .arguments = {}, .immediate = 0});
  open_.back().ended = true;
}

void Trace::set_blocks(Traced node, std::uint32_t first, std::uint32_t second) {
  if (ours(node)) kernel_.nodes[node.id].immediate = ir::pack(first, second);
}

Result<ir::Kernel> Trace::finish() {
  if (active == this) active = nullptr;
  if (failure_) return *failure_;
  COLLET_CHECK(ir::verify(kernel_));
  ir::fold(kernel_);
  ir::compact(kernel_);
  return std::move(kernel_);
}

Traced emit(ir::Op op, ir::Type type, std::initializer_list<Traced> arguments, std::uint64_t immediate) {
  Trace* trace = Trace::current();
  if (trace == nullptr) return {};
  ir::Node node{.op = op, .type = type, .count = 0, .arguments = {}, .immediate = immediate};
  for (const Traced argument : arguments) {
    if (!trace->ours(argument))
      return trace->add({.op = ir::Op::constant, .type = type, .count = 0, .arguments = {}, .immediate = 0});
    node.arguments[node.count++] = argument.id;
  }
  return trace->add(node);
}

Traced emit_constant(ir::Type type, std::uint64_t bits) { return emit(ir::Op::constant, type, {}, bits); }

Traced emit_variable(ir::Type type) { return emit(ir::Op::variable, type, {}); }

bool reads_memory(Traced value) {
  const Trace* trace = Trace::current();
  return trace != nullptr && trace->reads_memory(value);
}

void trace_error(std::string message) {
  if (Trace* trace = Trace::current()) trace->fail(std::move(message));
}

std::uint32_t declare_workgroup(ElementType element, std::uint64_t count) {
  Trace* trace = Trace::current();
  return trace != nullptr ? trace->declare(ir::Space::workgroup, element, count) : 0;
}

std::uint32_t declare_item(ElementType element, std::uint64_t count) {
  Trace* trace = Trace::current();
  return trace != nullptr ? trace->declare(ir::Space::item, element, count) : 0;
}

std::uint32_t begin_block(bool loop) {
  Trace* trace = Trace::current();
  return trace != nullptr ? trace->begin_block(loop) : 0;
}

void end_block() {
  if (Trace* trace = Trace::current()) trace->end_block();
}

void emit_if(Traced condition, std::uint32_t then_block, std::uint32_t else_block) {
  emit(ir::Op::if_, {}, {condition}, ir::pack(then_block, else_block));
}

Traced begin_range(ir::Type type, Traced begin, Traced end, Traced step) {
  Trace* trace = Trace::current();
  if (trace == nullptr) return {};
  const Traced range = emit(ir::Op::range, type, {begin, end, step});
  const std::uint32_t block = trace->begin_block(true);
  trace->set_blocks(range, block, ir::kNone);
  return range;
}

void end_range(Traced) { end_block(); }

void emit_loop(std::uint32_t body, std::uint32_t continuing) {
  emit(ir::Op::loop, {}, {}, ir::pack(body, continuing));
}

void emit_jump(ir::Op op) {
  if (Trace* trace = Trace::current()) trace->jump(op);
}

}  // namespace collet::detail
