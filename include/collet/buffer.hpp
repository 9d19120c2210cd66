// Memory of one device, seen as an array of T.
//
//   auto x = device.upload(data).value();
//   auto y = device.buffer<float>(n).value();      // zeroed
//   stream.copy(x.slice(0, 16), y.slice(16, 16));  // elements, not bytes
//
// Threads: a Buffer is a handle, one at a time; the memory behind it may be used by any number of streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "collet/detail/ref.hpp"

namespace collet {

template <class T>
class Buffer;

namespace detail {

struct BufferAccess;

// A part of a buffer in bytes, not yet checked against the buffer's size.
struct Range {
  const BufferState* buffer = nullptr;
  std::uint64_t first = 0;  // elements
  std::uint64_t count = 0;  // elements
  std::uint32_t element_size = 0;
};

COLLET_API const std::string& label(const BufferState& buffer);
// The same bytes in elements of another size. Where they make no whole number of them, first and count are
// kNoElements, which no buffer holds.
inline constexpr std::uint64_t kNoElements = ~std::uint64_t{0};
COLLET_API Range retyped(const Range& range, std::uint32_t element_size);
// Elements of two or three dimensions: how many there are along each, the slowest first, and how many
// elements one further is along each but the last.
template <int kDimensions>
struct Extents {
  std::array<std::uint32_t, kDimensions> size;
  std::array<std::uint32_t, kDimensions - 1> pitch;
};
// The part of the range that such elements reach. Where it has fewer, or they are more than 32 bits count,
// `first` is kNoElements.
COLLET_API Range shaped(const Range& range, std::span<const std::uint64_t> size,
                        std::span<const std::uint64_t> pitch);
// Whether the range lies inside its buffer.
COLLET_API bool is_inside(const Range& range);

}  // namespace detail

// A part of a Buffer. Does not own: valid while its Buffer lives. Its bounds are checked where it is used, so
// that making one never fails.
template <class T, int kDimensions = 1>
class View {
  static_assert(kDimensions == 1, "A View has one, two or three dimensions.");

 public:
  View(const Buffer<T>& buffer);  // NOLINT(google-explicit-constructor): the whole of it
  View(const Buffer<T>& buffer, std::uint64_t first, std::uint64_t count);

  std::uint64_t size() const { return range_.count; }
  const detail::Range& range() const { return range_; }

  // The same bytes as elements of type U: floats.as<std::uint32_t>(). Where they make no whole number of
  // them, using the view is an error.
  template <class U>
  View<U> as() const {
    return View<U>(detail::retyped(range_, sizeof(U)));
  }

  // The same elements as rows, or as planes of rows, for kernels that take In<T, 2> or In<T, 3>. A row begins
  // `pitch` elements after the one before, and a plane `plane_pitch`; 0: where that ends. Where it needs more
  // elements than there are, using the view is an error.
  View<T, 2> as_rows(std::uint64_t rows, std::uint64_t columns, std::uint64_t pitch = 0) const {
    return View<T, 2>(range_, {rows, columns}, {pitch == 0 ? columns : pitch});
  }
  View<T, 3> as_planes(std::uint64_t planes, std::uint64_t rows, std::uint64_t columns,
                       std::uint64_t pitch = 0, std::uint64_t plane_pitch = 0) const {
    const std::uint64_t row = pitch == 0 ? columns : pitch;
    return View<T, 3>(range_, {planes, rows, columns}, {plane_pitch == 0 ? row * rows : plane_pitch, row});
  }

 private:
  template <class U, int>
  friend class View;
  friend struct detail::BufferAccess;
  explicit View(const detail::Range& range) : range_(range) {}

  detail::Range range_;
};

// Elements of a Buffer in rows, or in planes of rows; see View<T>::as_rows().
template <class T, int kDimensions>
  requires(kDimensions == 2 || kDimensions == 3)
class View<T, kDimensions> {
 public:
  const detail::Range& range() const { return range_; }
  const detail::Extents<kDimensions>& extents() const { return extents_; }

 private:
  template <class U, int>
  friend class View;
  View(const detail::Range& range, const std::array<std::uint64_t, kDimensions>& size,
       const std::array<std::uint64_t, kDimensions - 1>& pitch)
      : range_(detail::shaped(range, size, pitch)) {
    for (std::size_t i = 0; i < kDimensions; ++i) extents_.size[i] = static_cast<std::uint32_t>(size[i]);
    for (std::size_t i = 0; i + 1 < kDimensions; ++i)
      extents_.pitch[i] = static_cast<std::uint32_t>(pitch[i]);
  }

  detail::Range range_;
  detail::Extents<kDimensions> extents_;
};

// Moves; does not copy. Its memory lives until the work that uses it is done, even if the Buffer goes first.
// One that was moved from is like one that was made without a device.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "A Buffer holds trivially copyable types only.");
  static_assert(!std::is_same_v<T, bool>, "bool has no layout that every device shares; use std::uint8_t.");

 public:
  // Empty, of no device, until one is moved to it: work on it is refused.
  Buffer() : state_(detail::Ref<detail::BufferState>(detail::moved_from<detail::BufferState>())) {}
  Buffer(Buffer&& other) noexcept : state_(std::move(other.state_)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    const std::uint64_t count = std::exchange(other.count_, 0);
    state_ = std::move(other.state_);
    count_ = count;
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() = default;

  std::uint64_t size() const { return count_; }
  std::uint64_t bytes() const { return count_ * sizeof(T); }
  bool empty() const { return count_ == 0; }
  const std::string& label() const { return detail::label(*state_); }

  // The whole of it as elements of another type; see View::as().
  template <class U>
  View<U> as() const {
    return View<T>(*this).template as<U>();
  }
  // The whole of it in rows, or in planes of rows; see View::as_rows().
  View<T, 2> as_rows(std::uint64_t rows, std::uint64_t columns, std::uint64_t pitch = 0) const {
    return View<T>(*this).as_rows(rows, columns, pitch);
  }
  View<T, 3> as_planes(std::uint64_t planes, std::uint64_t rows, std::uint64_t columns,
                       std::uint64_t pitch = 0, std::uint64_t plane_pitch = 0) const {
    return View<T>(*this).as_planes(planes, rows, columns, pitch, plane_pitch);
  }
  // Elements [first, first + count).
  View<T> slice(std::uint64_t first, std::uint64_t count) const { return View<T>(*this, first, count); }

 private:
  friend class View<T>;
  friend class Device;
  friend struct detail::BufferAccess;
  Buffer(detail::Ref<detail::BufferState> state, std::uint64_t count)
      : state_(std::move(state)), count_(count) {}

  detail::Handle<detail::BufferState> state_;
  std::uint64_t count_ = 0;
};

namespace detail {

// Buffers of memory that the library has made.
struct BufferAccess {
  template <class T>
  static Buffer<T> make(Ref<BufferState> state, std::uint64_t count) {
    return Buffer<T>(std::move(state), count);
  }
  template <class T>
  static View<T> view(const Range& range) {
    return View<T>(range);
  }
};

}  // namespace detail

template <class T, int kDimensions>
View<T, kDimensions>::View(const Buffer<T>& buffer) : View(buffer, 0, buffer.size()) {}

template <class T, int kDimensions>
View<T, kDimensions>::View(const Buffer<T>& buffer, std::uint64_t first, std::uint64_t count)
    : range_{buffer.state_.get(), first, count, sizeof(T)} {}

}  // namespace collet
