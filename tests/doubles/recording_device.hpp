// A device that runs everything on a real one and writes down each dispatch: its code, its constants and its
// buffers before and after. Something else, such as a browser, can then run the same and compare.
#pragma once

#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "core/device_state.hpp"
#include "discovery/opening.hpp"
#include "layers/forwarding.hpp"

namespace collet::test {

// Threads: as the device inside. Submissions with a dispatch wait until it has ended.
class RecordingDevice final : public layers::ForwardingDevice {
 public:
  // Files appear in `folder`, which exists; `name` says what is running, as a part of their names.
  RecordingDevice(std::unique_ptr<backend::Device> inside, std::string folder,
                  std::function<std::string()> name)
      : ForwardingDevice(std::move(inside)), folder_(std::move(folder)), name_(std::move(name)) {
    // One command at a time is sent on; gathering more would only be undone.
    limits.gather = 1;
  }
  ~RecordingDevice() override {
    if (line_.id != 0) inner->destroy_timeline(line_);
  }

  Result<backend::BuiltProgram> create_program(const backend::ProgramDesc& desc) override {
    COLLET_TRY(built, ForwardingDevice::create_program(desc));
    const std::lock_guard lock(mutex_);
    code_[built.program.id] = {reinterpret_cast<const char*>(desc.code.data()), desc.code.size()};
    return built;
  }

  Result<backend::Kernel> create_kernel(backend::Program program, const backend::KernelDesc& desc) override {
    COLLET_TRY(kernel, ForwardingDevice::create_kernel(program, desc));
    const std::lock_guard lock(mutex_);
    kernels_[kernel.id] = {.entry = std::string(desc.entry), .code = code_[program.id], .recorded = 0};
    return kernel;
  }

  Result<void> submit(backend::Queue queue, const backend::Submission& submission) override {
    const std::lock_guard lock(mutex_);
    std::span<const backend::Point> waits = submission.waits;
    for (const backend::Command& command : submission.commands) {
      const auto* dispatch = std::get_if<backend::Dispatch>(&command.what);
      if (dispatch != nullptr && is_wanted(*dispatch)) {
        COLLET_CHECK(run(queue, waits, {}));
        COLLET_CHECK(record(queue, *dispatch, command));
      } else {
        COLLET_CHECK(run(queue, waits, {&command, 1}));
      }
      waits = {};
    }
    return ForwardingDevice::submit(queue, {.waits = waits, .commands = {}, .signal = submission.signal});
  }

 private:
  static constexpr std::uint64_t kMostBytes = 1 << 20;  // of a dispatch
  static constexpr std::uint32_t kMostOfKernel = 2;

  struct Known {
    std::string entry, code;
    std::uint32_t recorded = 0;
  };

  bool is_wanted(const backend::Dispatch& dispatch) {
    std::uint64_t bytes = 0;
    for (const backend::Slice& slice : dispatch.slices) bytes += slice.size;
    return bytes <= kMostBytes && kernels_[dispatch.kernel.id].recorded++ < kMostOfKernel;
  }

  // Runs commands and waits for them.
  Result<void> run(backend::Queue queue, std::span<const backend::Point> waits,
                   std::span<const backend::Command> commands) {
    if (line_.id == 0) {
      COLLET_TRY(line, inner->create_timeline());
      line_ = line;
    }
    const backend::Point signal{line_, ++value_};
    COLLET_CHECK(inner->submit(queue, {.waits = waits, .commands = commands, .signal = signal}));
    return inner->wait_timelines({&signal, 1}, backend::WaitFor::all, kForever);
  }

  Result<std::vector<std::string>> contents(backend::Queue queue, std::span<const backend::Slice> slices) {
    std::vector<std::string> texts;
    for (backend::Slice slice : slices) {
      slice.size = (slice.size + 3) / 4 * 4;
      slice.access = backend::Access::read;
      std::vector<std::byte> bytes(slice.size);
      const backend::Command read{.what = backend::Read{.from = slice, .to = bytes.data()}};
      COLLET_CHECK(run(queue, {}, {&read, 1}));
      texts.push_back(base64(bytes));
    }
    return texts;
  }

  Result<void> record(backend::Queue queue, const backend::Dispatch& dispatch,
                      const backend::Command& command) {
    COLLET_TRY(before, contents(queue, dispatch.slices));
    COLLET_CHECK(run(queue, {}, {&command, 1}));
    COLLET_TRY(after, contents(queue, dispatch.slices));
    const Known& kernel = kernels_[dispatch.kernel.id];
    std::string number = std::to_string(count_++);
    number.insert(0, 5 - std::min<std::size_t>(number.size(), 5), '0');
    std::ofstream out(folder_ + "/" + number + "_" + name_() + ".json");
    out << "{\"entry\": \"" << kernel.entry << "\",\n\"groups\": [" << dispatch.groups[0] << ", "
        << dispatch.groups[1] << ", " << dispatch.groups[2] << "],\n\"constants\": \""
        << base64(dispatch.constants) << "\",\n\"buffers\": [";
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool written = dispatch.slices[i].access != backend::Access::read;
      out << (i == 0 ? "\n" : ",\n") << "{\"written\": " << (written ? "true" : "false") << ", \"before\": \""
          << before[i] << "\", \"after\": \"" << (written ? after[i] : std::string()) << "\"}";
    }
    out << "],\n\"code\": \"" << base64(std::as_bytes(std::span(kernel.code))) << "\"}\n";
    return {};
  }

  static std::string base64(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      std::uint32_t word = 0;
      for (std::size_t k = 0; k < 3; ++k)
        word = word << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
      for (std::size_t k = 0; k < 4; ++k)
        text += i + k <= bytes.size() ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
    return text;
  }

  const std::string folder_;
  const std::function<std::string()> name_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<std::uint64_t, std::string> code_;  // of programs
  std::map<std::uint64_t, Known> kernels_;
  backend::Timeline line_{};
  std::uint64_t value_ = 0;
  std::uint32_t count_ = 0;
};

// Into the folder that COLLET_TEST_RECORD names.
inline Result<Device> open_recorded(const std::string& id, std::function<std::string()> name) {
  const char* const folder = std::getenv("COLLET_TEST_RECORD");
  if (folder == nullptr) {
    return Error(ErrorCode::invalid_argument, Category::initialisation, Cause::other,
                 "COLLET_TEST_RECORD names no folder.");
  }
  COLLET_TRY(selector, discovery::parse_selector(id));
  COLLET_TRY(native, discovery::open_named(selector, {}, discovery::this_machine()));
  auto wrapped = std::make_unique<RecordingDevice>(std::move(native), folder, std::move(name));
  return Device(detail::Ref(new detail::DeviceState(std::move(wrapped), {})));
}

}  // namespace collet::test
