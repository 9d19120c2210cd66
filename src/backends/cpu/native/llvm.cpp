// Finds libLLVM and takes its functions. Two versions in one process do not meet: the library is opened
// apart.

#include "backends/cpu/native/llvm.hpp"

#include <memory>
#include <utility>

#include "base/lifetime.hpp"
#include "base/log.hpp"
#include "platform/platform.hpp"
#include "platform/trust.hpp"

namespace collet::backend::cpu::native {
namespace {

constexpr std::uint32_t kOldest = 15;  // the first with opaque pointers

Error cannot_use(const std::string& path, const std::string& why) {
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::library_not_found,
               path + " " + why + ".");
}

template <class Function>
void take(const platform::Library& library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(library.symbol(name));
}

// 15 does not say which it is, and is the only one that can choose between its two kinds of pointers without
// saying that.
std::uint32_t find_version(const platform::Library& library) {
  void (*ask)(unsigned*, unsigned*, unsigned*) = nullptr;
  take(library, "LLVMGetVersion", ask);
  if (ask == nullptr) return library.symbol("LLVMContextSetOpaquePointers") != nullptr ? kOldest : 0;
  unsigned major = 0;
  ask(&major, nullptr, nullptr);
  return major;
}

// A kernel comes as loops over vectors with nothing to vectorise, so that LLVM's own "default<O2>" takes
// three times as long as these and makes nothing faster.
std::string passes_of(std::uint32_t version) {
  const std::string scalars = version >= 16 ? "sroa<modify-cfg>" : "sroa";
  // From 18 on, the plain word ends the process where one round leaves something to do.
  const std::string combine = version >= 18 ? "instcombine<no-verify-fixpoint>" : "instcombine";
  return "cgscc(inline),function(" + scalars + ",early-cse<memssa>,simplifycfg," + combine +
         ",loop-mssa(licm),loop(loop-unroll-full)," + scalars + ",gvn,simplifycfg,adce),globaldce";
}

thread_local const std::string* compiled = nullptr;

// Others in this process may use the same library, and end it.
void say_last_words(const char* reason) {
  const std::string ours = compiled == nullptr
                               ? std::string()
                               : " while it compiles kernel \"" + *compiled +
                                     "\". COLLET_CPU_TIER=interpreter does without LLVM, and COLLET_LLVM "
                                     "names another version";
  base::log(LogLevel::error, "cpu", "LLVM ends this process" + ours + ". Its words: " + reason);
}

// Code is made for the processor that this program runs on, and for no other.
Result<void> initialise(const platform::Library& library) {
#if defined(__x86_64__) || defined(_M_X64)
  constexpr const char* kParts[] = {"LLVMInitializeX86TargetInfo", "LLVMInitializeX86Target",
                                    "LLVMInitializeX86TargetMC", "LLVMInitializeX86AsmPrinter"};
#elif defined(__aarch64__) || defined(_M_ARM64)
  constexpr const char* kParts[] = {"LLVMInitializeAArch64TargetInfo", "LLVMInitializeAArch64Target",
                                    "LLVMInitializeAArch64TargetMC", "LLVMInitializeAArch64AsmPrinter"};
#else
  constexpr const char* kParts[] = {"no code for this processor"};
#endif
  for (const char* part : kParts) {
    void (*start)() = nullptr;
    take(library, part, start);
    if (start == nullptr) return cannot_use(library.path(), std::string("has no ") + part);
    start();
  }
  return {};
}

Result<Llvm> open(const char* name) {
  COLLET_TRY(library, platform::Library::open(std::span(&name, 1), true));
  Llvm llvm;
  llvm.path = library.path();
  llvm.version = find_version(library);
  if (llvm.version < kOldest) return cannot_use(llvm.path, "is older than LLVM 15");
#define COLLET_LLVM(result, function, arguments) \
  take(library, #function, llvm.function);       \
  if (llvm.function == nullptr) return cannot_use(llvm.path, "has no " #function);
#include "backends/cpu/native/functions.inc"
#undef COLLET_LLVM
  take(library, "LLVMOrcCreateNewThreadSafeContext", llvm.new_shared_context);
  take(library, "LLVMOrcThreadSafeContextGetContext", llvm.context_of);
  take(library, "LLVMOrcCreateNewThreadSafeContextFromLLVMContext", llvm.share_context);
  if (llvm.share_context == nullptr && (llvm.new_shared_context == nullptr || llvm.context_of == nullptr))
    return cannot_use(llvm.path, "has no way to share a context that Collet knows");
  COLLET_CHECK(initialise(library));
  llvm.LLVMInstallFatalErrorHandler(&say_last_words);
  llvm.passes = passes_of(llvm.version);
  return llvm;
}

Error no_llvm(ErrorCode code, const std::string& why, const char* advice) {
  return Error(code, Category::initialisation, Cause::library_not_found, why).with_hint(advice);
}

const Llvm* keep(Llvm&& llvm) {
  base::renew_exit_handler();  // it waits for a kernel that is being compiled
  base::log(LogLevel::info, "cpu", describe(llvm));
  return new Llvm(std::move(llvm));  // outlives main on purpose
}

// A path is believed where nobody else could have put the file there; a name is the system loader's affair.
Result<Llvm> open_chosen(const std::string& chosen) {
  if (chosen.find('/') == std::string::npos) return open(chosen.c_str());
  COLLET_TRY(trusted, platform::trusted_path(chosen));
  return open(trusted.c_str());
}

Result<const Llvm*> find() {
  const std::string chosen = platform::environment("COLLET_LLVM").value_or("");
  if (chosen == "off")
    return no_llvm(ErrorCode::unavailable, "COLLET_LLVM is off, so that there is no native code.", "");
  if (!chosen.empty()) {
    auto opened = open_chosen(chosen);
    if (opened) return keep(*std::move(opened));
    return no_llvm(
        ErrorCode::invalid_argument,
        "COLLET_LLVM names a library (" + chosen + ") that Collet can't use: " + opened.error().message(),
        "Name a libLLVM 15 or newer that only root or you may write, or unset COLLET_LLVM.");
  }
  std::string words;
  for (const char* name : platform::library_names("llvm")) {
    auto opened = open(name);
    if (opened) return keep(*std::move(opened));
    words += (words.empty() ? "" : "; ") + std::string(opened.error().message());
  }
  return no_llvm(
      ErrorCode::unavailable,
      "There is no libLLVM that Collet can use: " + (words.empty() ? "this system names none." : words),
      "Install libLLVM 15 or newer (Debian: apt install libllvm19), or name one with COLLET_LLVM.");
}

}  // namespace

struct Compiling::Hold : base::HoldExit {};

Compiling::Compiling(const std::string& kernel) : hold_(std::make_unique<Hold>()) { compiled = &kernel; }
Compiling::~Compiling() { compiled = nullptr; }

Result<void> Compiling::allowed() const { return hold_->allowed(); }

std::string describe(const Llvm& llvm) {
  return "Kernels are compiled by LLVM " + std::to_string(llvm.version) + " (" + llvm.path + ").";
}

Result<const Llvm*> load_llvm() {
  static const auto* const found = new Result<const Llvm*>(find());
  return *found;
}

}  // namespace collet::backend::cpu::native
