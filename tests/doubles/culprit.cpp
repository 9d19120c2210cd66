// A library that does to its process what a bad driver does.

#include <cstdlib>

extern "C" {

__declspec(dllexport) void crash() { *static_cast<volatile int*>(nullptr) = 1; }

__declspec(dllexport) void jump() {
  void (*volatile nowhere)() = nullptr;
  nowhere();
  static volatile int after =
      0;  // so that the call above is no tail call, which leaves no trace of its caller
  after = after + 1;
}

__declspec(dllexport) void give_up() { std::abort(); }

__declspec(dllexport) void leave() { std::exit(0); }

__declspec(dllexport) void hang() {
  static volatile bool forever = true;
  while (forever) {
  }
}
}
