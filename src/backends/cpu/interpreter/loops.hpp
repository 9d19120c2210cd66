// Loops over lanes that apply a function to each. A uniform register stands in for a varying one.
#pragma once

#include "backends/cpu/interpreter/frame.hpp"
#include "backends/cpu/interpreter/half.hpp"
#include "backends/cpu/interpreter/isa.hpp"

namespace collet::backend::cpu::interpreter {

// F::of(A) gives To.
template <class F, class To, class A>
struct Unary {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    const std::size_t width = width_of(frame, i);
    To* to = lanes<To>(frame, i.to);
    const A* a = lanes<const A>(frame, i.a);
    COLLET_LANES
    for (std::size_t n = 0; n < width; ++n) to[n] = F::of(a[n]);
  }
};

// F::of(A, A) gives To. Where both are uniform, so is the result, and their blocks are as good as lanes.
template <class F, class To, class A>
struct Binary {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    const std::size_t width = width_of(frame, i);
    To* to = lanes<To>(frame, i.to);
    const A* a = lanes<const A>(frame, i.a);
    const A* b = lanes<const A>(frame, i.b);
    const std::uint8_t both = i.wide & (Instruction::kA | Instruction::kB);
    if (both == Instruction::kA) {
      const A y = *b;
      COLLET_LANES
      for (std::size_t n = 0; n < width; ++n) to[n] = F::of(a[n], y);
    } else if (both == Instruction::kB) {
      const A x = *a;
      COLLET_LANES
      for (std::size_t n = 0; n < width; ++n) to[n] = F::of(x, b[n]);
    } else {
      COLLET_LANES
      for (std::size_t n = 0; n < width; ++n) to[n] = F::of(a[n], b[n]);
    }
  }
};

// F::of(A, B, B) gives To.
template <class F, class To, class A, class B>
struct Ternary {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    const std::size_t width = width_of(frame, i);
    To* to = lanes<To>(frame, i.to);
    const A* a = lanes<const A>(frame, i.a);
    const B* b = lanes<const B>(frame, i.b);
    const B* c = lanes<const B>(frame, i.c);
    switch (i.wide & (Instruction::kA | Instruction::kB | Instruction::kC)) {
      case Instruction::kA | Instruction::kB: {
        const B z = *c;
        COLLET_LANES
        for (std::size_t n = 0; n < width; ++n) to[n] = F::of(a[n], b[n], z);
        break;
      }
      case Instruction::kA | Instruction::kC: {
        const B y = *b;
        COLLET_LANES
        for (std::size_t n = 0; n < width; ++n) to[n] = F::of(a[n], y, c[n]);
        break;
      }
      case Instruction::kB | Instruction::kC: {
        const A x = *a;
        COLLET_LANES
        for (std::size_t n = 0; n < width; ++n) to[n] = F::of(x, b[n], c[n]);
        break;
      }
      case Instruction::kA: {
        const B y = *b;
        const B z = *c;
        COLLET_LANES
        for (std::size_t n = 0; n < width; ++n) to[n] = F::of(a[n], y, z);
        break;
      }
      case Instruction::kB: {
        const A x = *a;
        const B z = *c;
        COLLET_LANES
        for (std::size_t n = 0; n < width; ++n) to[n] = F::of(x, b[n], z);
        break;
      }
      case Instruction::kC: {
        const A x = *a;
        const B y = *b;
        COLLET_LANES
        for (std::size_t n = 0; n < width; ++n) to[n] = F::of(x, y, c[n]);
        break;
      }
      default:
        COLLET_LANES
        for (std::size_t n = 0; n < width; ++n) to[n] = F::of(a[n], b[n], c[n]);
        break;
    }
  }
};

}  // namespace collet::backend::cpu::interpreter
