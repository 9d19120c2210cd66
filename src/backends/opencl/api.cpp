// OpenCL: the table of entry points, and questions to devices and platforms.

#include "backends/opencl/api.hpp"

#include <array>

namespace collet::backend::opencl {

// Drivers count the terminator, pad with several, or with blanks.
std::string trimmed(std::string text) {
  const std::size_t end = text.find('\0');
  if (end != std::string::npos) text.resize(end);
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

Result<Api> load_api(const platform::Library& library) {
  Api cl;
  std::string missing;
#define COLLET_CL_LOAD(name) cl.name = reinterpret_cast<decltype(cl.name)>(library.symbol(#name));
#define COLLET_CL_REQUIRE(name) \
  COLLET_CL_LOAD(name)          \
  if (cl.name == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(#name);
  COLLET_CL_REQUIRED(COLLET_CL_REQUIRE)
  COLLET_CL_OPTIONAL(COLLET_CL_LOAD)
#undef COLLET_CL_REQUIRE
#undef COLLET_CL_LOAD
  if (missing.empty()) return cl;
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::symbol_missing,
               "The OpenCL loader " + library.path() + " lacks functions of OpenCL 1.2: " + missing + ".");
}

std::uint32_t parse_version(std::string_view text) {
  for (const std::string_view prefix : {"OpenCL C ", "OpenCL "}) {
    if (!text.starts_with(prefix)) continue;
    const std::string_view digits = text.substr(prefix.size());
    const auto is_digit = [&](std::size_t at) {
      return at < digits.size() && digits[at] >= '0' && digits[at] <= '9';
    };
    if (!is_digit(0) || !is_digit(2) || digits[1] != '.') return 0;
    return static_cast<std::uint32_t>(digits[0] - '0') * 100 +
           static_cast<std::uint32_t>(digits[2] - '0') * 10;
  }
  return 0;
}

std::string device_text(const Api& cl, cl_device_id device, cl_device_info what) {
  return text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return cl.clGetDeviceInfo(device, what, size, to, needed);
  });
}

std::string platform_text(const Api& cl, cl_platform_id platform, cl_platform_info what) {
  return text_of([&](std::size_t size, void* to, std::size_t* needed) {
    return cl.clGetPlatformInfo(platform, what, size, to, needed);
  });
}

std::string loader_version(const platform::Library& library) {
  // cl_loader_info, which ocl-icd brought and the Khronos loader took over.
  using Ask = cl_int(CL_API_CALL*)(cl_uint what, std::size_t size, void* to, std::size_t* needed);
  constexpr cl_uint kVersion = 2;
  constexpr cl_uint kName = 3;
  using Find = void*(CL_API_CALL*)(const char* name);
  auto* ask = reinterpret_cast<Ask>(library.symbol("clGetICDLoaderInfoOCLICD"));
  auto* find = reinterpret_cast<Find>(library.symbol("clGetExtensionFunctionAddress"));
  if (ask == nullptr && find != nullptr) ask = reinterpret_cast<Ask>(find("clGetICDLoaderInfoOCLICD"));
  if (ask == nullptr) return {};
  std::string words;
  for (const cl_uint what : {kName, kVersion}) {
    std::array<char, 256> text{};
    if (ask(what, text.size() - 1, text.data(), nullptr) != CL_SUCCESS) continue;
    words += (words.empty() ? "" : " ") + trimmed(text.data());
  }
  return words;
}

bool has_extension(std::string_view list, std::string_view name) {
  for (std::size_t at = list.find(name); at != std::string_view::npos; at = list.find(name, at + 1)) {
    const bool starts = at == 0 || list[at - 1] == ' ';
    const std::size_t end = at + name.size();
    if (starts && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace collet::backend::opencl
