// The kinds of damage, drawn at random.

#include "fuzz/mutate.hpp"

#include <array>
#include <cctype>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

namespace collet::fuzz {
namespace {

// Where a limit may be, and beside it.
constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "7",
                                         "8",
                                         "15",
                                         "16",
                                         "31",
                                         "32",
                                         "63",
                                         "64",
                                         "65",
                                         "255",
                                         "256",
                                         "1023",
                                         "1024",
                                         "1025",
                                         "4096",
                                         "65535",
                                         "65536",
                                         "65537",
                                         "1048576",
                                         "1048577",
                                         "1073741824",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "4294967296",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "18446744073709551616"};

constexpr std::string_view kWords[] = {"u8",
                                       "i16",
                                       "u32",
                                       "i32",
                                       "u64",
                                       "f16",
                                       "f32",
                                       "f64",
                                       "bool",
                                       "u32x4",
                                       "f32x2",
                                       "in",
                                       "out",
                                       "inout",
                                       "may_alias",
                                       "buffer",
                                       "value",
                                       "workgroup",
                                       "item",
                                       "add",
                                       "sub",
                                       "mul",
                                       "div",
                                       "rem",
                                       "shl",
                                       "shr",
                                       "min",
                                       "max",
                                       "bit_and",
                                       "bit_not",
                                       "negate",
                                       "convert",
                                       "bitcast",
                                       "select",
                                       "lt",
                                       "eq",
                                       "load",
                                       "store",
                                       "atomic_add",
                                       "barrier",
                                       "if",
                                       "loop",
                                       "range",
                                       "break",
                                       "continue",
                                       "return",
                                       "variable",
                                       "get",
                                       "set",
                                       "fma",
                                       "sqrt",
                                       "global_id",
                                       "local_id",
                                       "length",
                                       "atomic_compare_exchange",
                                       "uniform",
                                       "subgroup_add",
                                       "subgroup_shuffle",
                                       "else",
                                       "continuing",
                                       "constant",
                                       "mul_high",
                                       "count_bits",
                                       "fence",
                                       "compose",
                                       "extract",
                                       "any",
                                       "group_count",
                                       "element_count"};

struct Span {
  std::size_t begin, end;
};

// Threads: one at a time.
class Damage {
 public:
  Damage(std::string text, std::uint64_t seed) : text_(std::move(text)), random_(seed) {}

  std::string run() {
    for (std::size_t left = 1 + below(4); left != 0; --left) one();
    return std::move(text_);
  }

 private:
  // A distribution of the library would give other numbers with another library.
  std::size_t below(std::size_t limit) {
    return limit == 0 ? 0 : static_cast<std::size_t>(random_() % limit);
  }

  template <class Belongs>
  std::vector<Span> spans(const Belongs& belongs) const {
    std::vector<Span> found;
    for (std::size_t at = 0; at < text_.size();) {
      std::size_t end = at;
      while (end < text_.size() && belongs(text_[end])) ++end;
      if (end != at) found.push_back({at, end});
      at = end + 1;
    }
    return found;
  }
  std::vector<Span> words() const {
    return spans([](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
  }
  std::vector<Span> numbers() const {
    std::vector<Span> found;
    for (const Span word : words()) {
      if (std::isdigit(static_cast<unsigned char>(text_[word.begin])) != 0) found.push_back(word);
    }
    return found;
  }
  std::vector<Span> lines() const {
    return spans([](char c) { return c != '\n'; });
  }

  Span any(const std::vector<Span>& of) { return of[below(of.size())]; }
  std::string copy(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  void put(Span where, std::string_view what) { text_.replace(where.begin, where.end - where.begin, what); }

  void one() {
    if (text_.empty() || words().empty() || numbers().empty()) return;
    switch (below(10)) {
      case 0: return byte();
      case 1: return put(any(words()), kWords[below(std::size(kWords))]);
      case 2: return put(any(words()), copy(any(words())));
      case 3:
      case 4: return put(any(numbers()), kNumbers[below(std::size(kNumbers))]);
      case 5:
      case 6: return put(any(numbers()), copy(any(numbers())));  // often one value for another
      case 7: return put(any(lines()), "");
      case 8: return text_.insert(any(lines()).begin, copy(any(lines())) + "\n"), void();
      default: return put(any(lines()), copy(any(lines())));
    }
  }

  void byte() {
    const std::size_t at = below(text_.size());
    switch (below(3)) {
      case 0: text_[at] = static_cast<char>(below(256)); break;
      case 1: text_.erase(at, 1); break;
      default: text_.insert(at, 1, static_cast<char>(below(256))); break;
    }
  }

  std::string text_;
  std::mt19937_64 random_;
};

}  // namespace

std::string mutate(const std::string& text, std::uint64_t seed) { return Damage(text, seed).run(); }

}  // namespace collet::fuzz
