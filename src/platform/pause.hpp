// The pause of a thread that spins.
#pragma once

namespace collet::platform {

// Tells the core that the thread spins.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

}  // namespace collet::platform
