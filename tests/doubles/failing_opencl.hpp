// OpenCL's functions around a real driver's: each counts its calls, and fails where test::calls says so.
#pragma once

#include <type_traits>

#include "backends/opencl/api.hpp"
#include "doubles/failing_calls.hpp"

namespace collet::test {

#define COLLET_CL_TEXT(name) #name,
inline constexpr std::string_view kOpenClFunctions[] = {COLLET_CL_REQUIRED(COLLET_CL_TEXT)
                                                            COLLET_CL_OPTIONAL(COLLET_CL_TEXT)};
#undef COLLET_CL_TEXT

template <std::size_t kIndex, class R, class... A>
struct OpenClCall {
  static inline R(CL_API_CALL* real)(A...) = nullptr;

  static constexpr std::string_view kName = kOpenClFunctions[kIndex];

  static R CL_API_CALL call(A... arguments) {
    const bool failed = calls.fails(kIndex);
    if constexpr (kName.starts_with("clRelease")) {
      // What says that it failed has released it all the same: nobody can do anything about it.
      --calls.live;
      const R result = real(arguments...);
      return failed ? calls.code() : result;
    } else if constexpr (std::is_same_v<R, cl_int>) {
      if (failed) return calls.code();
      const R result = real(arguments...);
      if (result == CL_SUCCESS && (kName.starts_with("clRetain") || gives_event(arguments...))) ++calls.live;
      return result;
    } else if constexpr (kName.starts_with("clCreate")) {
      if (failed) {
        *std::get<sizeof...(A) - 1>(std::tie(arguments...)) = calls.code();
        return nullptr;
      }
      const R result = real(arguments...);
      if (result != nullptr) ++calls.live;
      return result;
    } else {
      return real(arguments...);  // it has no way to say that it failed
    }
  }

  static bool gives_event(A... arguments) {
    if constexpr (sizeof...(A) != 0) {
      const auto& last = std::get<sizeof...(A) - 1>(std::tie(arguments...));
      if constexpr (std::is_same_v<std::decay_t<decltype(last)>, cl_event*>) return last != nullptr;
    }
    return false;
  }
};

template <std::size_t kIndex, class R, class... A>
void put_before(R(CL_API_CALL*& function)(A...)) {
  if (function == nullptr) return;
  OpenClCall<kIndex, R, A...>::real = function;
  function = &OpenClCall<kIndex, R, A...>::call;
}

// The same functions, each of which may fail.
inline backend::opencl::Api failing(backend::opencl::Api api) {
  constexpr std::size_t kFirst = __COUNTER__ + 1;
#define COLLET_CL_FAILING(name) put_before<__COUNTER__ - kFirst>(api.name);
  COLLET_CL_REQUIRED(COLLET_CL_FAILING)
  COLLET_CL_OPTIONAL(COLLET_CL_FAILING)
#undef COLLET_CL_FAILING
  return api;
}

}  // namespace collet::test
