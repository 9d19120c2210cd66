// A kernel made from sources, one per language, and a C++ function for the CPU.
//
//   auto saxpy = collet::KernelSource<In<float>, InOut<float>, Value<float>, Count>("saxpy")
//                    .group(256)
//                    .opencl(kSaxpyCl)
//                    .spirv(kSaxpySpv)
//                    .cpu([](Item item, std::span<const float> x, std::span<float> y, float a, std::uint32_t)
//                    {
//                      y[item.x] = a * x[item.x] + y[item.x];
//                    })
//                    .kernel();
//   stream.launch(saxpy, n, x, y, 3.0f);
//
// docs/kernel_sources.md says how each language finds its arguments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "collet/arguments.hpp"
#include "collet/detail/parameters.hpp"
#include "collet/detail/ref.hpp"
#include "collet/grid.hpp"
#include "collet/options.hpp"

namespace collet {

// One item of a launch, on the CPU. x, y, z are global.
struct Item {
  std::uint64_t x = 0, y = 0, z = 0;
  std::array<std::uint32_t, 3> local{};
};

// One workgroup of a launch, on the CPU. Between two calls of for_each() stands a barrier.
class Workgroup {
 public:
  explicit Workgroup(const backend::HostGroup& group) : group_(group) {}

  std::uint32_t id(std::size_t dimension = 0) const { return group_.id[dimension]; }
  std::uint32_t size(std::size_t dimension = 0) const { return group_.size[dimension]; }
  std::uint32_t count(std::size_t dimension = 0) const { return group_.count[dimension]; }

  // Calls body(Item) for every item of this group that exists; a ragged last group has fewer.
  template <class Body>
  void for_each(const Body& body) const {
    std::array<std::uint64_t, 3> first{};
    std::array<std::uint32_t, 3> last{};
    for (std::size_t d = 0; d < 3; ++d) {
      first[d] = std::uint64_t{group_.id[d]} * group_.size[d];
      const std::uint64_t left = group_.extent[d] > first[d] ? group_.extent[d] - first[d] : 0;
      last[d] = left < group_.size[d] ? static_cast<std::uint32_t>(left) : group_.size[d];
    }
    for (std::uint32_t z = 0; z < last[2]; ++z) {
      for (std::uint32_t y = 0; y < last[1]; ++y) {
        for (std::uint32_t x = 0; x < last[0]; ++x) {
          body(Item{.x = first[0] + x, .y = first[1] + y, .z = first[2] + z, .local = {x, y, z}});
        }
      }
    }
  }

  // The group's own memory, as large as shared_bytes() asked for. Not cleared.
  template <class T>
  T* shared() const {
    return reinterpret_cast<T*>(group_.shared);
  }

 private:
  const backend::HostGroup& group_;
};

// Parts of Kernel::with().
struct SharedBytes {
  std::uint32_t bytes = 0;
};
constexpr SharedBytes shared_bytes(std::uint32_t bytes) { return {bytes}; }
// Where the kernel has no code for the open device, its CPU function runs instead, on the host and slowly.
// The receipt names it; strict mode refuses it.
struct CpuStandIn {};
constexpr CpuStandIn cpu_stand_in() { return {}; }

// Whether emitted text says in comments which line of the program its statements come from.
enum class Lines : std::uint8_t { hide, show };

// What a kernel is in another language.
struct KernelCode {
  Format format = Format::ir;
  std::string bytes;                  // text, or SPIR-V words
  std::vector<std::string> features;  // what it needs of a device: "64-bit integers"
};

namespace detail {

struct Declared {
  backend::Parameter parameter;
  int counted = -1;  // the dimension whose element count the launch fills in; -1 where the caller passes it
};

struct HostCode {
  backend::HostFunction function = nullptr;
  std::shared_ptr<const void> closure;
};

struct Code {
  Format format = Format::opencl_c;
  std::string bytes;
  std::string architecture;
};

// What makes one kernel different from another of the same code.
struct Shape {
  GroupSize group{{64, 1, 1}};
  std::uint32_t shared_bytes = 0;
  bool cpu_stand_in = false;
  CompileOptions options;

  void apply(GroupSize changed) { group = changed; }
  void apply(SharedBytes changed) { shared_bytes = changed.bytes; }
  void apply(CpuStandIn) { cpu_stand_in = true; }
  void apply(CompileOptions changed) { options = std::move(changed); }
};

class ModuleState;

COLLET_API Ref<KernelState> make_kernel(std::string name, Ref<ModuleState> module,
                                        std::vector<Declared> declared, HostCode host, Shape shape);
COLLET_API Ref<KernelState> vary(const KernelState& kernel, Shape shape);
COLLET_API const Shape& shape(const KernelState& kernel);
COLLET_API const std::string& name(const KernelState& kernel);
COLLET_API Result<KernelCode> emit_kernel(const KernelState& kernel, Format format, Lines lines);

template <class Arg>
constexpr int counted() {
  if constexpr (ArgumentTraits<Arg>::kPassed) {
    return -1;
  } else {
    return static_cast<int>(ArgumentTraits<Arg>::kCounted);
  }
}

// Gives the constants their C++ offsets.
constexpr void place_constants(std::span<Declared> declared) {
  ConstantPlaces places;
  for (Declared& one : declared) {
    backend::Parameter& parameter = one.parameter;
    if (parameter.kind == backend::Parameter::Kind::constant)
      parameter.offset = places.place(parameter.size, parameter.element_size);
  }
}

// The parameters of a signature.
template <class... Args>
constexpr std::array<Declared, sizeof...(Args)> declare() {
  std::array<Declared, sizeof...(Args)> declared{
      Declared{ArgumentTraits<Args>::parameter(), counted<Args>()}...};
  place_constants(declared);
  return declared;
}

// Calls `body` with what the host function's parameters are made of.
template <class... Args, class Body, std::size_t... kIndex>
void with_host_arguments(const backend::HostGroup& group, const Body& body, std::index_sequence<kIndex...>) {
  [[maybe_unused]] static constexpr auto kDeclared = declare<Args...>();
  [[maybe_unused]] static constexpr auto kBuffers = [] {
    std::array<std::uint32_t, sizeof...(Args)> index{};
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (kDeclared[i].parameter.kind == backend::Parameter::Kind::buffer) index[i] = next++;
    }
    return index;
  }();
  body(ArgumentTraits<Args>::host(group, kBuffers[kIndex], kDeclared[kIndex].parameter.offset)...);
}

}  // namespace detail

// Code that several kernels share: built once per device and options, whatever the number of entry points.
//
//   collet::Module module;
//   module.opencl(kAllKernels);
//   auto saxpy = collet::KernelSource<…>("saxpy", module).kernel();
//   auto dot = collet::KernelSource<…>("dot", module).kernel();
//
// Threads: one at a time while it is filled.
class COLLET_API Module {
 public:
  Module();
  explicit Module(std::string label);
  Module(const Module&);
  Module& operator=(const Module&);
  ~Module();

  Module& opencl(std::string_view text) { return add(Format::opencl_c, text); }
  Module& cuda(std::string_view text) { return add(Format::cuda, text); }
  Module& hip(std::string_view text) { return add(Format::hip, text); }
  Module& glsl(std::string_view text) { return add(Format::glsl, text); }
  Module& glsl_es(std::string_view text) { return add(Format::glsl_es, text); }
  Module& wgsl(std::string_view text) { return add(Format::wgsl, text); }
  Module& msl(std::string_view text) { return add(Format::msl, text); }
  // The module itself says whether it is of the shader (Vulkan) or the kernel (OpenCL, Level Zero) flavour.
  Module& spirv(std::span<const std::uint32_t> words);
  Module& spirv(std::span<const std::byte> bytes);
  // Prebuilt code, with the architecture that it was built for ("sm_75", "gfx1030", "apple7").
  Module& ptx(std::string_view text, std::string_view architecture) {
    return add(Format::ptx, text, architecture);
  }
  Module& cubin(std::span<const std::byte> bytes, std::string_view architecture);
  Module& hsaco(std::span<const std::byte> bytes, std::string_view architecture);
  Module& metallib(std::span<const std::byte> bytes, std::string_view architecture);

  Module& add(Format format, std::string_view code, std::string_view architecture = {});

  const detail::Ref<detail::ModuleState>& state() const { return state_; }

 private:
  detail::Ref<detail::ModuleState> state_;
};

// A kernel that takes Args. Traced or read once, compiled per device on first use or by Device::compile().
//
// Threads: a handle to immutable state; copies are cheap. One that was moved from has no name and does not
// compile.
template <class... Args>
class Kernel {
 public:
  explicit Kernel(detail::Ref<detail::KernelState> state) : state_(std::move(state)) {}

  const std::string& name() const { return detail::name(*state_); }

  // A variant: group(x, y, z), shared_bytes(n), cpu_stand_in(), CompileOptions{…}, in any order.
  template <class... Changes>
  [[nodiscard]] Kernel with(Changes... changes) const {
    detail::Shape shape = detail::shape(*state_);
    (shape.apply(std::move(changes)), ...);
    return Kernel(detail::vary(*state_, std::move(shape)));
  }

  // The kernel in another language, for a device that has every feature. Needs no device.
  Result<KernelCode> emit(Format format, Lines lines = Lines::hide) const {
    return detail::emit_kernel(*state_, format, lines);
  }

  const detail::Ref<detail::KernelState>& state() const { return state_; }

 private:
  detail::Handle<detail::KernelState> state_;
};

namespace detail {

// Kernel<Args…> without the arguments that a launch does not pass.
template <class Done, class... Rest>
struct Passed;
template <class... Done>
struct Passed<std::tuple<Done...>> {
  using Type = Kernel<Done...>;
};
template <class... Done, class First, class... Rest>
struct Passed<std::tuple<Done...>, First, Rest...>
    : std::conditional_t<ArgumentTraits<First>::kPassed, Passed<std::tuple<Done..., First>, Rest...>,
                         Passed<std::tuple<Done...>, Rest...>> {};

}  // namespace detail

// Collects a kernel's code in the languages that it exists in, once in each. Args is the signature, in the
// order of the kernel's own parameters. Moving one copies it.
template <class... Args>
class KernelSource {
  static_assert(((detail::kParameters<Args> == 1) && ...),
                "Buffers of two and three dimensions are for kernels in the kernel language.");

 public:
  using KernelType = typename detail::Passed<std::tuple<>, Args...>::Type;

  explicit KernelSource(std::string name) : name_(std::move(name)) {}
  // The kernel `name` of a module that other kernels use too.
  KernelSource(std::string name, const Module& module) : name_(std::move(name)), module_(module) {}
  KernelSource(const KernelSource&) = default;
  KernelSource& operator=(const KernelSource&) = default;
  ~KernelSource() = default;

  KernelSource& group(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
    return shape_.apply(collet::group(x, y, z)), *this;
  }
  KernelSource& shared_bytes(std::uint32_t bytes) { return shape_.apply(SharedBytes{bytes}), *this; }
  KernelSource& options(CompileOptions options) { return shape_.apply(std::move(options)), *this; }

  KernelSource& opencl(std::string_view text) { return module_.opencl(text), *this; }
  KernelSource& cuda(std::string_view text) { return module_.cuda(text), *this; }
  KernelSource& hip(std::string_view text) { return module_.hip(text), *this; }
  KernelSource& glsl(std::string_view text) { return module_.glsl(text), *this; }
  KernelSource& glsl_es(std::string_view text) { return module_.glsl_es(text), *this; }
  KernelSource& wgsl(std::string_view text) { return module_.wgsl(text), *this; }
  KernelSource& msl(std::string_view text) { return module_.msl(text), *this; }
  KernelSource& spirv(std::span<const std::uint32_t> words) { return module_.spirv(words), *this; }
  KernelSource& spirv(std::span<const std::byte> bytes) { return module_.spirv(bytes), *this; }
  KernelSource& ptx(std::string_view text, std::string_view architecture) {
    return module_.ptx(text, architecture), *this;
  }
  KernelSource& cubin(std::span<const std::byte> bytes, std::string_view architecture) {
    return module_.cubin(bytes, architecture), *this;
  }
  KernelSource& hsaco(std::span<const std::byte> bytes, std::string_view architecture) {
    return module_.hsaco(bytes, architecture), *this;
  }
  KernelSource& metallib(std::span<const std::byte> bytes, std::string_view architecture) {
    return module_.metallib(bytes, architecture), *this;
  }

  // The C++ function: body(Item, spans and values…), called once per item, or
  // body(const Workgroup&, spans and values…), called once per group, for kernels with barriers.
  // Called from several threads at once.
  template <class Body>
  KernelSource& cpu(Body body) {
    constexpr bool kPerItem =
        std::is_invocable_v<const Body&, Item, typename detail::ArgumentTraits<Args>::Host...>;
    constexpr bool kPerGroup =
        std::is_invocable_v<const Body&, const Workgroup&, typename detail::ArgumentTraits<Args>::Host...>;
    static_assert(
        kPerItem || kPerGroup,
        "A CPU function takes (Item or const Workgroup&, then one parameter per argument: std::span<const T> "
        "for In<T>, std::span<T> for Out<T> and InOut<T>, T for Value<T>, std::uint32_t for Count).");
    host_.closure = std::make_shared<const Body>(std::move(body));
    host_.function = [](const void* closure, const backend::HostGroup& group) {
      const Body& call = *static_cast<const Body*>(closure);
      const Workgroup workgroup(group);
      detail::with_host_arguments<Args...>(
          group,
          [&](const auto&... arguments) {
            if constexpr (kPerItem) {
              workgroup.for_each([&](const Item& item) { call(item, arguments...); });
            } else {
              call(workgroup, arguments...);
            }
          },
          std::index_sequence_for<Args...>{});
    };
    return *this;
  }

  KernelType kernel() const {
    static constexpr auto kDeclared = detail::declare<Args...>();
    return KernelType(
        detail::make_kernel(name_, module_.state(), {kDeclared.begin(), kDeclared.end()}, host_, shape_));
  }

 private:
  std::string name_;
  Module module_;
  detail::HostCode host_;
  detail::Shape shape_;
};

}  // namespace collet
