// Control flow of the kernel language: functions over lambdas, which are traced once each.
//
//   if_(i < n, [&] { y[i] = 0.0f; }).else_([&] { … });
//   for_(0u, n, [&](Expr<std::uint32_t> k) { sum += x[k]; });
//   while_([&] { return a < b; }, [&] { a = a * 2; });
#pragma once

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
If if_(const C& condition, const Body& body) {
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
void for_(const A& begin, const B& end, const Body& body) {
  using T = typename detail::CounterType<A, B>::Type;
  const detail::Traced first = detail::traced<T>(begin);
  const detail::Traced last = detail::traced<T>(end);
  detail::range<T>(first, last, detail::constant<T>(1), body);
}
// body(k) for k = begin, begin + step, … below end; a step of 0 or less runs nothing.
template <class A, class B, class S, class Body>
void for_(const A& begin, const B& end, const S& step, const Body& body) {
  using T = typename detail::CounterType<A, B>::Type;
  const detail::Traced first = detail::traced<T>(begin);
  const detail::Traced last = detail::traced<T>(end);
  detail::range<T>(first, last, detail::traced<T>(step), body);
}

// `body` as long as condition() gives true, which is asked before each round.
template <class Condition, class Body>
void while_(const Condition& condition, const Body& body) {
  detail::OpenBlock block(true);
  const detail::Traced go = detail::traced<bool>(condition());
  detail::OpenBlock leave;
  detail::emit_jump(ir::Op::break_);
  const std::uint32_t left = leave.end();
  detail::emit_if(detail::emit(ir::Op::bit_not, {ir::Scalar::boolean}, {go}), left);
  body();
  detail::emit_loop(block.end());
}

// Leaves the innermost loop, goes on with its next round, or ends this item's part of the kernel.
inline void break_() { detail::emit_jump(ir::Op::break_); }
inline void continue_() { detail::emit_jump(ir::Op::continue_); }
inline void return_() { detail::emit_jump(ir::Op::return_); }

}  // namespace collet
