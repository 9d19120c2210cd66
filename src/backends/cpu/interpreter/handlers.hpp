// Which handler does what. Each function gives null where there is none for the types, which the verifier
// rules out.
#pragma once

#include "backends/cpu/interpreter/isa.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::interpreter {

// to = op(a, b, c), as ir::evaluate() says.
Handler find_integer(ir::Op op, ir::Scalar type, Isa isa);
Handler find_float(ir::Op op, ir::Scalar type, Isa isa);
Handler find_boolean(ir::Op op, Isa isa);
Handler find_comparison(ir::Op op, ir::Scalar type, Isa isa);
Handler find_convert(ir::Scalar from, ir::Scalar to, Isa isa);

// By the bytes of an element: 1, 2, 4 or 8.
Handler find_select(std::uint32_t bytes, Isa isa);  // to = a ? b : c
Handler find_copy(std::uint32_t bytes, Isa isa);    // to = a
Handler find_blend(std::uint32_t bytes, Isa isa);   // to = a in the lanes of the mask
Handler find_clear(std::uint32_t bytes);            // to = 0

// u32: to = the linear value whose base is a.
Handler find_iota(Isa isa);
// u32: what a group knows of itself; Instruction::offset is the dimension.
Handler find_builtin(ir::Op op);
// The first item's x, y, z; the base of global_id. Instruction::offset is the dimension.
Handler find_first_item();
Handler find_length();
// Instruction::offset is the byte in the block of constants.
Handler find_parameter(std::uint32_t bytes);

// What an index is.
enum class Reach : std::uint8_t { uniform, linear, lanes };
Handler find_load(std::uint32_t bytes, Reach reach, bool item, Isa isa);
Handler find_store(std::uint32_t bytes, Reach reach, bool item);
// `shared` by several threads.
Handler find_atomic(ir::Op op, ir::Scalar type, bool shared);
Handler find_fence();

Handler find_between_items(ir::Op op, ir::Scalar type);

// Control flow. "To target" is where the run goes on.
Handler find_jump();
Handler find_branch();  // to target unless a
Handler find_split();   // mask = other & a, mask + 1 = other & !a; to target if mask is empty
Handler find_skip();    // to target if mask is empty
Handler find_rejoin();  // mask &= other; to target if mask is empty
Handler find_drop();    // mask &= !other
Handler find_enter();   // mask = other; to target if mask is empty
Handler find_call();    // mask = other, to = the next instruction; to target unless mask is empty
Handler find_return();  // to the instruction that a names
Handler find_range_begin(ir::Scalar type);        // to = a; to target unless a < b
Handler find_range_next(ir::Scalar type);         // to += c, and to target while that is below b
Handler find_range_begin_lanes(ir::Scalar type);  // to = a; mask = other where a < b
Handler find_range_next_lanes(ir::Scalar type);   // mask &= to + c < b; to += c

}  // namespace collet::backend::cpu::interpreter
