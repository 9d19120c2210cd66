// A kernel between the tracer and the emitters: typed, structured, and the same for every target.
//
// A node that has a type defines a value, named by the node's position. A block lists the nodes that run in
// order; a value is seen from its node to the end of its block, and in the blocks inside. What changes is a
// variable: `variable` declares it, `get` and `set` reach it.
//
// `if_`      argument: the condition; blocks: then, else
// `range`    arguments: begin, end, step (> 0); block: body. Its value is the counter, begin + k * step for
//            every k with that below end; it never wraps around. It is seen in the body only.
// `loop`     blocks: body, continuing. After the body, and on continue_, the continuing block runs and the
// body
//            begins again. Only break_ and return_ end it. continuing holds no jump out of it.
//
// A kernel from the tracer, the parser or by hand may be invalid; everything but verify() requires a kernel
// that verify() accepted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collet/detail/parameters.hpp"
#include "kernel/ir/type.hpp"

namespace collet::ir {

// What an operation's types must be; see verify.cpp.
enum class Rule : std::uint8_t {
  constant,
  parameter,
  length,
  builtin,
  number1,
  number2,
  integer1,
  integer2,
  float1,
  float2,
  float3,
  bits1,
  bits2,
  equal,
  order,
  select,
  convert,
  bitcast,
  compose,
  extract,
  reduce,
  variable,
  get,
  set,
  load,
  store,
  atomic,
  compare_exchange,
  barrier,
  fence,
  uniform,
  subgroup,
  subgroup_bits,
  subgroup_vote,
  subgroup_any_type,
  subgroup_shuffle,
  if_,
  range,
  loop,
  jump,
  pass,
  print,
  call,
  result,
  argument,
  give,
};

struct Node {
  Op op = Op::constant;
  Type type;               // of the value; kNothing for a statement
  std::uint8_t count = 0;  // of arguments
  std::array<Id, 4> arguments{kNone, kNone, kNone, kNone};
  // Of an access, of what items do together and of a variable with a name: where it stands in the program, in
  // Kernel::places.
  std::uint32_t place = kNone;
  // A constant's bits, zero-extended; a builtin's dimension; a component; memory (low half) and byte offset
  // (high half); a parameter (low half) and byte offset (high half); blocks (low half, high half); the number
  // of a function, of a result, of an argument or of a message.
  std::uint64_t immediate = 0;

  std::uint32_t low() const { return static_cast<std::uint32_t>(immediate); }
  std::uint32_t high() const { return static_cast<std::uint32_t>(immediate >> 32); }
};

struct Block {
  std::vector<Id> nodes;
};

enum class Space : std::uint8_t { buffer, workgroup, item, table };

// Something that load and store reach by an element's index.
struct Memory {
  Space space = Space::buffer;
  std::string name;
  Type element;              // the type that most accesses have; none where elements are structs
  std::uint32_t stride = 0;  // bytes from one element to the next
  std::uint64_t count = 0;   // elements; 0 for buffers, whose length is known at launch only
  backend::Access access = backend::Access::read_write;
  bool may_alias = false;   // another buffer may overlap it
  bool broadcasts = false;  // one item stores, and all of a group load the same: uniform() becomes one
  // What a table holds: numbers of 32 or 64 bits that never change.
  std::vector<std::byte> contents = {};
};

// A scalar or plain struct that a launch passes.
struct Parameter {
  std::string name;
  Type type;               // none for a struct
  std::uint32_t size = 0;  // bytes
  std::uint32_t alignment = 0;
};

enum class Scope : std::uint8_t { workgroup, device, system };  // of a fence; system: the host, too

// What items say to the program: a line, or that something is wrong with them. lower_messages() makes code of
// it, so that emitters and backends never see one.
struct Message {
  // What is not print says that something is wrong. Those behind assertion are made in checked mode only.
  enum class Kind : std::uint8_t { print, assertion, index, race, unwritten };
  Kind kind = Kind::print;
  std::string text;  // with a {} for each value, as fmt has them; of a race for the first
  std::string file;  // where it stands in the program
  std::uint32_t line = 0;
  std::vector<Scalar> values;  // booleans, and numbers of 32 or 64 bits
  std::uint32_t memory = 0;    // that it is about, in checked mode
};

struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::string name = {};  // what the program calls a variable

  friend bool operator==(const Place&, const Place&) = default;
};

struct Function;

struct Kernel {
  std::string name;
  std::array<std::uint32_t, 3> group{64, 1, 1};
  std::vector<Memory> memories;  // the buffers first, in the order of the kernel's arguments
  std::vector<Parameter> parameters;
  // The kernel's arguments in order: true is the next buffer, false the next parameter.
  std::vector<bool> buffer_argument;
  std::vector<Node> nodes;
  std::vector<Block> blocks;  // the first is the body
  std::vector<Function> functions;
  std::vector<Message> messages;
  std::vector<Place> places;

  std::uint32_t buffer_count() const;
};

// Scalars of 32 or 64 bits and booleans from such. A function computes with its arguments only, and calls
// only functions that stand before it in the kernel's list. Its messages are the kernel's.
struct Function {
  std::string name;
  std::vector<Scalar> arguments, results;
  Kernel body;  // of nothing but nodes and blocks; what it calls is in the list of the kernel
};

std::string_view name(Op op);
Rule rule(Op op);
// The least number of arguments; compose takes up to four.
std::uint8_t arity(Op op);

// Computes on numbers or compares them.
bool is_arithmetic(Op op);
// Has no effect but its value, and the same value whenever its arguments are the same.
bool is_pure(Op op);
bool is_atomic(Op op);
// Reaches memory: load, store and atomic operations.
bool is_access(Op op);
// Items of a group or subgroup do it together.
bool is_together(Op op);
// Atomic operations that f32 and f64 have too.
bool is_float_atomic(Op op);
bool reads_memory(Op op);
// A node that stays though nobody uses its value.
bool has_effect(Op op);
// How many blocks a node of this kind owns.
std::uint32_t block_count(Op op);

// Most nodes that a kernel may have.
inline constexpr std::size_t kMostNodes = 1'000'000;

}  // namespace collet::ir
