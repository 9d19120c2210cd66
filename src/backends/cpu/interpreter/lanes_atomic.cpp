// Atomic operations, lane after lane. Other threads run other groups, so buffers need real ones; a group's
// own memory does not. All are relaxed: order is what fences and barriers are for.

#include <atomic>

#include "backends/cpu/interpreter/frame.hpp"
#include "backends/cpu/interpreter/handlers.hpp"

#if defined(__SANITIZE_THREAD__)
#define COLLET_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define COLLET_THREAD_SANITIZER
#endif
#endif

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Op;
using ir::Scalar;

// ThreadSanitizer does not know fences. To it, what the host reads behind an acquiring load of its own was
// written before the kernel's store where that one releases, and the other way round.
#ifdef COLLET_THREAD_SANITIZER
constexpr std::memory_order kLoad = std::memory_order_acquire, kStore = std::memory_order_release;
#else
constexpr std::memory_order kLoad = std::memory_order_relaxed, kStore = std::memory_order_relaxed;
#endif

// Each changes *at and gives what was there.
template <class F, class T, bool kShared>
T change(T* at, T a, T b) {
  if constexpr (kShared) {
    const std::atomic_ref<T> place(*at);
    T old = place.load(std::memory_order_relaxed);
    while (!place.compare_exchange_weak(old, F::of(old, a, b), std::memory_order_relaxed)) {
    }
    return old;
  } else {
    const T old = *at;
    *at = F::of(old, a, b);
    return old;
  }
}

template <class T>
using Unsigned = std::make_unsigned_t<T>;

struct Add {
  template <class T>
  static T of(T old, T a, T) {
    if constexpr (std::is_floating_point_v<T>)
      return old + a;
    else
      return static_cast<T>(static_cast<Unsigned<T>>(old) + static_cast<Unsigned<T>>(a));
  }
};
struct Subtract {
  template <class T>
  static T of(T old, T a, T) {
    if constexpr (std::is_floating_point_v<T>)
      return old - a;
    else
      return static_cast<T>(static_cast<Unsigned<T>>(old) - static_cast<Unsigned<T>>(a));
  }
};
struct Minimum {
  template <class T>
  static T of(T old, T a, T) {
    return a < old ? a : old;
  }
};
struct Maximum {
  template <class T>
  static T of(T old, T a, T) {
    return old < a ? a : old;
  }
};
struct And {
  template <class T>
  static T of(T old, T a, T) {
    return old & a;
  }
};
struct Or {
  template <class T>
  static T of(T old, T a, T) {
    return old | a;
  }
};
struct Xor {
  template <class T>
  static T of(T old, T a, T) {
    return old ^ a;
  }
};
struct Exchange {
  template <class T>
  static T of(T, T a, T) {
    return a;
  }
};
struct CompareExchange {
  template <class T>
  static T of(T old, T expected, T desired) {
    return old == expected ? desired : old;
  }
};

// atomic_add is what histograms and counters are made of: it gets the machine's own instruction.
template <class T>
T add_shared(T* at, T a, T) {
  return std::atomic_ref<T>(*at).fetch_add(a, std::memory_order_relaxed);
}

template <class T>
T load_shared(T* at, T, T) {
  return std::atomic_ref<T>(*at).load(kLoad);
}
template <class T>
T load_plain(T* at, T, T) {
  return *at;
}
template <class T>
T store_shared(T* at, T a, T) {
  std::atomic_ref<T>(*at).store(a, kStore);
  return 0;
}
template <class T>
T store_plain(T* at, T a, T) {
  *at = a;
  return 0;
}

// kResult: somebody may want what was there.
template <class T, T (*kChange)(T*, T, T), bool kResult>
void each_lane(Frame& frame, const Instruction& i) {
  const View view = frame.views[i.memory];
  const std::uint32_t* index = lanes<const std::uint32_t>(frame, i.a);
  const T* a = lanes<const T>(frame, i.b);
  const T* b = lanes<const T>(frame, i.c);
  T* to = lanes<T>(frame, i.to);
  const std::size_t step_index = step_of(i, Instruction::kA);
  const std::size_t step_a = step_of(i, Instruction::kB);
  const std::size_t step_b = step_of(i, Instruction::kC);
  const std::uint8_t* mask = frame.mask(i.mask);
  for (std::uint32_t l = 0; l < frame.count; ++l) {
    if (mask[l] == 0) continue;
    const std::uint32_t element = index[l * step_index];
    T old = 0;
    if (element < view.count) {
      T* at = reinterpret_cast<T*>(view.data + std::uint64_t{element} * i.stride + i.offset);
      old = kChange(at, a[l * step_a], b[l * step_b]);
    }
    if constexpr (kResult) to[l] = old;
  }
}

template <class T, bool kShared>
Handler find(Op op) {
  switch (op) {
    case Op::atomic_load: return each_lane < T, kShared ? load_shared<T> : load_plain<T>, true > ;
    case Op::atomic_store: return each_lane < T, kShared ? store_shared<T> : store_plain<T>, false > ;
    case Op::atomic_add: return each_lane < T, kShared ? add_shared<T> : change<Add, T, false>, true > ;
    case Op::atomic_sub: return each_lane<T, change<Subtract, T, kShared>, true>;
    case Op::atomic_min: return each_lane<T, change<Minimum, T, kShared>, true>;
    case Op::atomic_max: return each_lane<T, change<Maximum, T, kShared>, true>;
    case Op::atomic_and: return each_lane<T, change<And, T, kShared>, true>;
    case Op::atomic_or: return each_lane<T, change<Or, T, kShared>, true>;
    case Op::atomic_xor: return each_lane<T, change<Xor, T, kShared>, true>;
    case Op::atomic_exchange: return each_lane<T, change<Exchange, T, kShared>, true>;
    case Op::atomic_compare_exchange: return each_lane<T, change<CompareExchange, T, kShared>, true>;
    default: return nullptr;
  }
}

template <class T, bool kShared>
Handler find_float(Op op) {
  switch (op) {
    case Op::atomic_add: return each_lane<T, change<Add, T, kShared>, true>;
    case Op::atomic_sub: return each_lane<T, change<Subtract, T, kShared>, true>;
    case Op::atomic_min: return each_lane<T, change<Minimum, T, kShared>, true>;
    case Op::atomic_max: return each_lane<T, change<Maximum, T, kShared>, true>;
    case Op::atomic_exchange: return each_lane<T, change<Exchange, T, kShared>, true>;
    default: return nullptr;
  }
}

template <bool kShared>
Handler find_typed(Op op, Scalar type) {
  switch (type) {
    case Scalar::i32: return find<std::int32_t, kShared>(op);
    case Scalar::u32: return find<std::uint32_t, kShared>(op);
    case Scalar::i64: return find<std::int64_t, kShared>(op);
    case Scalar::u64: return find<std::uint64_t, kShared>(op);
    case Scalar::f32: return find_float<float, kShared>(op);
    case Scalar::f64: return find_float<double, kShared>(op);
    default: return nullptr;
  }
}

#ifdef COLLET_THREAD_SANITIZER
// For ThreadSanitizer, one changes an atomic that all of them share, which orders at least as much.
void fence(Frame&, const Instruction&) {
  static std::atomic<std::uint32_t> shared{0};
  shared.fetch_add(1, std::memory_order_seq_cst);
}
#else
void fence(Frame&, const Instruction&) { std::atomic_thread_fence(std::memory_order_seq_cst); }
#endif

}  // namespace

Handler find_atomic(Op op, Scalar type, bool shared) {
  return shared ? find_typed<true>(op, type) : find_typed<false>(op, type);
}

Handler find_fence() { return fence; }

}  // namespace collet::backend::cpu::interpreter
