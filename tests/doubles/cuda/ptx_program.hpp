// What the text of PTX becomes: instructions with handlers, whose operands are indices of registers.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "numbers.hpp"

namespace collet::cuda_double {

class Warp;
struct Instruction;

// Does the instruction for the lanes of the mask, which is never empty.
using Handler = void (*)(Warp&, const Instruction&, Lanes);

// An operand: a register, or below zero, the constant with the number ~operand.
using Operand = s32;
inline constexpr Operand kNoOperand = std::numeric_limits<s32>::min();

struct Instruction {
  Handler handler = nullptr;
  s32 guard = -1;  // the predicate that decides which lanes do it; -1: all
  bool guard_negated = false;
  bool predicate_negated = false;
  u8 count = 1;            // elements of a vector
  u8 size = 0;             // bytes of an element in memory
  Operand d = kNoOperand;  // the result, or of a store, the address
  Operand e = kNoOperand;  // a second result
  Operand a = kNoOperand;
  Operand b = kNoOperand;
  Operand c = kNoOperand;
  Operand f = kNoOperand;         // the fourth operand
  Operand p = kNoOperand;         // a predicate that is read
  std::array<Operand, 4> vector;  // registers of a vector
  s64 offset = 0;                 // of an address
  u32 target = 0;                 // an instruction, a call site, a table, a shift, ...: what the handler says
  s32 line = 0;                   // of the text
};

// A value that hidden registers hold from the beginning of a function.
enum class Special : u8 {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  dynamic_smem_size,
  total_smem_size,
  local_address,  // of the function's variables in .local
};
struct SpecialRegister {
  Special special;
  Operand destination;
  u64 value;  // is added
};

struct Parameter {
  u32 offset = 0, size = 0;
};

// Which bytes a call copies before and after it.
struct CallSite {
  u32 function = 0;           // where `indirect` is not set
  bool indirect = false;      // by the address in operand a
  std::vector<Parameter> in;  // of the caller's parameter space
  std::vector<Parameter> out;
  std::string text;
};

// Constants whose value is known once all of the module was read, or when it is placed in memory.
enum class Relocation : u8 { none, data, module_shared, kernel_shared, dynamic_shared };

struct Function {
  std::string name;
  bool is_kernel = false;
  bool is_defined = false;
  u32 registers = 0;
  u32 predicates = 0;
  std::vector<u64> constants;  // kWarpSize copies of each
  std::vector<Relocation> relocations;
  std::vector<SpecialRegister> specials;
  std::vector<Instruction> code;  // the last one is a ret
  std::vector<CallSite> calls;
  std::vector<std::vector<u32>> tables;  // of brx.idx
  std::vector<Parameter> parameters, results;
  u32 parameter_bytes = 0;  // of the parameters alone; the space for results and calls is after them
  u32 parameter_space = 0;
  u32 local_bytes = 0;
  u32 shared_bytes = 0;  // of its own variables in .shared
  std::array<u32, 3> required_block{};
  u32 most_threads = 0;  // .maxntid; 0: none
};

// A variable in .global or .const.
struct Variable {
  std::string name;
  u64 offset = 0;  // in the module's data
  u64 size = 0;
};

// Immutable once it is placed. Its instructions refer to the functions by index.
struct Program {
  std::deque<Function> functions;
  std::map<std::string, u32, std::less<>> function_index;
  std::vector<Variable> variables;
  std::vector<u8> data;  // the first bytes of all variables
  struct Address {
    u64 at = 0;        // in data
    u64 variable = 0;  // the offset of a variable, or
    s64 function = -1;
    u64 window = 0;  // is added
  };
  std::vector<Address> addresses;  // of variables and functions that stand in data
  u32 shared_bytes = 0;            // of the module's own variables in .shared
  u32 dynamic_shared = 0;          // where a launch's dynamic shared memory begins

  // Gives constants and data their addresses; `base` is where data will be.
  void place(u64 base);
};

// Addresses of other spaces than .global, as generic addresses: no pointer of the host is like them.
inline constexpr u64 kSharedWindow = u64{1} << 56;
inline constexpr u64 kLocalWindow = u64{2} << 56;
inline constexpr u64 kCodeWindow = u64{3} << 56;
inline constexpr unsigned kWindowShift = 56;
inline constexpr u64 kWindowMask = (u64{1} << kWindowShift) - 1;

}  // namespace collet::cuda_double
