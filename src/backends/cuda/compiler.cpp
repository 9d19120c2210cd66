#include "backends/cuda/compiler.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/common/check.hpp"
#include "backends/cuda/abi.hpp"
#include "base/log.hpp"
#include "platform/platform.hpp"

namespace collet::backend::cuda {

// clang-format off
#define COLLET_NVRTC_REQUIRED(X) \
  X(Version, CompilerStatus, int*, int*) \
  X(CreateProgram, CompilerStatus, CompilerProgram*, const char*, const char*, int, const char* const*, \
    const char* const*) \
  X(DestroyProgram, CompilerStatus, CompilerProgram*) \
  X(CompileProgram, CompilerStatus, CompilerProgram, int, const char* const*) \
  X(GetPTXSize, CompilerStatus, CompilerProgram, std::size_t*) \
  X(GetPTX, CompilerStatus, CompilerProgram, char*) \
  X(GetProgramLogSize, CompilerStatus, CompilerProgram, std::size_t*) \
  X(GetProgramLog, CompilerStatus, CompilerProgram, char*) \
  X(GetNumSupportedArchs, CompilerStatus, int*) \
  X(GetSupportedArchs, CompilerStatus, int*)
// clang-format on

struct Compiler::Functions {
#define COLLET_NVRTC_MEMBER(name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
  COLLET_NVRTC_REQUIRED(COLLET_NVRTC_MEMBER)
#undef COLLET_NVRTC_MEMBER
};

namespace {

struct NvrtcCodes {
  using Type = CompilerStatus;
  static constexpr std::string_view kApi = "NVRTC";
  static bool is_error(Type code) { return code != kCompiled; }
  static std::string_view name_of(Type code) {
    switch (code) {
      case kCompilerOutOfMemory: return "NVRTC_ERROR_OUT_OF_MEMORY";
      case kCompilerInvalidOption: return "NVRTC_ERROR_INVALID_OPTION";
      case kCompileError: return "NVRTC_ERROR_COMPILATION";
      default: return "a code that Collet does not know";
    }
  }
  static common::Meaning meaning_of(Type code) {
    switch (code) {
      case kCompilerOutOfMemory: return {ErrorCode::out_of_memory, Cause::other};
      case kCompilerInvalidOption: return {ErrorCode::invalid_argument, Cause::module_failed};
      case kCompileError: return {ErrorCode::build_failed, Cause::module_failed};
      default: return {};
    }
  }
};

constexpr common::Doing kCompile{"compiling CUDA C++", Category::compilation, Cause::module_failed};

Result<void> check_compiler(CompilerStatus status) { return common::check<NvrtcCodes>(status, kCompile); }

std::vector<std::string> arguments_of(int capability, const CompileOptions& options) {
  std::vector<std::string> all{"--gpu-architecture=compute_" + std::to_string(capability), "--std=c++17"};
  all.emplace_back(options.fast_math ? "--use_fast_math" : "--fmad=false");
  if (options.debug_info) all.emplace_back("--generate-line-info");
  if (options.register_limit != 0) all.push_back("--maxrregcount=" + std::to_string(options.register_limit));
  for (const auto& [name, value] : options.defines) {
    std::string define = "--define-macro=";
    define += name;
    define += '=';
    define += value;
    all.push_back(std::move(define));
  }
  return all;
}

}  // namespace

Result<const Compiler*> Compiler::load_now() {
  COLLET_TRY(library, platform::open_library("nvrtc"));
  static auto& functions = *new Functions;
  std::string missing;
#define COLLET_NVRTC_LOAD(name, ...)                                                          \
  functions.name = reinterpret_cast<decltype(functions.name)>(library.symbol("nvrtc" #name)); \
  if (functions.name == nullptr) missing += (missing.empty() ? "nvrtc" : ", nvrtc") + std::string(#name);
  COLLET_NVRTC_REQUIRED(COLLET_NVRTC_LOAD)
#undef COLLET_NVRTC_LOAD
  if (!missing.empty()) {
    return Error(ErrorCode::unavailable, Category::initialisation, Cause::symbol_missing,
                 "The compiler " + library.path() + " lacks functions: " + missing + ".");
  }
  auto* made = new Compiler(functions);
  int major = 0;
  int minor = 0;
  int count = 0;
  COLLET_CHECK(check_compiler(functions.Version(&major, &minor)));
  COLLET_CHECK(check_compiler(functions.GetNumSupportedArchs(&count)));
  made->capabilities_.resize(static_cast<std::size_t>(std::max(count, 0)));
  COLLET_CHECK(check_compiler(functions.GetSupportedArchs(made->capabilities_.data())));
  made->name_ = "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
  base::log(LogLevel::info, "cuda", made->name_ + " (" + library.path() + ") compiles kernels.");
  return made;
}

Result<const Compiler*> Compiler::load() {
  static std::mutex mutex;
  static const Compiler* loaded = nullptr;  // guarded by mutex
  const std::lock_guard lock(mutex);
  if (loaded == nullptr) {
    COLLET_TRY(made, load_now());
    loaded = made;
  }
  return loaded;
}

Result<Compiled> Compiler::compile(std::string_view code, std::string_view label, int capability,
                                   const CompileOptions& options) const {
  const auto above = std::ranges::upper_bound(capabilities_, capability);
  if (above == capabilities_.begin()) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 name_ + " compiles for no device as old as compute capability " +
                     std::to_string(capability / 10) + "." + std::to_string(capability % 10) + ".")
        .with_hint("Install an older NVRTC, or bring PTX along.");
  }
  const std::vector<std::string> texts = arguments_of(*(above - 1), options);
  std::vector<const char*> arguments;
  arguments.reserve(texts.size());
  for (const std::string& text : texts) arguments.push_back(text.c_str());

  CompilerProgram program = nullptr;
  COLLET_CHECK(check_compiler(functions_.CreateProgram(&program, std::string(code).c_str(),
                                                       std::string(label).c_str(), 0, nullptr, nullptr)));
  const CompilerStatus status =
      functions_.CompileProgram(program, static_cast<int>(arguments.size()), arguments.data());
  Compiled compiled;
  const auto read = [&](auto size_of, auto get, std::string& to) -> Result<void> {
    std::size_t size = 0;  // with a terminator
    COLLET_CHECK(check_compiler(size_of(program, &size)));
    to.resize(size);
    COLLET_CHECK(check_compiler(get(program, to.data())));
    to.resize(size == 0 ? 0 : size - 1);
    return {};
  };
  auto done = read(functions_.GetProgramLogSize, functions_.GetProgramLog, compiled.log);
  if (done && status == kCompiled) done = read(functions_.GetPTXSize, functions_.GetPTX, compiled.ptx);
  functions_.DestroyProgram(&program);  // unchecked: it gives back
  COLLET_CHECK(done);
  if (auto built = check_compiler(status); !built) {
    return Error(built.error().code(), built.error().category(), built.error().cause(),
                 built.error().message() + " It says:\n" + common::bounded(compiled.log))
        .with_native(status, std::string(NvrtcCodes::name_of(status)));
  }
  return compiled;
}

}  // namespace collet::backend::cuda
