// Control flow of the kernel language: functions over lambdas, which are traced once each.
//
//   if_(i < n, [&] { y[i] = 0.0f; }).else_([&] { … });
//   for_(0u, n, [&](Expr<std::uint32_t> k) { sum += x[k]; });
//   while_([&] { return a < b; }, [&] { a = a * 2; });
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "collet/expression.hpp"

namespace collet {

// What if_() gives, for its else_(), which follows at once. The branch stands where if_() is written.
class [[maybe_unused]] If {
 public:
  explicit If(detail::Traced branch) : branch_(branch) {}
  If(const If&) = delete;
  If& operator=(const If&) = delete;

  template <class Body>
  void else_(const Body& body) && {
    detail::expect_else(branch_);
    detail::OpenBlock block;
    body();
    detail::set_else(branch_, block.end());
  }

 private:
  detail::Traced branch_;
};

// Traces `body`; it runs where `condition` holds.
template <class C, class Body>
  requires detail::Expression<C>
If if_(const C& condition, const Body& body,
       const std::source_location& where = std::source_location::current()) {
  detail::trace_at(where);
  const detail::Traced decided = detail::traced<bool>(condition);
  detail::OpenBlock block;
  body();
  return If(detail::emit_if(decided, block.end()));
}

namespace detail {

template <class T, class Body>
void range(Traced begin, Traced end, Traced step, const Body& body) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "for_ counts in integers of 32 or 64 bits.");
  const Traced counter = emit_range(type_of<T>(), begin, end, step);
  OpenBlock block(true);
  body(Expr<T>(counter));
  set_body(counter, block.end());
}

// The type that a loop counts in: that of its traced bound, or of the first constant.
template <class A, class B>
struct CounterType {
  using Type = A;
};
template <class A, class B>
  requires(Expression<A> || Expression<B>)
struct CounterType<A, B> {
  using Type = CommonScalar<A, B>;
};

}  // namespace detail

// body(k) for k = begin, begin + 1, … below end.
template <class A, class B, class Body>
  requires std::invocable<Body, Expr<typename detail::CounterType<A, B>::Type>>
void for_(const A& begin, const B& end, const Body& body,
          const std::source_location& where = std::source_location::current()) {
  detail::trace_at(where);
  using T = typename detail::CounterType<A, B>::Type;
  const detail::Traced first = detail::traced<T>(begin);
  const detail::Traced last = detail::traced<T>(end);
  detail::range<T>(first, last, detail::constant<T>(1), body);
}
// body(k) for k = begin, begin + step, … below end; a step of 0 or less runs nothing.
template <class A, class B, class S, class Body>
void for_(const A& begin, const B& end, const S& step, const Body& body,
          const std::source_location& where = std::source_location::current()) {
  detail::trace_at(where);
  using T = typename detail::CounterType<A, B>::Type;
  const detail::Traced first = detail::traced<T>(begin);
  const detail::Traced last = detail::traced<T>(end);
  detail::range<T>(first, last, detail::traced<T>(step), body);
}

// `body` as long as condition() gives true, which is asked before each round.
template <class Condition, class Body>
void while_(const Condition& condition, const Body& body,
            const std::source_location& where = std::source_location::current()) {
  detail::trace_at(where);
  detail::OpenBlock block(true);
  const detail::Traced go = detail::traced<bool>(condition());
  detail::OpenBlock leave;
  detail::emit_jump(ir::Op::break_);
  const std::uint32_t left = leave.end();
  detail::emit_if(detail::emit(ir::Op::bit_not, {ir::Scalar::boolean}, {go}), left);
  body();
  detail::emit_loop(block.end());
}

// One case of a switch_(): its labels, and what runs there.
template <class T, class Body>
struct Case {
  std::vector<T> labels;
  Body body;
};
// What runs where no label fits.
template <class Body>
struct Default {
  Body body;
};

template <class T, class Body>
Case<T, Body> case_(const T& label, const Body& body) {
  return {{label}, body};
}
template <class T, class Body>
Case<T, Body> case_(std::initializer_list<T> labels, const Body& body) {
  return {labels, body};
}
template <class Body>
Default<Body> default_(const Body& body) {
  return {body};
}

namespace detail {

template <class T, class Body>
void trace_cases(Traced, std::vector<T>&, const Default<Body>& last) {
  last.body();
}
template <class T, class C, class Body, class... Rest>
void trace_cases(Traced value, std::vector<T>& labels, const Case<C, Body>& first, const Rest&... rest) {
  Traced fits;
  for (const C& label : first.labels) {
    const Traced constant = traced<T>(label);
    const T known = static_cast<T>(label);
    if (std::ranges::find(labels, known) != labels.end()) {
      trace_error("A label of a switch_() stands there twice: " + number_text(known) + ".");
    }
    labels.push_back(known);
    const Traced same = emit(ir::Op::eq, {ir::Scalar::boolean}, {value, constant});
    fits = fits.id == ir::kNone ? same : emit(ir::Op::bit_or, {ir::Scalar::boolean}, {fits, same});
  }
  if (first.labels.empty()) {
    trace_error("A case_() has no label.");
    return;
  }
  OpenBlock block;
  first.body();
  const Traced branch = emit_if(fits, block.end());
  if constexpr (sizeof...(Rest) != 0) {
    OpenBlock otherwise;
    trace_cases(value, labels, rest...);
    set_else(branch, otherwise.end());
  }
}

}  // namespace detail

// The first case whose labels, constants all, have the value; no other runs, and break_() leaves the loop
// around it:
//
//   switch_(kind[i], case_(0u, [&] { … }), case_({1u, 2u}, [&] { … }), default_([&] { … }));
template <class X, class... Cases>
  requires(detail::Expression<X> && sizeof...(Cases) != 0)
void switch_(const X& value, const Cases&... cases) {
  using T = detail::ScalarOf<X>;
  static_assert((std::is_integral_v<T> || std::is_enum_v<T>) && !std::is_same_v<T, bool>,
                "switch_ is for integers and enums.");
  std::vector<T> labels;
  detail::trace_cases(detail::traced<T>(value), labels, cases...);
}

// Leaves the innermost loop, goes on with its next round, or ends this item's part of the kernel.
inline void break_() { detail::emit_jump(ir::Op::break_); }
inline void continue_() { detail::emit_jump(ir::Op::continue_); }
inline void return_() { detail::emit_jump(ir::Op::return_); }

}  // namespace collet
