// The instruction sets that loops over lanes are compiled for, beside what the whole library is compiled for.
//
// Only the function that holds the loop carries the attribute, and all it calls is either inlined or plain:
// no code for a newer machine can stand in for code that every machine runs.
#pragma once

#include "backends/cpu/interpreter/program.hpp"

#if defined(__GNUC__)
#define COLLET_INLINE [[gnu::always_inline]] inline
#else
#define COLLET_INLINE inline
#endif

// Says of the loop that follows that no lane depends on another, though registers may be the same.
#if defined(__clang__)
#define COLLET_LANES _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define COLLET_LANES _Pragma("GCC ivdep")
#elif defined(_MSC_VER)
#define COLLET_LANES __pragma(loop(ivdep))
#else
#define COLLET_LANES
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define COLLET_X86_LOOPS 1
#define COLLET_AVX2 [[gnu::target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")]]
#define COLLET_AVX512_FEATURES \
  "avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
#if defined(__clang__)
#define COLLET_AVX512 [[gnu::target(COLLET_AVX512_FEATURES), clang::min_vector_width(512)]]
#else
#define COLLET_AVX512 [[gnu::target(COLLET_AVX512_FEATURES ",prefer-vector-width=512")]]
#endif
#endif

namespace collet::backend::cpu::interpreter {

enum class Isa : std::uint8_t { portable, avx2, avx512 };

// The best that this machine has.
Isa find_isa();

// Body::run, which must be COLLET_INLINE, compiled for each.
template <class Body>
struct Compiled {
  static void portable(Frame& frame, const Instruction& i) { Body::run(frame, i); }
#if defined(COLLET_X86_LOOPS)
  COLLET_AVX2 static void avx2(Frame& frame, const Instruction& i) { Body::run(frame, i); }
  COLLET_AVX512 static void avx512(Frame& frame, const Instruction& i) { Body::run(frame, i); }
#endif

  static Handler pick(Isa isa) {
#if defined(COLLET_X86_LOOPS)
    if (isa == Isa::avx512) return avx512;
    if (isa == Isa::avx2) return avx2;
#endif
    static_cast<void>(isa);
    return portable;
  }
};

}  // namespace collet::backend::cpu::interpreter
