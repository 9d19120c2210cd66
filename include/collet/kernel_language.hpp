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
#include <initializer_list>

#include "collet/control.hpp"
#include "collet/function.hpp"
#include "collet/functions.hpp"
#include "collet/items.hpp"
#include "collet/kernel.hpp"
#include "collet/matrix.hpp"
#include "collet/print.hpp"
#include "collet/table.hpp"

namespace collet {

namespace detail {

// A kernel's name, and those of its arguments; of none, or of each.
struct KernelNames {
  std::string kernel;
  std::vector<std::string> arguments = {};
};

// Runs `body` under a new trace. What goes wrong there is what compiling the kernel fails with. `sizes` says
// how many of what is declared each argument of the program is.
COLLET_API Ref<KernelState> trace_kernel(KernelNames names, std::vector<Declared> declared,
                                         const std::vector<ir::Type>& types,
                                         const std::vector<std::size_t>& sizes,
                                         const std::function<void()>& body);

template <class Arg>
struct TracedArgument {
  static constexpr bool kKnown = false;
};
template <class T, int kDimensions, template <class, int> class Buffer>
struct TracedArgument<Buffer<T, kDimensions>> {
  static constexpr bool kKnown = true;
  static constexpr ir::Type kType = type_of<Held<T>>();
};
template <class T>
struct TracedArgument<Value<T>> {
  static constexpr bool kKnown = true;
  static constexpr ir::Type kType = type_of<T>();
};
template <class Buffer>
struct TracedArgument<MayAlias<Buffer>> : TracedArgument<Buffer> {};

// The parameters of a traced kernel, and where each argument finds its own.
template <class... Flat>
struct TracedParameters;
template <class... Flat>
struct TracedParameters<std::tuple<Flat...>> {
  static constexpr auto kDeclared = declare<Flat...>();
  // Buffers and values are numbered apart, each in their order.
  static constexpr auto kNumbers = [] {
    std::array<std::uint32_t, sizeof...(Flat)> numbers{};
    std::uint32_t buffers = 0;
    std::uint32_t values = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = kDeclared[i].parameter.kind == backend::Parameter::Kind::buffer ? buffers++ : values++;
    }
    return numbers;
  }();
  static std::vector<ir::Type> types() { return {TracedArgument<Flat>::kType...}; }

  template <class Arg>
  static Arg make(std::size_t first) {
    if constexpr (kParameters<Arg> == 1)
      return Arg(argument(kNumbers[first]));
    else
      return Arg(argument(kNumbers[first]), argument(kNumbers[first + 1]));
  }
};

template <class Function>
struct Traceable : Traceable<decltype(&Function::operator())> {};
template <class Result, class... Args>
struct Traceable<Result(Args...)> {
  static_assert(std::is_void_v<Result>, "A kernel returns nothing; it writes to its buffers.");
  static_assert((TracedArgument<std::remove_cvref_t<Args>>::kKnown && ...),
                "A kernel's parameters are In<T>, Out<T>, InOut<T>, MayAlias<…> and Value<T>.");
  template <class Body>
  static auto make(KernelNames names, const Body& body, const std::source_location& where) {
    using Parameters = TracedParameters<FlatArguments<std::remove_cvref_t<Args>...>>;
    [[maybe_unused]] static constexpr auto kFirst = [] {
      const std::array<std::size_t, sizeof...(Args) + 1> counts{kParameters<std::remove_cvref_t<Args>>..., 0};
      std::array<std::size_t, sizeof...(Args) + 1> first{};
      for (std::size_t i = 0; i < sizeof...(Args); ++i) first[i + 1] = first[i] + counts[i];
      return first;
    }();
    const auto run = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      body(Parameters::template make<std::remove_cvref_t<Args>>(kFirst[kIndex])...);
    };
    return Kernel<std::remove_cvref_t<Args>...>(
        trace_kernel(std::move(names), {Parameters::kDeclared.begin(), Parameters::kDeclared.end()},
                     Parameters::types(), {kParameters<std::remove_cvref_t<Args>>...}, [&] {
                       trace_at(where);
                       run(std::index_sequence_for<Args...>{});
                     }));
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
auto kernel(std::string name, const Body& body,
            const std::source_location& where = std::source_location::current()) {
  detail::KernelNames names{.kernel = std::move(name)};
  return detail::Traceable<Body>::make(std::move(names), body, where);
}

// The same, with names of the arguments, all in their order, for messages and emitted code:
//   kernel("saxpy", {"x", "y", "a"}, [](In<float> x, InOut<float> y, Value<float> a) { … });
template <class Body>
auto kernel(std::string name, std::initializer_list<std::string_view> arguments, const Body& body,
            const std::source_location& where = std::source_location::current()) {
  detail::KernelNames names{.kernel = std::move(name), .arguments = {arguments.begin(), arguments.end()}};
  return detail::Traceable<Body>::make(std::move(names), body, where);
}

}  // namespace collet
