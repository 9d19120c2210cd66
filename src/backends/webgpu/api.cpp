// WebGPU: the table of entry points.

#include "backends/webgpu/api.hpp"

#include <cstring>

namespace collet::backend::webgpu {

Result<Api> load_api(const platform::Library& library) {
  Api wgpu;
  std::string missing;
#define COLLET_WGPU_LOAD(name, ...) \
  wgpu.name = reinterpret_cast<decltype(wgpu.name)>(library.symbol("wgpu" #name));
#define COLLET_WGPU_REQUIRE(name, ...) \
  COLLET_WGPU_LOAD(name)               \
  if (wgpu.name == nullptr) missing += (missing.empty() ? "wgpu" : ", wgpu") + std::string(#name);
  COLLET_WGPU_REQUIRED(COLLET_WGPU_REQUIRE)
  COLLET_WGPU_OPTIONAL(COLLET_WGPU_LOAD)
  COLLET_WGPU_DAWN(COLLET_WGPU_LOAD)
#undef COLLET_WGPU_REQUIRE
#undef COLLET_WGPU_LOAD
  if (missing.empty()) return wgpu;
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::symbol_missing,
               "The WebGPU library " + library.path() + " lacks functions of webgpu.h: " + missing + ".");
}

std::string library_name(const Api& wgpu) {
  if (wgpu.GetVersion == nullptr) return wgpu.DeviceTick != nullptr ? "Dawn" : "a webgpu.h library";
  const std::uint32_t version = wgpu.GetVersion();  // a byte for each part
  return "wgpu-native " + std::to_string(version >> 24) + "." + std::to_string(version >> 16 & 255) + "." +
         std::to_string(version >> 8 & 255);
}

std::string text(abi::StringView view) {
  if (view.data == nullptr) return {};
  const std::size_t length = view.length == abi::kUntilTerminator ? std::strlen(view.data) : view.length;
  return {view.data, length};
}

abi::StringView view(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace collet::backend::webgpu
