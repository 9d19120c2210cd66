// Functions of the kernel language that stay functions: code is written down once, however often it is
// called.
//
//   const auto mix = function("mix", [](Expr<float> a, Expr<float3> b) { return a * b; });
//   kernel("k", [&](InOut<float3> x) { x[global_id()] = mix(0.5f, x[global_id()]); });
//
// A function computes with its arguments, which are scalars and vectors, and gives one of these. It may call
// functions that were made before it, and no other. A lambda or C++ function that a kernel calls is not one:
// it is written down wherever it is called.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "collet/expression.hpp"

namespace collet {

namespace detail {

class TracedFunction;

// Scalars as functions take and give them: of 32 or 64 bits, or booleans.
template <class T>
using Passable = std::conditional_t<
    std::is_same_v<T, half>, float,
    std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4 && !std::is_same_v<T, bool>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>, T>>;

// The components of a value, each as it is passed.
template <class T>
std::vector<Traced> taken_apart(const Expr<T>& value) {
  using C = Component<T>;
  std::vector<Traced> parts;
  for (int i = 0; i < kWidth<T>; ++i) {
    Traced part = value.traced();
    if constexpr (kIsVector<T>)
      part = emit(ir::Op::extract, type_of<C>(), {part}, static_cast<std::uint64_t>(i));
    if constexpr (!std::is_same_v<C, Passable<C>>)
      part = emit(ir::Op::convert, type_of<Passable<C>>(), {part});
    parts.push_back(part);
  }
  return parts;
}

// A value of as many of `parts` as it has components, from the `first` on.
template <class T>
Expr<T> put_together(const std::vector<Traced>& parts, std::size_t first) {
  using C = Component<T>;
  const auto part = [&](std::size_t i) {
    if constexpr (std::is_same_v<C, Passable<C>>)
      return Expr<C>(parts[first + i]);
    else
      return Expr<C>(emit(ir::Op::convert, type_of<C>(), {parts[first + i]}));
  };
  if constexpr (kWidth<T> == 1)
    return part(0);
  else if constexpr (kWidth<T> == 2)
    return compose(part(0), part(1));
  else if constexpr (kWidth<T> == 3)
    return compose(part(0), part(1), part(2));
  else
    return compose(part(0), part(1), part(2), part(3));
}

// Runs `body` under a trace of its own, with the function's arguments; it gives the results.
COLLET_API std::shared_ptr<const TracedFunction> trace_function(
    std::string name, const std::vector<ir::Scalar>& arguments, const std::vector<ir::Scalar>& results,
    const std::function<std::vector<Traced>(const std::vector<Traced>&)>& body,
    const std::source_location& where);
// In the trace that is going on; as many results as asked for. Null is a function that is not made yet.
COLLET_API std::vector<Traced> call_function(const std::shared_ptr<const TracedFunction>& function,
                                             const std::vector<Traced>& arguments, std::size_t results);

template <class T>
void append_scalars(std::vector<ir::Scalar>& to) {
  to.insert(to.end(), static_cast<std::size_t>(kWidth<T>), type_of<Passable<Component<T>>>().scalar);
}

}  // namespace detail

// What function() gives. Copies are the same function.
template <class Result, class... Args>
class Function {
 public:
  // Not made yet: calling it is an error of the kernel.
  Function() = default;
  explicit Function(std::shared_ptr<const detail::TracedFunction> traced) : traced_(std::move(traced)) {}

  template <class... X>
    requires(sizeof...(X) == sizeof...(Args) && (detail::TracedOrConstant<X> && ...))
  Expr<Result> operator()(const X&... arguments) const {
    std::vector<detail::Traced> passed;
    const auto pass = [&](const std::vector<detail::Traced>& parts) {
      passed.insert(passed.end(), parts.begin(), parts.end());
    };
    (pass(detail::taken_apart(Expr<Args>(detail::traced<Args>(arguments)))), ...);
    constexpr auto kResults = static_cast<std::size_t>(detail::kWidth<Result>);
    return detail::put_together<Result>(detail::call_function(traced_, passed, kResults), 0);
  }

 private:
  std::shared_ptr<const detail::TracedFunction> traced_;
};

namespace detail {

template <class X>
struct FunctionValue {
  static_assert(kNever<X>, "A function takes Expr<T> and gives Expr<T>, of scalars and vectors.");
};
template <class T>
struct FunctionValue<Expr<T>> {
  static_assert(ScalarType<T>, "A function takes Expr<T> and gives Expr<T>, of scalars and vectors.");
  using Type = T;
};
template <class T>
struct FunctionValue<Var<T>> : FunctionValue<Expr<T>> {};

template <class Body>
struct TraceableFunction : TraceableFunction<decltype(&Body::operator())> {};
template <class Result, class... Args>
struct TraceableFunction<Result(Args...)> {
  template <class Body>
  static auto make(std::string name, const Body& body, const std::source_location& where) {
    using R = typename FunctionValue<std::remove_cvref_t<Result>>::Type;
    std::vector<ir::Scalar> arguments, results;
    (append_scalars<typename FunctionValue<std::remove_cvref_t<Args>>::Type>(arguments), ...);
    append_scalars<R>(results);
    const auto run = [&](const std::vector<Traced>& parts) {
      return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        constexpr std::array<std::size_t, sizeof...(Args) + 1> kWidths{
            static_cast<std::size_t>(kWidth<typename FunctionValue<std::remove_cvref_t<Args>>::Type>)..., 0};
        const auto first = [&](std::size_t of) {
          std::size_t sum = 0;
          for (std::size_t i = 0; i < of; ++i) sum += kWidths[i];
          return sum;
        };
        const Expr<R> given = body(std::remove_cvref_t<Args>(
            put_together<typename FunctionValue<std::remove_cvref_t<Args>>::Type>(parts, first(kIndex)))...);
        return taken_apart(given);
      }(std::index_sequence_for<Args...>{});
    };
    return Function<R, typename FunctionValue<std::remove_cvref_t<Args>>::Type...>(
        trace_function(std::move(name), arguments, results, run, where));
  }
};
template <class Class, class Result, class... Args>
struct TraceableFunction<Result (Class::*)(Args...) const> : TraceableFunction<Result(Args...)> {};
template <class Class, class Result, class... Args>
struct TraceableFunction<Result (Class::*)(Args...)> : TraceableFunction<Result(Args...)> {};
template <class Result, class... Args>
struct TraceableFunction<Result (*)(Args...)> : TraceableFunction<Result(Args...)> {};

}  // namespace detail

// Traces `body` now, on this thread. Never fails: a mistake in it is one of the kernels that call it.
template <class Body>
auto function(std::string name, const Body& body,
              const std::source_location& where = std::source_location::current()) {
  return detail::TraceableFunction<Body>::make(std::move(name), body, where);
}

}  // namespace collet
