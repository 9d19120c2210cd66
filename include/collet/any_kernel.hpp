// A kernel whose arguments are known only when the program runs: one that is read from the text form of the
// kernel IR (docs/ir.md).
//
//   const auto kernel = collet::AnyKernel::parse(text).value();
//   const collet::AnyArgument arguments[] = {x, y, collet::AnyArgument::value(2.0f)};
//   stream.launch(kernel, n, arguments);
#pragma once

#include <cstring>
#include <vector>

#include "collet/buffer.hpp"
#include "collet/kernel.hpp"

namespace collet {

// What a launch of an AnyKernel passes: a buffer, or the bytes of a value.
class AnyArgument {
 public:
  template <class T>
  AnyArgument(const Buffer<T>& buffer) : range_(View<T>(buffer).range()) {}
  template <class T>
  AnyArgument(const View<T>& view) : range_(view.range()) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  static AnyArgument value(const T& value) {
    return AnyArgument(std::as_bytes(std::span(&value, 1)));
  }
  static AnyArgument value(std::span<const std::byte> bytes) { return AnyArgument(bytes); }

  const detail::Range& range() const { return range_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit AnyArgument(std::span<const std::byte> bytes) : bytes_(bytes.begin(), bytes.end()) {}

  detail::Range range_;
  std::vector<std::byte> bytes_;
};

// What a kernel asks for.
struct AnyParameter {
  std::string name;
  std::string type;  // "f32", "u32x4"; "" for a struct
  bool buffer = false;
  bool read = false, written = false;  // of a buffer
  std::uint32_t size = 0;              // bytes of an element, or of the value
};

// Threads: a handle to immutable state; copies are cheap. One that was moved from has no name and no
// parameters, and does not compile.
class COLLET_API AnyKernel {
 public:
  // Refuses what the verifier does not accept, by line and by node.
  static Result<AnyKernel> parse(std::string_view text);
  explicit AnyKernel(detail::Ref<detail::KernelState> state) : state_(std::move(state)) {}
  // A kernel of the kernel language; one made from sources has no parameters() to tell.
  template <class... Args>
  AnyKernel(const Kernel<Args...>& kernel) : state_(kernel.state()) {}

  const std::string& name() const { return detail::name(*state_); }
  const GroupSize& group() const { return detail::shape(*state_).group; }
  std::vector<AnyParameter> parameters() const;
  Result<KernelCode> emit(Format format, Lines lines = Lines::hide) const {
    return detail::emit_kernel(*state_, format, lines);
  }

  const detail::Ref<detail::KernelState>& state() const { return state_; }

 private:
  detail::Handle<detail::KernelState> state_;
};

}  // namespace collet
