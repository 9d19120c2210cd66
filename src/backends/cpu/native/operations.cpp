// The meaning of operations is eval.cpp's; here it is said to LLVM.

#include "backends/cpu/native/operations.hpp"

#include "backends/cpu/native/halves.hpp"

namespace collet::backend::cpu::native {
namespace {

using ir::Op;
using ir::Scalar;

// Threads: one at a time.
class Operation {
 public:
  Operation(Writer& writer, Scalar from, Scalar to, bool vector, const std::array<std::string, 3>& operands,
            std::set<std::string>& declared)
      : w_(writer),
        from_(from),
        to_(to),
        vector_(vector),
        a_(operands[0]),
        b_(operands[1]),
        c_(operands[2]),
        type_(writer.type(from, vector)),
        suffix_(suffix(from)),
        declared_(declared) {}

  std::string integer(Op op);
  std::string floating(Op op);
  std::string boolean(Op op);
  std::string compared(Op op);
  std::string converted();

 private:
  // As intrinsics are called: "v16f32", "i64".
  std::string suffix(Scalar scalar) const {
    const std::string one = (ir::is_float(scalar) ? "f" : "i") + std::to_string(ir::bits(scalar));
    return vector_ ? "v" + std::to_string(w_.width()) + one : one;
  }
  std::string value(std::uint64_t bits) const { return w_.constant(from_, bits, vector_); }
  std::string mask_type() const { return w_.type(Scalar::boolean, vector_); }

  std::string two(const char* instruction) {
    return w_.define({std::string(instruction), " ", type_, " ", a_, ", ", b_});
  }
  std::string two(const char* instruction, const std::string& a, const std::string& b) {
    return w_.define({std::string(instruction), " ", type_, " ", a, ", ", b});
  }
  std::string choose(const std::string& condition, const std::string& yes, const std::string& no) {
    return w_.define({"select ", mask_type(), " ", condition, ", ", type_, " ", yes, ", ", type_, " ", no});
  }

  // Calls an intrinsic of the operands' own type; `flag` is one more argument, an i1.
  std::string intrinsic(const std::string& name, int count, const char* flag = nullptr) {
    const std::array<const std::string*, 3> operands{&a_, &b_, &c_};
    const std::string full = "@llvm." + name + "." + suffix_;
    std::string types;
    std::string arguments;
    for (int i = 0; i < count; ++i) {
      types += (i == 0 ? "" : ", ") + type_;
      arguments += (i == 0 ? "" : ", ") + type_ + " " + *operands[static_cast<std::size_t>(i)];
    }
    if (flag != nullptr) {
      types += ", i1";
      arguments += std::string(", i1 ") + flag;
    }
    declared_.insert("declare " + type_ + " " + full + "(" + types + ")");
    return w_.define({"call ", type_, " ", full, "(", arguments, ")"});
  }

  // Calls a function of the C library, lane by lane: the one that the interpreter calls.
  std::string library(const std::string& name, int count) {
    const std::string scalar(scalar_type(from_));
    const std::string full = "@" + name + (from_ == Scalar::f32 ? "f" : "");
    declared_.insert("declare " + scalar + " " + full + "(" + scalar + (count == 2 ? ", " + scalar : "") +
                     ")");
    const auto call = [&](const std::string& a, const std::string& b) {
      return w_.define({"call ", scalar, " ", full, "(", scalar, " ", a,
                        (count == 2 ? ", " + scalar + " " + b : ""), ") nobuiltin"});
    };
    if (!vector_) return call(a_, b_);
    std::string all = "poison";
    for (std::uint32_t lane = 0; lane < w_.width(); ++lane) {
      const std::string at = ", i64 " + std::to_string(lane);
      const std::string a = w_.define({"extractelement ", type_, " ", a_, at});
      const std::string b = count == 2 ? w_.define({"extractelement ", type_, " ", b_, at}) : "";
      all = w_.define({"insertelement ", type_, " ", all, ", ", scalar, " ", call(a, b), at});
    }
    return all;
  }

  // 1 where dividing by b has no value of its own: a / 1 = a and a % 1 = 0 are what is wanted.
  std::string safe_divisor() {
    std::string bad = two("icmp eq", b_, value(0));
    if (ir::is_signed(from_)) {
      const std::uint64_t all = ~std::uint64_t{0} >> (64 - ir::bits(from_));
      const std::string least = two("icmp eq", a_, value(all / 2 + 1));
      const std::string minus = two("icmp eq", b_, value(all));
      const std::string both = w_.define({"and ", mask_type(), " ", least, ", ", minus});
      bad = w_.define({"or ", mask_type(), " ", bad, ", ", both});
    }
    return choose(bad, value(1), b_);
  }

  std::string multiplied_high() {
    const std::uint32_t bits = ir::bits(from_);
    const std::string element = "i" + std::to_string(bits * 2);
    const std::string wide = vector_ ? w_.vector_of(element) : element;
    const char* const extend = ir::is_signed(from_) ? "sext " : "zext ";
    const std::string a = w_.define({extend, type_, " ", a_, " to ", wide});
    const std::string b = w_.define({extend, type_, " ", b_, " to ", wide});
    const std::string product = w_.define({"mul ", wide, " ", a, ", ", b});
    std::string by = std::to_string(bits);
    if (vector_) {
      std::string all = "<";
      const std::string one = element + " " + by;
      for (std::uint32_t i = 0; i < w_.width(); ++i) {
        if (i != 0) all += ", ";
        all += one;
      }
      by = all + ">";
    }
    const std::string high = w_.define({"lshr ", wide, " ", product, ", ", by});
    return w_.define({"trunc ", wide, " ", high, " to ", type_});
  }

  Writer& w_;
  const Scalar from_;
  const Scalar to_;
  const bool vector_;
  const std::string& a_;
  const std::string& b_;
  const std::string& c_;
  const std::string type_;
  const std::string suffix_;
  std::set<std::string>& declared_;
};

std::string Operation::integer(Op op) {
  const bool is_signed = ir::is_signed(from_);
  switch (op) {
    case Op::negate: return two("sub", value(0), a_);
    case Op::add: return two("add");
    case Op::sub: return two("sub");
    case Op::mul: return two("mul");
    case Op::div: return two(is_signed ? "sdiv" : "udiv", a_, safe_divisor());
    case Op::rem: return two(is_signed ? "srem" : "urem", a_, safe_divisor());
    case Op::min: return choose(two(is_signed ? "icmp slt" : "icmp ult", b_, a_), b_, a_);
    case Op::max: return choose(two(is_signed ? "icmp slt" : "icmp ult", a_, b_), b_, a_);
    case Op::abs: return is_signed ? intrinsic("abs", 1, "false") : a_;
    case Op::mul_high: return multiplied_high();
    case Op::bit_not: return two("xor", a_, value(~std::uint64_t{0} >> (64 - ir::bits(from_))));
    case Op::bit_and: return two("and");
    case Op::bit_or: return two("or");
    case Op::bit_xor: return two("xor");
    case Op::shl: return two("shl", a_, two("and", b_, value(ir::bits(from_) - 1)));
    case Op::shr: return two(is_signed ? "ashr" : "lshr", a_, two("and", b_, value(ir::bits(from_) - 1)));
    case Op::count_bits: return intrinsic("ctpop", 1);
    case Op::leading_zeros: return intrinsic("ctlz", 1, "false");
    case Op::trailing_zeros: return intrinsic("cttz", 1, "false");
    case Op::reverse_bits: return intrinsic("bitreverse", 1);
    default: return {};
  }
}

std::string Operation::floating(Op op) {
  switch (op) {
    case Op::negate: return w_.define({"fneg ", type_, " ", a_});
    case Op::add: return two("fadd");
    case Op::sub: return two("fsub");
    case Op::mul: return two("fmul");
    case Op::div: return two("fdiv");
    case Op::rem: return library("fmod", 2);
    case Op::min: return choose(two("fcmp olt", b_, a_), b_, a_);
    case Op::max: return choose(two("fcmp olt", a_, b_), b_, a_);
    case Op::abs: return intrinsic("fabs", 1);
    case Op::fma: return intrinsic("fma", 3);
    case Op::floor: return intrinsic("floor", 1);
    case Op::ceil: return intrinsic("ceil", 1);
    case Op::trunc: return intrinsic("trunc", 1);
    case Op::round_even: return intrinsic("nearbyint", 1);
    case Op::sqrt: return intrinsic("sqrt", 1);
    case Op::native_sin: return library("sin", 1);
    case Op::native_cos: return library("cos", 1);
    case Op::native_tan: return library("tan", 1);
    case Op::native_exp: return library("exp", 1);
    case Op::native_exp2: return library("exp2", 1);
    case Op::native_log: return library("log", 1);
    case Op::native_log2: return library("log2", 1);
    case Op::native_rsqrt:
      return two("fdiv", value(from_ == Scalar::f32 ? 0x3f800000u : 0x3ff0000000000000u),
                 intrinsic("sqrt", 1));
    case Op::native_pow: return library("pow", 2);
    default: return {};
  }
}

std::string Operation::boolean(Op op) {
  switch (op) {
    case Op::bit_not: return two("xor", a_, value(1));
    case Op::bit_and: return two("and");
    case Op::bit_or: return two("or");
    case Op::bit_xor: return two("xor");
    default: return {};
  }
}

std::string Operation::compared(Op op) {
  const bool floats = ir::is_float(from_);
  const bool is_signed = ir::is_signed(from_);
  switch (op) {
    case Op::eq: return two(floats ? "fcmp oeq" : "icmp eq");
    case Op::ne: return two(floats ? "fcmp une" : "icmp ne");
    case Op::lt: return two(floats ? "fcmp olt" : is_signed ? "icmp slt" : "icmp ult");
    case Op::le: return two(floats ? "fcmp ole" : is_signed ? "icmp sle" : "icmp ule");
    case Op::gt: return two(floats ? "fcmp ogt" : is_signed ? "icmp sgt" : "icmp ugt");
    case Op::ge: return two(floats ? "fcmp oge" : is_signed ? "icmp sge" : "icmp uge");
    default: return {};
  }
}

std::string Operation::converted() {
  const std::string target = w_.type(to_, vector_);
  const auto by = [&](const char* instruction) {
    return w_.define({std::string(instruction), " ", type_, " ", a_, " to ", target});
  };
  if (to_ == Scalar::boolean) return two(ir::is_float(from_) ? "fcmp une" : "icmp ne", a_, value(0));
  if (ir::is_float(from_) && ir::is_float(to_)) return by(to_ == Scalar::f64 ? "fpext" : "fptrunc");
  if (ir::is_float(to_)) return by(ir::is_signed(from_) ? "sitofp" : "uitofp");
  if (ir::is_float(from_)) {
    const std::string full =
        "@llvm.fpto" + std::string(ir::is_signed(to_) ? "si" : "ui") + ".sat." + suffix(to_) + "." + suffix_;
    declared_.insert("declare " + target + " " + full + "(" + type_ + ")");
    return w_.define({"call ", target, " ", full, "(", type_, " ", a_, ")"});
  }
  if (ir::bits(to_) == ir::bits(from_)) return a_;
  if (ir::bits(to_) < ir::bits(from_)) return by("trunc");
  return by(ir::is_signed(from_) ? "sext" : "zext");
}

}  // namespace

namespace {

// On halves: computed as floats. Signs are bits, so that a NaN keeps its own.
std::string write_half(Writer& writer, Op op, Scalar from, Scalar to, bool vector,
                       const std::array<std::string, 3>& operands, std::set<std::string>& declared) {
  if (op == Op::negate || op == Op::abs) {
    return writer.define({(op == Op::abs ? "and " : "xor "), writer.type(from, vector), " ", operands[0],
                          ", ", writer.constant(Scalar::u16, op == Op::abs ? 0x7fff : 0x8000, vector)});
  }
  if (op == Op::convert && from == Scalar::f64)
    return narrow_to_half(writer, operands[0], Scalar::f64, vector);
  std::array<std::string, 3> widened = operands;
  for (std::string& operand : widened) {
    if (from == Scalar::f16 && !operand.empty()) operand = widen_half(writer, operand, vector);
  }
  const Scalar middle = to == Scalar::f16 ? Scalar::f32 : to;
  const std::string made = write_operation(writer, op, from == Scalar::f16 ? Scalar::f32 : from, middle,
                                           vector, widened, false, declared);
  return to == Scalar::f16 ? narrow_to_half(writer, made, Scalar::f32, vector) : made;
}

// On vectors of one lane: as scalars, since LLVM 15 ends the process over some of their operations.
std::string write_one_lane(Writer& writer, Op op, Scalar from, Scalar to,
                           const std::array<std::string, 3>& operands, bool scalar_condition,
                           std::set<std::string>& declared) {
  std::array<std::string, 3> scalars = operands;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const bool is_condition = op == Op::select && i == 0;
    if (scalars[i].empty() || (is_condition && scalar_condition)) continue;
    const Scalar type = is_condition ? Scalar::boolean : op == Op::select ? to : from;
    scalars[i] = writer.define({"extractelement ", writer.type(type, true), " ", scalars[i], ", i64 0"});
  }
  const std::string made = write_operation(writer, op, from, to, false, scalars, true, declared);
  return writer.define(
      {"insertelement ", writer.type(to, true), " poison, ", writer.type(to, false), " ", made, ", i64 0"});
}

}  // namespace

std::string write_operation(Writer& writer, Op op, Scalar from, Scalar to, bool vector,
                            const std::array<std::string, 3>& operands, bool scalar_condition,
                            std::set<std::string>& declared) {
  if (vector && writer.width() == 1)
    return write_one_lane(writer, op, from, to, operands, scalar_condition, declared);
  const std::string target = writer.type(to, vector);
  if (op == Op::select) {
    return writer.define({"select ", writer.type(Scalar::boolean, vector && !scalar_condition), " ",
                          operands[0], ", ", target, " ", operands[1], ", ", target, " ", operands[2]});
  }
  if (op == Op::bitcast) {
    const std::string type = writer.type(from, vector);
    return type == target ? operands[0] : writer.define({"bitcast ", type, " ", operands[0], " to ", target});
  }
  if (op == Op::convert && from == to) return operands[0];
  if (from == Scalar::f16 || to == Scalar::f16)
    return write_half(writer, op, from, to, vector, operands, declared);
  Operation operation(writer, from, to, vector, operands, declared);
  if (op == Op::convert) return operation.converted();
  if (op >= Op::eq && op <= Op::ge) return operation.compared(op);
  if (ir::is_float(from)) return operation.floating(op);
  return from == Scalar::boolean ? operation.boolean(op) : operation.integer(op);
}

}  // namespace collet::backend::cpu::native
