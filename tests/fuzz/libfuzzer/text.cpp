// libFuzzer: any text is parsed or refused; what verify() accepts prints and parses back to the same.

#include <cstdio>
#include <cstdlib>

#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

using namespace collet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto kernel = ir::parse({reinterpret_cast<const char*>(data), size});
  if (!kernel || !ir::verify(*kernel)) return 0;
  const std::string text = ir::print(*kernel);
  const auto again = ir::parse(text);
  if (!again || !ir::verify(*again) || ir::print(*again) != text) {
    std::fprintf(stderr, "It does not parse back: %s\n%s", again ? "" : again.error().message().c_str(),
                 text.c_str());
    std::abort();
  }
  return 0;
}
