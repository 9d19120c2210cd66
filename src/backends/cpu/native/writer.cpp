// Spelling.

#include "backends/cpu/native/writer.hpp"

#include <algorithm>
#include <charconv>

namespace collet::backend::cpu::native {

using ir::Scalar;

std::string_view scalar_type(Scalar scalar) {
  switch (scalar) {
    case Scalar::none: return "void";
    case Scalar::boolean: return "i1";
    case Scalar::i8:
    case Scalar::u8: return "i8";
    case Scalar::i16:
    case Scalar::u16:
    case Scalar::f16: return "i16";
    case Scalar::i32:
    case Scalar::u32: return "i32";
    case Scalar::i64:
    case Scalar::u64: return "i64";
    case Scalar::f32: return "float";
    case Scalar::f64: return "double";
  }
  return "void";
}

std::optional<std::uint32_t> number(const std::string& operand) {
  std::uint32_t value = 0;
  const char* const end = operand.data() + operand.size();
  const auto [stop, wrong] = std::from_chars(operand.data(), end, value);
  if (wrong != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string Writer::vector_of(std::string_view element) const {
  return "<" + std::to_string(width_) + " x " + std::string(element) + ">";
}

std::string Writer::type(Scalar scalar, bool vector) const {
  return vector ? vector_of(scalar_type(scalar)) : std::string(scalar_type(scalar));
}

std::string Writer::constant(Scalar scalar, std::uint64_t bits, bool vector) const {
  if (vector && bits == 0) return "zeroinitializer";
  std::string one;
  switch (scalar) {
    case Scalar::boolean: one = bits != 0 ? "true" : "false"; break;
    case Scalar::f32: one = "bitcast (i32 " + std::to_string(bits) + " to float)"; break;
    case Scalar::f64: one = "bitcast (i64 " + std::to_string(bits) + " to double)"; break;
    default: one = std::to_string(bits); break;
  }
  if (!vector) return one;
  std::string all = "<";
  for (std::uint32_t i = 0; i < width_; ++i) {
    all += (i == 0 ? "" : ", ") + std::string(scalar_type(scalar)) + " " + one;
  }
  return all + ">";
}

std::string Writer::iota(std::uint32_t count, std::uint32_t most) {
  std::string all = "<";
  for (std::uint32_t i = 0; i < count; ++i)
    all += (i == 0 ? "i32 " : ", i32 ") + std::to_string(std::min(i, most));
  return all + ">";
}

std::string Writer::splat(std::string_view element, std::string_view value) {
  const std::string type = vector_of(element);
  const std::string one = define({"insertelement ", type, " poison, ", element, " ", value, ", i64 0"});
  return define(
      {"shufflevector ", type, " ", one, ", ", type, " poison, ", vector_of("i32"), " zeroinitializer"});
}

std::string Writer::word(std::string_view mask) {
  return define({"bitcast ", vector_of("i1"), " ", mask, " to ", word_type()});
}

std::string Writer::all_set(std::string_view mask) {
  return define({"icmp eq ", word_type(), " ", word(mask), ", -1"});
}

std::string vector_suffix(const Writer& writer, Scalar scalar) {
  const bool floats = scalar == Scalar::f32 || scalar == Scalar::f64;
  return "v" + std::to_string(writer.width()) + (floats ? "f" : "i") + std::to_string(ir::bits(scalar));
}

std::string Writer::define(std::initializer_list<std::string_view> right) {
  std::string name = "%v" + std::to_string(next_++);
  body_ += "  ";
  body_ += name;
  body_ += " = ";
  for (const std::string_view word : right) body_ += word;
  body_ += '\n';
  return name;
}

void Writer::line(std::initializer_list<std::string_view> words) {
  body_ += "  ";
  for (const std::string_view word : words) body_ += word;
  body_ += '\n';
}

void Writer::branch(const std::string& condition, const std::string& yes, const std::string& no) {
  line({"br i1 ", condition, ", label %", yes, ", label %", no});
}

void Writer::begin(const std::string& label) {
  body_ += label + ":\n";
  block_ = label;
}

void Writer::go_on_if(const std::string& condition, const std::string& elsewhere) {
  const std::string on = label();
  branch(condition, on, elsewhere);
  begin(on);
}

std::string Writer::room(const std::string& type, std::uint64_t count) {
  std::string name = "%r" + std::to_string(next_++);
  rooms_ += "  " + name + " = alloca " + type + ", i64 " + std::to_string(count) + ", align 128\n";
  return name;
}

}  // namespace collet::backend::cpu::native
