// The text of one function in LLVM's language, line by line.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::native {

// "i32", "float". f16 is kept as its bits; nothing computes with it.
std::string_view scalar_type(ir::Scalar scalar);

// The number that an operand writes, if it is one of 32 bits.
std::optional<std::uint32_t> number(const std::string& operand);

// Threads: one at a time.
class Writer {
 public:
  explicit Writer(std::uint32_t width) : width_(width) {}

  std::uint32_t width() const { return width_; }
  // "<16 x float>", or "float".
  std::string type(ir::Scalar scalar, bool vector) const;
  std::string vector_of(std::string_view element) const;
  // An operand of that value in every lane.
  std::string constant(ir::Scalar scalar, std::uint64_t bits, bool vector) const;
  // <i32 0, i32 1, ...>, of `count` lanes; those from `most` on are `most`.
  static std::string iota(std::uint32_t count, std::uint32_t most = 0xffffffffu);
  std::string iota() const { return iota(width_); }

  // Adds "%name = right" and gives the name.
  std::string define(std::initializer_list<std::string_view> right);
  std::string define(std::string_view right) { return define({right}); }
  void line(std::initializer_list<std::string_view> words);
  void line(std::string_view text) { line({text}); }

  // A vector of `value`, which is an `element`, in every lane.
  std::string splat(std::string_view element, std::string_view value);
  // Of a vector of booleans: its bits as a word, whose type is word_type(); whether all of them are set.
  std::string word_type() const { return "i" + std::to_string(width_); }
  std::string word(std::string_view mask);
  std::string all_set(std::string_view mask);

  std::string label() { return "b" + std::to_string(next_++); }
  void jump(const std::string& to) { line({"br label %", to}); }
  void branch(const std::string& condition, const std::string& yes, const std::string& no);
  // Goes on in the block of that name; the one before must have ended.
  void begin(const std::string& label);
  const std::string& block() const { return block_; }
  // Goes on where the condition holds; else it is `elsewhere` that runs.
  void go_on_if(const std::string& condition, const std::string& elsewhere);
  // Where the condition holds, what `body` writes runs first.
  template <class Body>
  void when(const std::string& condition, const Body& body);
  // What one of the two writes runs first. Gives the blocks that they end in.
  template <class Yes, class No>
  std::pair<std::string, std::string> either(const std::string& condition, const Yes& yes, const No& no);

  // Room for a value in the function's frame; it is there from the beginning.
  std::string room(const std::string& type, std::uint64_t count = 1);

  const std::string& body() const { return body_; }
  const std::string& rooms() const { return rooms_; }

 private:
  const std::uint32_t width_;
  std::uint64_t next_ = 0;
  std::string block_ = "entry";
  std::string body_;
  std::string rooms_;
};

template <class Body>
void Writer::when(const std::string& condition, const Body& body) {
  if (condition == "true") return body();
  const std::string end = label();
  go_on_if(condition, end);
  body();
  jump(end);
  begin(end);
}

template <class Yes, class No>
std::pair<std::string, std::string> Writer::either(const std::string& condition, const Yes& yes,
                                                   const No& no) {
  const std::string otherwise = label();
  const std::string end = label();
  go_on_if(condition, otherwise);
  yes();
  std::string yes_end = block();
  jump(end);
  begin(otherwise);
  no();
  std::string no_end = block();
  jump(end);
  begin(end);
  return {std::move(yes_end), std::move(no_end)};
}

// "v16f32", as intrinsics name their types.
std::string vector_suffix(const Writer& writer, ir::Scalar scalar);

}  // namespace collet::backend::cpu::native
