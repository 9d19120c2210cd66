// What kernels say to the program: lines, and that something is not as it should be.
//
//   print_("item {}: x = {:.3f}", i, x[i]);
//   assert_(x[i] > 0.0f, "x[{}] is {}", i, x[i]);
//
// Both work on every device, and cost nothing where a kernel has none. OpenOptions::print says where lines
// go.
#pragma once

#include <source_location>
#include <string_view>
#include <vector>

#include "collet/control.hpp"
#include "collet/function.hpp"

namespace collet {

namespace detail {

enum class MessageKind : std::uint8_t { print, assertion };

struct MessagePlace {
  std::string_view text;
  std::source_location where;
};

// Each value by its components.
COLLET_API void emit_message(MessageKind kind, const MessagePlace& place,
                             const std::vector<std::vector<Traced>>& values);

// Not defined: a text that leads here does not compile.
void the_text_has_another_number_of_fields_than_there_are_values();

// A text in quotes with as many fields as there are values, and where it stands.
template <class... Values>
class MessageText {
 public:
  template <std::size_t kSize>
  consteval MessageText(const char (&text)[kSize],
                        const std::source_location& where = std::source_location::current())
      : place_{std::string_view(text, kSize - 1), where} {
    std::size_t fields = 0;
    for (std::size_t i = 0; i + 1 < kSize; ++i) {
      if (text[i] != '{') continue;
      if (text[i + 1] == '{')
        ++i;
      else
        ++fields;
    }
    if (fields != sizeof...(Values)) the_text_has_another_number_of_fields_than_there_are_values();
  }

  const MessagePlace& place() const { return place_; }

 private:
  MessagePlace place_;
};

// What a message may tell: expressions, variables and elements of memory, and C++ constants.
template <class X>
std::vector<Traced> told(const X& value) {
  using T = typename TypeOf<X>::Type;
  const Traced found = traced<T>(value);
  if constexpr (std::is_enum_v<T>)
    return taken_apart(Expr<std::underlying_type_t<T>>(found));
  else
    return taken_apart(Expr<T>(found));
}

}  // namespace detail

// Writes a line, with the values in the place of the fields: {} as it is, {:8.3f} and its like as std::format
// has them. A vector is written as (x, y, z). A line has room for as much as OpenOptions::print_bytes leaves
// it; those that have none are counted. In a function(), the code of that stands wherever it is called.
template <class... X>
  requires(detail::TracedOrConstant<X> && ...)
void print_(detail::MessageText<std::type_identity_t<X>...> text, const X&... values) {
  detail::emit_message(detail::MessageKind::print, text.place(), {detail::told(values)...});
}

// Where `condition` does not hold for an item, Stream::wait() fails with ErrorCode::kernel_failed,
// Cause::assertion_failed, the place of the call, the item and the text; of several items one is told. The
// item goes on behind it, and so do all others: what the launch wrote is not to be relied on.
template <class C, class... X>
  requires(detail::Expression<C> && (detail::TracedOrConstant<X> && ...))
void assert_(const C& condition, detail::MessageText<std::type_identity_t<X>...> text, const X&... values) {
  const detail::Traced holds = detail::traced<bool>(condition);
  const detail::Traced fails = detail::emit(ir::Op::bit_not, {ir::Scalar::boolean}, {holds});
  const std::vector<std::vector<detail::Traced>> told{detail::told(values)...};
  detail::OpenBlock block;
  detail::emit_message(detail::MessageKind::assertion, text.place(), told);
  detail::emit_if(fails, block.end());
}

}  // namespace collet
