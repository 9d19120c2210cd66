// OpenCL: programs from OpenCL C, SPIR-V and earlier builds.

#include <cstdint>

#include "backends/common/options.hpp"
#include "backends/common/spirv.hpp"
#include "backends/opencl/device.hpp"
#include "platform/platform.hpp"

namespace collet::backend::opencl {
namespace {

// PoCL links kernels by a program of its own and ends the process where that can't open its files.
constexpr std::uint32_t kFilesOfALinker = 16;

cl_program native(Program program) { return reinterpret_cast<cl_program>(program.id); }

bool is_identifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!good) return false;
  }
  return true;
}

// Whether `value` stays on its line and ends there.
bool is_one_line(std::string_view value) {
  if (value.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) return false;
  if (value.ends_with('\\')) return false;
  return value.find("/*") == std::string_view::npos;  // an open comment would swallow the source
}

// Defines stand as lines before the source: drivers disagree on how quotes and blanks pass through -D.
Result<std::string> define_lines(const CompileOptions& options) {
  std::string lines;
  for (const auto& [name, value] : options.defines) {
    if (!is_identifier(name)) {
      return Error(ErrorCode::invalid_argument, Category::compilation, Cause::module_failed,
                   "The define \"" + name + "\" is no identifier.");
    }
    if (!is_one_line(value)) {
      return Error(ErrorCode::invalid_argument, Category::compilation, Cause::module_failed,
                   "The value of the define " + name + " (" + std::to_string(value.size()) +
                       " characters) has a line break, a comment or a final backslash.");
    }
    lines.append("#define ").append(name).append(" ").append(value).append("\n");
  }
  if (!lines.empty()) lines += "#line 1\n";
  return lines;
}

struct Flags {
  std::string text;
  std::vector<std::string_view> honoured;  // options
};

Flags build_flags(const Candidate& candidate, const ProgramDesc& desc) {
  const CompileOptions& options = *desc.options;
  const bool nvidia = candidate.info.compute_capability.has_value();
  Flags flags;
  const auto pass = [&](const std::string& flag, std::string_view option) {
    flags.text += (flags.text.empty() ? "" : " ") + flag;
    flags.honoured.push_back(option);
  };
  if (desc.format == Format::opencl_c) {
    if (candidate.c_version != 0) {
      const std::string digits = std::to_string(candidate.c_version);
      pass(std::string("-cl-std=CL") + digits[0] + "." + digits[1], "");
    }
    pass("-cl-kernel-arg-info", "");  // create_kernel checks the signature with it
    flags.honoured.emplace_back("defines");
  }
  if (options.optimise == CompileOptions::Optimise::none) pass("-cl-opt-disable", "optimise");
  if (options.fast_math) pass("-cl-fast-relaxed-math", "fast_math");
  if (options.register_limit != 0 && nvidia)
    pass("-cl-nv-maxrregcount=" + std::to_string(options.register_limit), "register_limit");
  return flags;
}

}  // namespace

Result<cl_program> OpenClDevice::program_from_source(const ProgramDesc& desc) {
  COLLET_TRY(lines, define_lines(*desc.options));
  const char* texts[] = {lines.data(), reinterpret_cast<const char*>(desc.code.data())};
  const std::size_t sizes[] = {lines.size(), desc.code.size()};
  const cl_uint first = lines.empty() ? 1 : 0;  // a length of 0 would mean "up to the terminator"
  cl_int status = CL_SUCCESS;
  const cl_program program =
      cl_.clCreateProgramWithSource(context_, 2 - first, texts + first, sizes + first, &status);
  COLLET_CHECK(check(status, kMakeProgram));
  return program;
}

Result<cl_program> OpenClDevice::program_from_il(const ProgramDesc& desc) {
  COLLET_CHECK(common::validate_spirv(desc.code, common::SpirvTarget::opencl));
  auto create = candidate_.version >= 210 ? cl_.clCreateProgramWithIL : nullptr;
  if (create == nullptr) {
    create = reinterpret_cast<decltype(create)>(
        cl_.clGetExtensionFunctionAddressForPlatform(candidate_.platform, "clCreateProgramWithILKHR"));
  }
  if (create == nullptr) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::symbol_missing,
                 candidate_.info.id() + " claims to take SPIR-V but has no clCreateProgramWithILKHR.");
  }
  cl_int status = CL_SUCCESS;
  const cl_program program = create(context_, desc.code.data(), desc.code.size(), &status);
  COLLET_CHECK(check(status, kMakeProgram));
  return program;
}

std::string OpenClDevice::build_log(cl_program program) {
  return text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return cl_.clGetProgramBuildInfo(program, candidate_.device, CL_PROGRAM_BUILD_LOG, size, to, needed);
  });
}

Result<void> OpenClDevice::build(cl_program program, const ProgramDesc& desc, BuiltProgram& built) {
  if (!platform::can_open_files(kFilesOfALinker)) {
    return Error(ErrorCode::out_of_memory, Category::compilation, Cause::module_failed,
                 "This process may open fewer than " + std::to_string(kFilesOfALinker) +
                     " more files, which compilers of OpenCL need.")
        .with_hint("Raise the limit on open files (ulimit -n), or close some.");
  }
  const auto run = [&](const std::string& flags) {
    return cl_.clBuildProgram(program, 1, &candidate_.device, flags.c_str(), nullptr, nullptr);
  };
  Flags flags = build_flags(candidate_, desc);
  // No query tells whether a compiler knows -g, and they refuse it with different codes.
  const bool debug = desc.options->debug_info && desc.format == Format::opencl_c;
  cl_int status = debug ? run(flags.text + " -g") : CL_INVALID_BUILD_OPTIONS;
  if (status == CL_SUCCESS) {
    flags.honoured.emplace_back("debug_info");
  } else {
    status = run(flags.text);
  }
  built.ignored = common::ignored_options(*desc.options, flags.honoured);
  built.log = build_log(program);
  if (status == CL_SUCCESS) return {};

  const Error error = check(status, kBuild).error();
  const std::string said = built.log.empty() ? " The compiler says nothing."
                                             : " The compiler says:\n" + common::bounded(built.log);
  return Error(error.code(), error.category(), error.cause(), error.message() + said)
      .with_native(status, error.native_name());
}

Result<BuiltProgram> OpenClDevice::create_program(const ProgramDesc& desc) {
  const auto create = [&]() -> Result<cl_program> {
    switch (desc.format) {
      case Format::opencl_c: return program_from_source(desc);
      case Format::spirv_kernel: return program_from_il(desc);
      default:
        return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                     "OpenCL takes no " + std::string(to_string(desc.format)) + ".");
    }
  };
  const std::string doing = "making [Program \"" + std::string(desc.label) + "\"] on " + candidate_.info.id();
  const auto program = create();
  if (!program) return program.error().during(doing);

  BuiltProgram built{
      .program = Program{reinterpret_cast<std::uintptr_t>(*program)}, .log = {}, .ignored = {}};
  if (auto done = build(*program, desc, built); !done) {
    cl_.clReleaseProgram(*program);
    return health_.note(done.error().during(doing));
  }
  if (const std::string_view remark = common::spirv_remark();
      desc.format == Format::spirv_kernel && !remark.empty()) {
    built.log = std::string(remark) + (built.log.empty() ? "" : "\n") + built.log;
  }
  return built;
}

void OpenClDevice::destroy_program(Program program) { cl_.clReleaseProgram(native(program)); }

}  // namespace collet::backend::opencl
