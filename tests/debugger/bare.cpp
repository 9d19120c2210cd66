// A program whose library has no debug information, as when Collet was built for release.

#include <collet/result.hpp>

extern "C" [[gnu::noinline]] void stop_here() { asm volatile("" ::: "memory"); }

int main() {
  [[maybe_unused]] const collet::Error error(collet::ErrorCode::timeout, collet::Category::runtime,
                                             "It took too long.");
  [[maybe_unused]] const collet::Result<int> refused = error;
  [[maybe_unused]] const collet::Result<int> number = 7;
  stop_here();
  return 0;
}
