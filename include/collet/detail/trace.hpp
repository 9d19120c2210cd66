// The tracer: what the kernel language's templates call while a kernel's function runs once, on the host, to
// be written down. What goes wrong is kept; the trace goes on with values that mean nothing.
//
// Threads: a trace belongs to the thread that runs it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <span>
#include <string>
#include <string_view>

#include "collet/backend.hpp"
#include "collet/detail/ir_types.hpp"
#include "collet/export.hpp"

namespace collet::detail {

// A value, and the trace that it belongs to: one from another trace is an error with a name.
struct Traced {
  ir::Id id = ir::kNone;
  std::uint32_t trace = 0;
};

COLLET_API Traced emit(ir::Op op, ir::Type type, std::initializer_list<Traced> arguments,
                       std::uint64_t immediate = 0);
COLLET_API Traced emit_constant(ir::Type type, std::uint64_t bits);
COLLET_API Traced emit_variable(ir::Type type);
// Whether anything that `value` was computed from was read from memory.
COLLET_API bool reads_memory(Traced value);

// Keeps the first.
COLLET_API void trace_error(std::string message);

struct ElementType {
  ir::Type type;  // none for structs
  std::uint32_t stride = 0;
};
COLLET_API std::uint32_t declare_workgroup(ElementType element, std::uint64_t count);
COLLET_API std::uint32_t declare_item(ElementType element, std::uint64_t count);

// Blocks: begin() one, trace what is in it, end() it; then make the node that owns it.
COLLET_API std::uint32_t begin_block(bool loop = false);
COLLET_API void end_block();
COLLET_API void emit_if(Traced condition, std::uint32_t then_block, std::uint32_t else_block);
// The counter of a range exists before its body does.
COLLET_API Traced begin_range(ir::Type type, Traced begin, Traced end, Traced step);
COLLET_API void end_range(Traced range);
COLLET_API void emit_loop(std::uint32_t body, std::uint32_t continuing);
COLLET_API void emit_jump(ir::Op op);

}  // namespace collet::detail
