// Bits moved between formats.

#include "backends/cpu/native/halves.hpp"

namespace collet::backend::cpu::native {
namespace {

using ir::Scalar;

// Short words for operations on 32 bits. Threads: one at a time.
class Words {
 public:
  Words(Writer& writer, bool vector) : w_(writer), vector_(vector) {}

  std::string type(Scalar scalar) const { return w_.type(scalar, vector_); }
  std::string value(std::uint64_t bits) const { return w_.constant(Scalar::u32, bits, vector_); }
  std::string two(const char* name, const std::string& a, const std::string& b) {
    return w_.define({std::string(name), " ", type(Scalar::u32), " ", a, ", ", b});
  }
  std::string two(const char* name, const std::string& a, std::uint64_t b) { return two(name, a, value(b)); }
  std::string floats(const char* name, const std::string& a, std::uint64_t bits) {
    return w_.define(
        {std::string(name), " ", type(Scalar::f32), " ", a, ", ", w_.constant(Scalar::f32, bits, vector_)});
  }
  std::string choose(const std::string& condition, const std::string& yes, const std::string& no) {
    return w_.define({"select ", type(Scalar::boolean), " ", condition, ", ", type(Scalar::u32), " ", yes,
                      ", ", type(Scalar::u32), " ", no});
  }
  std::string change(const char* name, const std::string& value, Scalar from, Scalar to) {
    return w_.define({std::string(name), " ", type(from), " ", value, " to ", type(to)});
  }
  std::string as_float(const std::string& bits) { return change("bitcast", bits, Scalar::u32, Scalar::f32); }
  std::string as_bits(const std::string& value) { return change("bitcast", value, Scalar::f32, Scalar::u32); }

 private:
  Writer& w_;
  const bool vector_;
};

std::string narrow_bits(Words& w, const std::string& all) {
  const std::string rest = w.two("and", all, 0x7fffffffu);
  const std::string special =
      w.choose(w.two("icmp ugt", rest, 0x7f800000u), w.value(0x7e00), w.value(0x7c00));
  // Adding 0.5 leaves a subnormal's bits at the end of the mantissa, rounded.
  const std::string small =
      w.two("sub", w.as_bits(w.floats("fadd", w.as_float(rest), 0x3f000000u)), 0x3f000000u);
  const std::string odd = w.two("and", w.two("lshr", rest, 13), 1);
  const std::string rounded = w.two("add", w.two("add", rest, 0xc8000fffu), odd);  // - 0x38000000 + 0xfff
  const std::string normal = w.two("lshr", rounded, 13);
  const std::string finite = w.choose(w.two("icmp ult", rest, 0x38800000u), small, normal);
  const std::string found = w.choose(w.two("icmp uge", rest, 0x47800000u), special, finite);
  const std::string sign = w.two("and", w.two("lshr", all, 16), 0x8000);
  return w.change("trunc", w.two("or", found, sign), Scalar::u32, Scalar::u16);
}

}  // namespace

std::string widen_half(Writer& writer, const std::string& half, bool vector) {
  Words w(writer, vector);
  const std::string bits = w.change("zext", half, Scalar::u16, Scalar::u32);
  const std::string rest = w.two("and", bits, 0x7fff);
  const std::string sign = w.two("shl", w.two("and", bits, 0x8000), 16);
  const std::string moved = w.two("shl", rest, 13);
  // Moved into place, the exponent is short by 112, for subnormals too.
  const std::string finite = w.as_bits(w.floats("fmul", w.as_float(moved), 0x77800000u));
  const std::string quiet =
      w.choose(w.two("icmp ugt", rest, 0x7c00), w.value(0x7fc00000u), w.value(0x7f800000u));
  const std::string special = w.two("or", moved, quiet);
  const std::string found = w.choose(w.two("icmp uge", rest, 0x7c00), special, finite);
  return w.as_float(w.two("or", found, sign));
}

std::string narrow_to_half(Writer& writer, const std::string& value, Scalar from, bool vector) {
  Words w(writer, vector);
  if (from == Scalar::f32) return narrow_bits(w, w.as_bits(value));
  // Through a float that is rounded to odd, so that the second rounding sees what the first dropped.
  const std::string wide = w.type(Scalar::f64);
  const std::string mask = w.type(Scalar::boolean);
  const std::string near = w.change("fptrunc", value, Scalar::f64, Scalar::f32);
  const std::string bits = w.as_bits(near);
  const std::string back = w.change("fpext", near, Scalar::f32, Scalar::f64);
  const auto magnitude = [&](const std::string& number) {
    const std::string all = w.change("bitcast", number, Scalar::f64, Scalar::u64);
    const std::string rest = writer.define({"and ", w.type(Scalar::u64), " ", all, ", ",
                                            writer.constant(Scalar::u64, 0x7fffffffffffffffu, vector)});
    return w.change("bitcast", rest, Scalar::u64, Scalar::f64);
  };
  const std::string above = writer.define({"fcmp ogt ", wide, " ", magnitude(back), ", ", magnitude(value)});
  const std::string odd = w.two("or", w.choose(above, w.two("sub", bits, 1), bits), 1);
  const std::string differs = writer.define({"fcmp one ", wide, " ", back, ", ", value});  // not for NaN
  const std::string infinite = w.two("icmp eq", w.two("and", bits, 0x7fffffffu), 0x7f800000u);
  const std::string finite =
      writer.define({"xor ", mask, " ", infinite, ", ", writer.constant(Scalar::boolean, 1, vector)});
  const std::string inexact = writer.define({"and ", mask, " ", differs, ", ", finite});
  return narrow_bits(w, w.choose(inexact, odd, bits));
}

}  // namespace collet::backend::cpu::native
