// From text to code: parse, verify, optimise, hand over to LLVM's JIT.

#include "backends/cpu/native/code.hpp"

#include <cmath>
#include <cstring>
#include <vector>

namespace collet::backend::cpu::native {
namespace {

// Values of LLVM's enumerations.
constexpr int kOptimise = 2;
constexpr int kHurry = 0;
constexpr int kPositionIndependent = 2;
constexpr int kForJit = 1;
constexpr int kReturnStatus = 2;
constexpr std::uint8_t kExported = 1;
constexpr std::uint8_t kCallable = 4;

Error cannot_compile(const std::string& doing, const std::string& words) {
  return Error(ErrorCode::internal, Category::compilation, Cause::module_failed,
               "LLVM failed while " + doing + ": " + words);
}

struct Function {
  const char* name;
  void* address;
};

template <class Result, class... Arguments>
Function function(const char* name, Result (*address)(Arguments...)) {
  return {name, reinterpret_cast<void*>(address)};
}

// What LLVM's code may call: where the processor has no instruction, and where the interpreter calls the
// same.
#define COLLET_FLOAT1(name)                                       \
  function(#name "f", static_cast<float (*)(float)>(&std::name)), \
      function(#name, static_cast<double (*)(double)>(&std::name))
#define COLLET_FLOAT2(name)                                              \
  function(#name "f", static_cast<float (*)(float, float)>(&std::name)), \
      function(#name, static_cast<double (*)(double, double)>(&std::name))
std::vector<Function> functions() {
  return {COLLET_FLOAT1(sin),
          COLLET_FLOAT1(cos),
          COLLET_FLOAT1(tan),
          COLLET_FLOAT1(exp),
          COLLET_FLOAT1(exp2),
          COLLET_FLOAT1(log),
          COLLET_FLOAT1(log2),
          COLLET_FLOAT1(floor),
          COLLET_FLOAT1(ceil),
          COLLET_FLOAT1(trunc),
          COLLET_FLOAT1(nearbyint),
          COLLET_FLOAT1(sqrt),
          COLLET_FLOAT2(pow),
          COLLET_FLOAT2(fmod),
          function("fmaf", static_cast<float (*)(float, float, float)>(&std::fma)),
          function("fma", static_cast<double (*)(double, double, double)>(&std::fma)),
          function("memset", static_cast<void* (*)(void*, int, std::size_t)>(&std::memset)),
          function("memcpy", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memcpy)),
          function("memmove", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memmove))};
}
#undef COLLET_FLOAT1
#undef COLLET_FLOAT2

// LLVM's best allocator of registers takes a time that grows as the square of the code's length.
constexpr std::size_t kLongText = 300'000;

LLVMTargetMachineRef make_target(const Llvm& llvm, const Machine& machine, int level) {
  char* triple = llvm.LLVMGetDefaultTargetTriple();
  LLVMTargetRef found = nullptr;
  char* words = nullptr;
  LLVMTargetMachineRef made = nullptr;
  if (llvm.LLVMGetTargetFromTriple(triple, &found, &words) == 0) {
    made = llvm.LLVMCreateTargetMachine(found, triple, machine.cpu.c_str(), machine.features.c_str(), level,
                                        kPositionIndependent, kForJit);
  } else {
    llvm.LLVMDisposeMessage(words);
  }
  llvm.LLVMDisposeMessage(triple);
  return made;
}

}  // namespace

Error Code::error(LLVMErrorRef error, const char* doing) const {
  char* words = llvm_.LLVMGetErrorMessage(error);
  Error made = cannot_compile(doing, words);
  llvm_.LLVMDisposeErrorMessage(words);
  return made;
}

Code::~Code() {
  // Nobody can do anything about a failure to free.
  if (jit_ != nullptr) static_cast<void>(llvm_.LLVMOrcDisposeLLJIT(jit_));
  if (target_ != nullptr) llvm_.LLVMDisposeTargetMachine(target_);
}

Result<void> Code::start(const Machine& machine, std::size_t length) {
  const int level = length > kLongText ? kHurry : kOptimise;
  target_ = make_target(llvm_, machine, level);
  LLVMTargetMachineRef own = make_target(llvm_, machine, level);  // the builder takes it
  if (target_ == nullptr || own == nullptr) {
    if (own != nullptr) llvm_.LLVMDisposeTargetMachine(own);
    return cannot_compile("choosing a target", "it has none for " + machine.cpu);
  }
  LLVMOrcLLJITBuilderRef builder = llvm_.LLVMOrcCreateLLJITBuilder();
  llvm_.LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, llvm_.LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(own));
  if (LLVMErrorRef failed = llvm_.LLVMOrcCreateLLJIT(&jit_, builder)) {
    jit_ = nullptr;
    return error(failed, "starting its JIT");
  }
  return define_functions();
}

Result<void> Code::define_functions() {
  std::vector<LLVMOrcCSymbolMapPair> symbols;
  for (const Function& one : functions()) {
    symbols.push_back({.Name = llvm_.LLVMOrcLLJITMangleAndIntern(jit_, one.name),
                       .Sym = {.Address = reinterpret_cast<std::uintptr_t>(one.address),
                               .Flags = {.GenericFlags = kExported | kCallable}}});
  }
  LLVMOrcMaterializationUnitRef unit = llvm_.LLVMOrcAbsoluteSymbols(symbols.data(), symbols.size());
  if (LLVMErrorRef failed = llvm_.LLVMOrcJITDylibDefine(llvm_.LLVMOrcLLJITGetMainJITDylib(jit_), unit))
    return error(failed, "naming functions");
  return {};
}

Result<void> Code::add(const std::string& text) {
  LLVMOrcThreadSafeContextRef shared = nullptr;
  LLVMContextRef context = nullptr;
  if (llvm_.share_context != nullptr) {
    context = llvm_.LLVMContextCreate();
    shared = llvm_.share_context(context);
  } else {
    shared = llvm_.new_shared_context();
    context = llvm_.context_of(shared);
  }
  const auto failed = [&](Error made) {
    llvm_.LLVMOrcDisposeThreadSafeContext(shared);
    return made;
  };
  LLVMModuleRef module = nullptr;
  char* words = nullptr;
  LLVMMemoryBufferRef buffer =
      llvm_.LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data(), text.size(), "kernel");
  if (llvm_.LLVMParseIRInContext(context, buffer, &module, &words) != 0) {
    Error made = cannot_compile("reading the kernel", words);
    llvm_.LLVMDisposeMessage(words);
    return failed(std::move(made));
  }
  llvm_.LLVMSetTarget(module, llvm_.LLVMOrcLLJITGetTripleString(jit_));
  llvm_.LLVMSetDataLayout(module, llvm_.LLVMOrcLLJITGetDataLayoutStr(jit_));
  const bool bad = llvm_.LLVMVerifyModule(module, kReturnStatus, &words) != 0;
  Error made = cannot_compile("verifying the kernel", bad ? words : "");
  llvm_.LLVMDisposeMessage(words);
  if (!bad) {
    LLVMPassBuilderOptionsRef options = llvm_.LLVMCreatePassBuilderOptions();
    LLVMErrorRef wrong = llvm_.LLVMRunPasses(module, llvm_.passes.c_str(), target_, options);
    llvm_.LLVMDisposePassBuilderOptions(options);
    if (wrong == nullptr) {
      LLVMOrcThreadSafeModuleRef safe = llvm_.LLVMOrcCreateNewThreadSafeModule(module, shared);
      llvm_.LLVMOrcDisposeThreadSafeContext(shared);  // the module keeps its own hold
      wrong = llvm_.LLVMOrcLLJITAddLLVMIRModule(jit_, llvm_.LLVMOrcLLJITGetMainJITDylib(jit_), safe);
      if (wrong != nullptr) return error(wrong, "taking the kernel");
      return {};
    }
    made = error(wrong, "optimising the kernel");
  }
  llvm_.LLVMDisposeModule(module);
  return failed(std::move(made));
}

Result<void> Code::find_entry() {
  std::uint64_t address = 0;
  if (LLVMErrorRef failed = llvm_.LLVMOrcLLJITLookup(jit_, &address, "kernel"))
    return error(failed, "making code");
  entry_ = reinterpret_cast<Entry>(address);
  return {};
}

Result<std::unique_ptr<const Code>> Code::compile(const Llvm& llvm, const Machine& machine,
                                                  const std::string& text) {
  std::unique_ptr<Code> code(new Code(llvm));
  COLLET_CHECK(code->start(machine, text.size()));
  COLLET_CHECK(code->add(text));
  COLLET_CHECK(code->find_entry());
  return std::unique_ptr<const Code>(std::move(code));
}

}  // namespace collet::backend::cpu::native
