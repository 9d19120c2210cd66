// What the planted drivers do instead of their work. Each is compiled once per behaviour.
#pragma once

#include <unistd.h>

#include <cstdlib>

#define DRIVER_EXPORT extern "C" __attribute__((visibility("default")))

// Returns where the behaviour is another one.
inline void misbehave() {
#if defined(FAULT_CRASH) || defined(FAULT_LOAD)
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
#elif defined(FAULT_JUMP)
  void (*volatile nowhere)() = nullptr;
  nowhere();
#elif defined(FAULT_HANG)
  for (;;) pause();
#elif defined(FAULT_EXIT)
  std::exit(0);
#elif defined(FAULT_LEAVE)
  _exit(0);
#elif defined(FAULT_ABORT)
  std::abort();
#endif
}

#ifdef FAULT_LOAD
__attribute__((constructor)) static void when_loaded() { misbehave(); }
#endif
