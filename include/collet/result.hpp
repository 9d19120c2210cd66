// A value or an Error. The names are std::expected's, which nvcc and older clang do not have.
//
//   auto device = collet::Device::open("vulkan:0");
//   if (!device) return report(device.error());
//   auto buffer = device->upload(data).value();  // throws collet::Exception on failure
//
// Threads: one at a time.
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "collet/error.hpp"

namespace collet {

// Thrown by Result::value() only; nothing inside Collet throws it.
class COLLET_API Exception : public std::exception {
 public:
  explicit Exception(Error error);
  ~Exception() override;
  const char* what() const noexcept override;
  const Error& error() const noexcept;

 private:
  Error error_;
  std::string text_;
};

namespace detail {
[[noreturn]] COLLET_API void throw_error(const Error& error);
}

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // Throw Exception when there is no value.
  T& value() & { return require(), std::get<0>(state_); }
  const T& value() const& { return require(), std::get<0>(state_); }
  T&& value() && { return require(), std::move(std::get<0>(state_)); }

  // Undefined when there is no value, as for a pointer.
  T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  template <class U>
  T value_or(U&& other) && {
    return has_value() ? std::move(*std::get_if<0>(&state_)) : static_cast<T>(std::forward<U>(other));
  }

  // Undefined when there is a value.
  const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  void require() const {
    if (!has_value()) detail::throw_error(error());
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (error_) detail::throw_error(*error_);
  }
  const Error& error() const noexcept { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace collet

// Returns the error of `expression` (a Result<void>) from the calling function, if there is one.
#define COLLET_CHECK(expression)                                                 \
  do {                                                                           \
    if (const auto& collet_checked = (expression); !collet_checked) [[unlikely]] \
      return collet_checked.error();                                             \
  } while (false)

// Declares `name` as the value of `expression` (a Result<T>), or returns its error.
#define COLLET_TRY(name, expression) \
  auto name##_result = (expression); \
  if (!name##_result) [[unlikely]]   \
    return name##_result.error();    \
  auto& name = *name##_result /* a reference: move from it at will */
