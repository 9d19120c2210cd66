// WebGPU: what each ErrorType is called and means.

#include "backends/webgpu/errors.hpp"

#include <utility>

#include "base/log.hpp"

namespace collet::backend::webgpu {
namespace {

thread_local Listener* listening = nullptr;

}  // namespace

std::string_view Codes::name_of(Type code) {
  switch (code) {
    case Type::no_error: return "NoError";
    case Type::validation: return "Validation";
    case Type::out_of_memory: return "OutOfMemory";
    case Type::internal: return "Internal";
    case Type::unknown: return "Unknown";
  }
  return "an unknown type of error";
}

common::Meaning Codes::meaning_of(Type code) {
  return code == Type::out_of_memory ? common::Meaning{ErrorCode::out_of_memory, Cause::allocation_failed}
                                     : common::Meaning{};
}

abi::CallbackInfo<abi::DeviceLostCallback> Reports::lost() {
  return {.mode = abi::CallbackMode::allow_spontaneous, .callback = on_lost, .first = this};
}

abi::UncapturedErrorCallbackInfo Reports::errors() { return {.callback = on_error, .first = this}; }

void Reports::on_lost(const abi::Device*, abi::DeviceLostReason reason, abi::StringView message, void* self,
                      void*) {
  if (reason == abi::DeviceLostReason::destroyed || reason == abi::DeviceLostReason::callback_cancelled)
    return;
  static_cast<Reports*>(self)->note(Error(ErrorCode::device_lost, Category::device,
                                          "WebGPU reports that the device is lost: " + text(message)));
}

// An error that no call was waiting for says that the device does not do what it was told.
void Reports::on_error(const abi::Device*, abi::ErrorType type, abi::StringView message, void* self, void*) {
  if (listening == nullptr) {
    const std::string said = common::bounded(text(message));
    base::log(LogLevel::error, "webgpu", said);
    static_cast<Reports*>(self)->note(
        Error(ErrorCode::device_lost, Category::device,
              "WebGPU reports an error (" + std::string(Codes::name_of(type)) + ") of no call: " + said));
  } else if (listening->type_ == abi::ErrorType::no_error) {
    listening->type_ = type;
    listening->message_ = text(message);
  }
}

Listener::Listener() : before_(listening) { listening = this; }
Listener::~Listener() { listening = before_; }
Listener* Listener::current() { return listening; }

Result<void> Listener::check(const Doing& doing) {
  const abi::ErrorType type = std::exchange(type_, abi::ErrorType::no_error);
  auto done = common::check<Codes>(type, doing);
  if (done) [[likely]]
    return {};
  const Error& error = done.error();
  return Error(error.code(), error.category(), error.cause(),
               error.message() + " It says:\n" + common::bounded(std::exchange(message_, {})))
      .with_native(static_cast<std::int64_t>(type), std::string(Codes::name_of(type)));
}

}  // namespace collet::backend::webgpu
