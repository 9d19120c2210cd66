// libFuzzer: what verify() accepts survives every pass, is emitted or refused by every emitter, and its
// SPIR-V is valid.

#include <cstdio>
#include <cstdlib>

#include "backends/common/spirv.hpp"
#include "backends/cpu/interpreter/run.hpp"
#include "backends/cpu/native/form.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/emit/messages.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

using namespace collet;

namespace {

// Larger kernels cost time and show nothing more.
constexpr std::size_t kMostNodes = 2000;
constexpr std::uint64_t kMostMemory = 1u << 16;  // elements, of one array

void expect(bool good, const char* what, const Error* error, const ir::Kernel& kernel) {
  if (good) return;
  std::fprintf(stderr, "%s: %s\n%s", what, error != nullptr ? error->describe().c_str() : "",
               ir::print(kernel).c_str());
  std::abort();
}

void expect(const Result<void>& result, const char* what, const ir::Kernel& kernel) {
  expect(static_cast<bool>(result), what, result ? nullptr : &result.error(), kernel);
}

void emit_all(const ir::Kernel& kernel, const emit::Target& target) {
  using backend::common::SpirvTarget;
  const auto refused = [&](const Result<emit::Emitted>& made) {
    if (made) return false;
    expect(made.error().code() == ErrorCode::unsupported, "refused without a reason", &made.error(), kernel);
    return true;
  };
  for (const auto emitter : {&emit::emit_opencl_c, &emit::emit_glsl_vulkan}) {
    const auto text = emitter(kernel, target);
    if (!refused(text)) expect(!text->bytes.empty(), "no text", nullptr, kernel);
  }
  for (const Format format :
       {Format::cuda, Format::hip, Format::glsl, Format::glsl_es, Format::wgsl, Format::msl}) {
    const auto text = emit::emit(format, kernel, emit::target_of_language(format));
    if (!refused(text)) expect(!text->bytes.empty(), "no text", nullptr, kernel);
  }
  const auto shader = emit::emit_spirv_shader(kernel, target);
  if (!refused(shader)) {
    expect(backend::common::validate_spirv(std::as_bytes(std::span(shader->bytes)), SpirvTarget::vulkan_1_2),
           "shader", kernel);
  }
  emit::Target with_il = target;
  with_il.int64_atomics = false;  // an extension of OpenCL that the validator does not know
  const auto spirv = emit::emit_spirv_kernel(kernel, with_il);
  if (!refused(spirv)) {
    expect(backend::common::validate_spirv(std::as_bytes(std::span(spirv->bytes)), SpirvTarget::opencl),
           "kernel", kernel);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto kernel = ir::parse({reinterpret_cast<const char*>(data), size});
  if (!kernel || !ir::verify(*kernel) || kernel->nodes.size() > kMostNodes) return 0;
  for (const ir::Memory& memory : kernel->memories) {
    if (memory.count > kMostMemory) return 0;
  }
  if (!kernel->messages.empty()) {
    kernel = emit::lower_messages(*kernel);
    if (!kernel) return 0;  // functions that print, called too often
    expect(ir::verify(*kernel), "lowered", *kernel);
  }
  const emit::Target rich{.name = "rich",
                          .int64 = true,
                          .float64 = true,
                          .int64_atomics = true,
                          .storage8 = true,
                          .storage16 = true,
                          .fused_multiply_add = true,
                          .device_fences = true,
                          .subgroups = true};
  emit_all(*kernel, rich);
  emit_all(*kernel, {.name = "poor"});
  const ir::Kernel guarded = emit::guard(*kernel);
  expect(ir::verify(guarded), "guarded", guarded);
  emit_all(guarded, rich);
  const auto program = backend::cpu::interpreter::lower(*kernel);
  expect(program || program.error().code() == ErrorCode::unsupported, "interpreter",
         program ? nullptr : &program.error(), *kernel);
  for (const auto& vectors : {backend::cpu::native::kScalar, backend::cpu::native::kAvx512}) {
    const auto native = backend::cpu::native::write_text(*kernel, vectors);
    expect(native || native.error().code() == ErrorCode::unsupported, "native",
           native ? nullptr : &native.error(), *kernel);
  }
  ir::Kernel folded = *kernel;
  ir::fold(folded);
  ir::compact(folded);
  expect(ir::verify(folded), "folded", folded);
  return 0;
}
