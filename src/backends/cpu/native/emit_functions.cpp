// Emitting: what every lane does for itself, as functions that the module has once: gathers, scatters and
// atomic operations.

#include "backends/cpu/native/emitter.hpp"

namespace collet::backend::cpu::native {

using ir::Op;
using ir::Scalar;

namespace {

std::string times(Writer& w, const std::string& value, std::uint64_t factor) {
  return factor == 1 ? value
                     : w.define({"mul ", w.vector_of("i64"), " ", value, ", ",
                                 w.constant(Scalar::u64, factor, true)});
}

// The name of an intrinsic on vectors of `scalar` and their addresses.
std::string intrinsic(const Writer& w, const char* name, Scalar scalar) {
  return std::string("@llvm.masked.") + name + "." + vector_suffix(w, scalar) + ".v" +
         std::to_string(w.width()) + "p0";
}

// Of the lanes from %first on.
std::string row_index(Writer& w) {
  return w.define({"add ", w.vector_of("i32"), " ", w.splat("i32", "%first"), ", ", w.iota()});
}

const char* update_of(Op op, Scalar scalar) {
  const bool is_signed = ir::is_signed(scalar);
  const bool floats = ir::is_float(scalar);
  switch (op) {
    case Op::atomic_add: return floats ? "fadd" : "add";
    case Op::atomic_sub: return floats ? "fsub" : "sub";
    case Op::atomic_min: return is_signed ? "min" : "umin";
    case Op::atomic_max: return is_signed ? "max" : "umax";
    case Op::atomic_and: return "and";
    case Op::atomic_or: return "or";
    case Op::atomic_xor: return "xor";
    default: return "xchg";
  }
}

// What the group's own memory holds afterwards; no other thread sees it.
std::string plain_update(Writer& w, Op op, Scalar scalar, const std::string& old, const std::string& a,
                         const std::string& b) {
  const std::string type(scalar_type(scalar));
  const auto two = [&](const char* name) {
    return w.define({std::string(name), " ", type, " ", old, ", ", a});
  };
  const auto choose = [&](const char* compare) {
    return w.define({"select i1 ", two(compare), ", ", type, " ", a, ", ", type, " ", old});
  };
  const bool is_signed = ir::is_signed(scalar);
  switch (op) {
    case Op::atomic_load: return old;
    case Op::atomic_min: return choose(is_signed ? "icmp sgt" : "icmp ugt");
    case Op::atomic_max: return choose(is_signed ? "icmp slt" : "icmp ult");
    case Op::atomic_compare_exchange: {
      const std::string equal = two("icmp eq");
      return w.define({"select i1 ", equal, ", ", type, " ", b, ", ", type, " ", old});
    }
    case Op::atomic_store:
    case Op::atomic_exchange: return a;
    default: return two(update_of(op, scalar));
  }
}

}  // namespace

// Writes the mask of the lanes that are inside, and their addresses, into a function's body.
std::pair<std::string, std::string> Emitter::lane_addresses(Writer& w, const Place& at) const {
  const std::string wide = w.define({"zext ", w.vector_of("i32"), " %index to ", w.vector_of("i64")});
  const std::string inside =
      w.define({"icmp ult ", w.vector_of("i64"), " ", wide, ", ", w.splat("i64", "%count")});
  const std::string lanes = w.define({"and ", w.vector_of("i1"), " %mask, ", inside});
  std::string bytes;
  if (at.memory->space == ir::Space::item) {
    // Word by word, the lanes side by side; or one lane's array after the other where words differ in size.
    const ItemArray& array = layout_.arrays[at.number];
    const std::uint64_t apart = array.words != 0 ? layout_.width : 1;
    const std::uint64_t lane_bytes = array.words != 0 ? array.word : at.memory->count * at.memory->stride;
    const std::string words = times(w, wide, at.memory->stride * apart);
    std::string all = "<";
    for (std::uint32_t lane = 0; lane < w.width(); ++lane) {
      all += (lane == 0 ? "i64 " : ", i64 ") + std::to_string(at.offset * apart + lane * lane_bytes);
    }
    bytes = w.define({"add ", w.vector_of("i64"), " ", words, ", ", all, ">"});
  } else {
    bytes = w.define({"add ", w.vector_of("i64"), " ", times(w, wide, at.memory->stride), ", ",
                      w.constant(Scalar::u64, at.offset, true)});
  }
  return {lanes, w.define({"getelementptr i8, ptr %base, ", w.vector_of("i64"), " ", bytes})};
}

std::string Emitter::gather_function(const Place& at) {
  const std::string name = "@gather_" + std::to_string(at.number) + "_" + std::to_string(at.offset) + "_" +
                           std::string(scalar_type(at.scalar));
  if (module_.functions.contains(name)) return name;
  Writer w(layout_.width);
  const auto [lanes, addresses] = lane_addresses(w, at);
  const std::string vectors = w.type(at.scalar, true);
  const std::string function = intrinsic(w, "gather", at.scalar);
  const std::string bytes = std::to_string(ir::bits(at.scalar) / 8);
  module_.declared.insert("declare " + vectors + " " + function + "(" + w.vector_of("ptr") + ", i32, " +
                          w.vector_of("i1") + ", " + vectors + ")");
  const std::string found =
      w.define({"call ", vectors, " ", function, "(", w.vector_of("ptr"), " ", addresses, ", i32 ", bytes,
                ", ", w.vector_of("i1"), " ", lanes, ", ", vectors, " zeroinitializer)"});
  w.line({"ret ", vectors, " ", found});
  module_.functions[name] = "define internal " + vectors + " " + name + "(ptr %base, i64 %count, " +
                            w.vector_of("i32") + " %index, " + w.vector_of("i1") + " %mask) #0 {\n" +
                            w.body() + "}\n";
  return name;
}

// Lanes store one after the other, so that the last one's value stays.
std::string Emitter::scatter_function(const Place& at) {
  const std::string name = "@scatter_" + std::to_string(at.number) + "_" + std::to_string(at.offset) + "_" +
                           std::string(scalar_type(at.scalar));
  if (module_.functions.contains(name)) return name;
  Writer w(layout_.width);
  const auto [lanes, addresses] = lane_addresses(w, at);
  const std::string vectors = w.type(at.scalar, true);
  const std::string function = intrinsic(w, "scatter", at.scalar);
  const std::string bytes = std::to_string(ir::bits(at.scalar) / 8);
  module_.declared.insert("declare void " + function + "(" + vectors + ", " + w.vector_of("ptr") + ", i32, " +
                          w.vector_of("i1") + ")");
  w.line({"call void ", function, "(", vectors, " %value, ", w.vector_of("ptr"), " ", addresses, ", i32 ",
          bytes, ", ", w.vector_of("i1"), " ", lanes, ")"});
  w.line("ret void");
  module_.functions[name] = "define internal void " + name + "(ptr %base, i64 %count, " + w.vector_of("i32") +
                            " %index, " + vectors + " %value, " + w.vector_of("i1") + " %mask) #0 {\n" +
                            w.body() + "}\n";
  return name;
}

// Of rows that reach beyond their memory: seldom called, and small where they are.
std::string Emitter::gather_row_function(const Place& at) {
  const std::string each = gather_function(at);
  const std::string name = "@row_" + each.substr(1);
  if (module_.functions.contains(name)) return name;
  Writer w(layout_.width);
  const std::string vectors = w.type(at.scalar, true);
  const std::string found =
      w.define({"call ", vectors, " ", each, "(ptr %base, i64 %count, ", w.vector_of("i32"), " ",
                row_index(w), ", ", w.vector_of("i1"), " ", w.constant(Scalar::boolean, 1, true), ")"});
  w.line({"ret ", vectors, " ", found});
  module_.functions[name] = "define internal " + vectors + " " + name +
                            "(ptr %base, i64 %count, i32 %first) #1 {\n" + w.body() + "}\n";
  return name;
}

std::string Emitter::scatter_row_function(const Place& at) {
  const std::string each = scatter_function(at);
  const std::string name = "@row_" + each.substr(1);
  if (module_.functions.contains(name)) return name;
  Writer w(layout_.width);
  const std::string vectors = w.type(at.scalar, true);
  w.line({"call void ", each, "(ptr %base, i64 %count, ", w.vector_of("i32"), " ", row_index(w), ", ",
          vectors, " %value, ", w.vector_of("i1"), " %mask)"});
  w.line("ret void");
  module_.functions[name] = "define internal void " + name + "(ptr %base, i64 %count, i32 %first, " +
                            vectors + " %value, " + w.vector_of("i1") + " %mask) #1 {\n" + w.body() + "}\n";
  return name;
}

// One lane's atomic operation; gives what was there.
std::string Emitter::atomic_lane(Writer& w, const Place& at, Op op, const std::string& place,
                                 const std::string& a, const std::string& b) {
  const std::string type(scalar_type(at.scalar));
  const std::string align = ", align " + std::to_string(ir::bits(at.scalar) / 8);
  if (at.memory->space != ir::Space::buffer) {
    const std::string old = w.define({"load ", type, ", ptr ", place, align});
    w.line({"store ", type, " ", plain_update(w, op, at.scalar, old, a, b), ", ptr ", place, align});
    return old;
  }
  if (op == Op::atomic_load) return w.define({"load atomic ", type, ", ptr ", place, " monotonic", align});
  if (op == Op::atomic_store) {
    w.line({"store atomic ", type, " ", a, ", ptr ", place, " monotonic", align});
    return "0";
  }
  if (op == Op::atomic_compare_exchange) {
    const std::string both = w.define(
        {"cmpxchg ptr ", place, ", ", type, " ", a, ", ", type, " ", b, " monotonic monotonic", align});
    return w.define({"extractvalue { ", type, ", i1 } ", both, ", 0"});
  }
  return w.define({std::string("atomicrmw "), update_of(op, at.scalar), " ptr ", place, ", ", type, " ", a,
                   " monotonic", align});
}

// Lane after lane. Gives what was there, 0 in lanes that do not run; or nothing, where nobody asks.
std::string Emitter::atomic_function(const Place& at, Op op, bool asked) {
  const std::string type(scalar_type(at.scalar));
  const std::string name = "@" + std::string(ir::name(op)) + "_" + std::to_string(at.number) + "_" +
                           std::to_string(at.offset) + "_" + type +
                           (ir::is_signed(at.scalar) ? "_signed" : "") + (asked ? "" : "_only");
  if (module_.functions.contains(name)) return name;
  Writer w(layout_.width);
  const std::string vectors = w.type(at.scalar, true);
  const auto found_lanes = lane_addresses(w, at);
  const std::string& lanes = found_lanes.first;
  const std::string& addresses = found_lanes.second;
  // Does one lane's, and adds its result to the others'.
  const auto run_lane = [&](std::uint32_t lane, const std::string& before) {
    const std::string at_lane = ", i64 " + std::to_string(lane);
    const std::string place = w.define({"extractelement ", w.vector_of("ptr"), " ", addresses, at_lane});
    const std::string a = w.define({"extractelement ", vectors, " %a", at_lane});
    const std::string b = w.define({"extractelement ", vectors, " %b", at_lane});
    const std::string old = atomic_lane(w, at, op, place, a, b);
    return asked ? w.define({"insertelement ", vectors, " ", before, ", ", type, " ", old, at_lane}) : before;
  };
  const auto finish = [&](const std::string& result) {
    w.line(asked ? "ret " + vectors + " " + result : std::string("ret void"));
  };
  const std::string whole = w.label();
  const std::string some = w.label();
  w.branch(w.all_set(lanes), whole, some);
  w.begin(whole);
  std::string found = "zeroinitializer";
  for (std::uint32_t lane = 0; lane < w.width(); ++lane) found = run_lane(lane, found);
  finish(found);
  w.begin(some);
  found = "zeroinitializer";
  for (std::uint32_t lane = 0; lane < w.width(); ++lane) {
    const std::string before = w.block();
    std::string with, run;
    w.when(w.define({"extractelement ", w.vector_of("i1"), " ", lanes, ", i64 " + std::to_string(lane)}),
           [&] {
             with = run_lane(lane, found);
             run = w.block();
           });
    if (asked) found = w.define({"phi ", vectors, " [", found, ", %", before, "], [", with, ", %", run, "]"});
  }
  finish(found);
  module_.functions[name] = "define internal " + (asked ? vectors : std::string("void")) + " " + name +
                            "(ptr %base, i64 %count, " + w.vector_of("i32") + " %index, " + vectors +
                            " %a, " + vectors + " %b, " + w.vector_of("i1") + " %mask) #0 {\nentry:\n" +
                            w.body() + "}\n";
  return name;
}

}  // namespace collet::backend::cpu::native
