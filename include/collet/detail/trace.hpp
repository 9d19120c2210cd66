// The tracer: what the kernel language's templates call while a kernel's function runs once on the host to be
// recorded. The first error is kept; the trace goes on with values that mean nothing.
//
// Threads: a trace belongs to the thread that runs it. What another thread adds to it is an error of the
// trace.
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

// A value, memory or parameter by its number, and the trace that it belongs to: one from another trace is an
// error with a name.
struct Traced {
  ir::Id id = ir::kNone;
  std::uint32_t trace = 0;
};

COLLET_API Traced emit(ir::Op op, ir::Type type, std::initializer_list<Traced> arguments,
                       std::uint64_t immediate = 0);
// On memory, whose index is the first argument, or on a parameter; `offset` is in bytes.
COLLET_API Traced emit_at(ir::Op op, ir::Type type, Traced place, std::uint32_t offset,
                          std::initializer_list<Traced> arguments);
COLLET_API Traced emit_constant(ir::Type type, std::uint64_t bits);
COLLET_API Traced emit_variable(ir::Type type);
// Whether anything that `value` was computed from was read from memory after `since` was computed; at all,
// where `since` is of no trace.
COLLET_API bool reads_memory(Traced value, Traced since);

// Keeps the first.
COLLET_API void trace_error(std::string message);
// Where in the program what follows stands, for errors. Not everything in a kernel can know its place.
COLLET_API void trace_at(const std::source_location& where);
COLLET_API void name_variable(Traced variable, std::string_view name);
// As the IR writes it: "u32", "f32x3".
COLLET_API std::string type_name(ir::Type type);

struct ElementType {
  ir::Type type;  // none for structs
  std::uint32_t stride = 0;
};
COLLET_API Traced declare_workgroup(ElementType element, std::uint64_t count);
COLLET_API Traced declare_item(ElementType element, std::uint64_t count);
// The buffer or parameter of that number, of the kernel that is traced now.
COLLET_API Traced argument(std::uint32_t number);

// A block of statements: what is traced until end(). One that an exception leaves is an error of the trace,
// for what it would have held is not known. Threads: the trace's.
class COLLET_API OpenBlock {
 public:
  explicit OpenBlock(bool loop = false);
  OpenBlock(const OpenBlock&) = delete;
  OpenBlock& operator=(const OpenBlock&) = delete;
  ~OpenBlock();

  // Its number, for the node that owns it.
  std::uint32_t end();

 private:
  std::uint32_t block_;
  bool open_ = true;
};

COLLET_API Traced emit_if(Traced condition, std::uint32_t then_block);
// A branch gets its else, which nothing may stand before.
COLLET_API void expect_else(Traced branch);
COLLET_API void set_else(Traced branch, std::uint32_t else_block);
// The counter of a range exists before its body does.
COLLET_API Traced emit_range(ir::Type type, Traced begin, Traced end, Traced step);
COLLET_API void set_body(Traced range, std::uint32_t body);
COLLET_API void emit_loop(std::uint32_t body);
COLLET_API void emit_jump(ir::Op op);

}  // namespace collet::detail
