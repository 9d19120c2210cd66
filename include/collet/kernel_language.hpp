// A kernel as a C++ function: traced once on the host, then compiled per device.
//
//   auto saxpy = collet::kernel("saxpy", [](In<float> x, InOut<float> y, Value<float> a) {
//     auto i = global_id();
//     y[i] = a * x[i] + y[i];
//   });
//   stream.launch(saxpy, n, x, y, 3.0f);
//
// docs/kernels.md is the manual of the language.
#pragma once

#include <functional>

#include "collet/control.hpp"
#include "collet/functions.hpp"
#include "collet/items.hpp"
#include "collet/kernel.hpp"
#include "collet/matrix.hpp"

namespace collet {

namespace detail {

// Runs `body` under a new trace. What goes wrong there is what compiling the kernel fails with.
COLLET_API Ref<KernelState> trace_kernel(std::string name, std::vector<Declared> declared,
                                         const std::vector<ir::Type>& types,
                                         const std::function<void()>& body);

template <class Arg>
struct TracedArgument {
  static_assert(kNever<Arg>, "A kernel's parameters are In<T>, Out<T>, InOut<T>, MayAlias<…> and Value<T>.");
};
template <class T, template <class> class Buffer>
struct TracedArgument<Buffer<T>> {
  static constexpr ir::Type kType = type_of<T>();
};
template <class T, template <class> class Buffer>
struct TracedArgument<MayAlias<Buffer<T>>> : TracedArgument<Buffer<T>> {};

// Buffers and values are numbered apart, each in their order.
template <class... Args>
constexpr std::array<std::uint32_t, sizeof...(Args)> numbered() {
  constexpr auto kDeclared = declare<Args...>();
  std::array<std::uint32_t, sizeof...(Args)> numbers{};
  std::uint32_t buffers = 0;
  std::uint32_t values = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = kDeclared[i].parameter.kind == backend::Parameter::Kind::buffer ? buffers++ : values++;
  }
  return numbers;
}

template <class Function>
struct Traceable : Traceable<decltype(&Function::operator())> {};
template <class Result, class... Args>
struct Traceable<Result(Args...)> {
  static_assert(std::is_void_v<Result>, "A kernel returns nothing; it writes to its buffers.");
  template <class Body>
  static auto make(std::string name, const Body& body) {
    static constexpr auto kDeclared = declare<std::remove_cvref_t<Args>...>();
    static constexpr auto kNumbers = numbered<std::remove_cvref_t<Args>...>();
    const auto run = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      body(std::remove_cvref_t<Args>(argument(kNumbers[kIndex]))...);
    };
    return Kernel<std::remove_cvref_t<Args>...>(
        trace_kernel(std::move(name), {kDeclared.begin(), kDeclared.end()},
                     {TracedArgument<std::remove_cvref_t<Args>>::kType...},
                     [&] { run(std::index_sequence_for<Args...>{}); }));
  }
};
template <class Class, class Result, class... Args>
struct Traceable<Result (Class::*)(Args...) const> : Traceable<Result(Args...)> {};
template <class Class, class Result, class... Args>
struct Traceable<Result (Class::*)(Args...)> : Traceable<Result(Args...)> {};
template <class Result, class... Args>
struct Traceable<Result (*)(Args...)> : Traceable<Result(Args...)> {};

}  // namespace detail

// Traces `body` now, on this thread; a kernel that `body` itself makes is one of its own. Never fails: a
// mistake in it is named when the kernel is compiled or launched. An exception of `body` goes on to the
// caller.
template <class Body>
auto kernel(std::string name, const Body& body) {
  return detail::Traceable<Body>::make(std::move(name), body);
}

}  // namespace collet
