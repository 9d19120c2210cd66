// A Vulkan device that takes GLSL and nothing else: glslang makes SPIR-V of it, which the real device runs.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "core/device_state.hpp"
#include "discovery/opening.hpp"
#include "layers/forwarding.hpp"
#include "platform/platform.hpp"

namespace collet::test {

// Threads: as the device inside; a program is built by one thread at a time in each folder.
class GlslDevice final : public layers::ForwardingDevice {
 public:
  explicit GlslDevice(std::unique_ptr<backend::Device> inside) : ForwardingDevice(std::move(inside)) {
    limits.formats = {Format::glsl_vulkan};
  }

  Result<backend::BuiltProgram> create_program(const backend::ProgramDesc& desc) override {
    COLLET_TRY(words, compiled(desc.code));
    backend::ProgramDesc made = desc;
    made.format = Format::spirv_shader;
    made.code = std::as_bytes(std::span(words));
    return ForwardingDevice::create_program(made);
  }

 private:
  static Result<std::string> compiled(std::span<const std::byte> text) {
    std::random_device random;
    const std::uint64_t number = std::uint64_t{random()} << 32 | random();
    const auto base = std::filesystem::temp_directory_path() / ("collet-glsl-" + std::to_string(number));
    const std::string from = base.string() + ".comp";
    const std::string to = base.string() + ".spv";
    std::ofstream(from, std::ios::binary)
        .write(reinterpret_cast<const char*>(text.data()), static_cast<std::streamsize>(text.size()));
    const std::vector<std::string> arguments{
        "glslangValidator", "--target-env", "vulkan1.1", "-V", from, "-o", to};
    COLLET_TRY(ended, platform::run_child("/usr/bin/env", arguments, {},
                                          Deadline::in(std::chrono::seconds(60)), 1 << 20));
    std::ifstream file(to, std::ios::binary);
    std::string words((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::filesystem::remove(to);
    if (ended.how != platform::Ended::How::exited || ended.code != 0 || words.empty()) {
      return Error(ErrorCode::build_failed, Category::compilation, Cause::module_failed,
                   "glslang refuses " + from + ": " + ended.output + ended.errors);
    }
    std::filesystem::remove(from);
    return words;
  }
};

inline Result<Device> open_through_glsl(const std::string& id, const OpenOptions& options = {}) {
  COLLET_TRY(selector, discovery::parse_selector(id));
  COLLET_TRY(native, discovery::open_named(selector, {}, discovery::this_machine()));
  auto wrapped = std::make_unique<GlslDevice>(std::move(native));
  return Device(detail::Ref(new detail::DeviceState(std::move(wrapped), options)));
}

}  // namespace collet::test
