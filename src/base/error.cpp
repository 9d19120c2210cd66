// Error and Exception: the body, the names, the text.

#include "collet/error.hpp"

#include <ostream>

#include "collet/result.hpp"

namespace collet {

struct Error::Body {
  ErrorCode code;
  Category category;
  Cause cause;
  std::string message;
  std::int64_t native_code = 0;
  std::string native_name;
  std::vector<std::string> context;
  std::string hint;
};

Error::Error(ErrorCode code, Category category, Cause cause, std::string message)
    : body_(std::make_shared<const Body>(Body{code, category, cause, std::move(message), 0, {}, {}, {}})) {}

Error::Error(ErrorCode code, Category category, std::string message)
    : Error(code, category, Cause::other, std::move(message)) {}

Error::Error(std::shared_ptr<const Body> body) : body_(std::move(body)) {}

ErrorCode Error::code() const { return body_->code; }
Category Error::category() const { return body_->category; }
Cause Error::cause() const { return body_->cause; }
const std::string& Error::message() const { return body_->message; }
std::int64_t Error::native_code() const { return body_->native_code; }
const std::string& Error::native_name() const { return body_->native_name; }
const std::vector<std::string>& Error::context() const { return body_->context; }
const std::string& Error::hint() const { return body_->hint; }

Error Error::during(std::string doing) const {
  auto body = std::make_shared<Body>(*body_);
  body->context.push_back(std::move(doing));
  return Error(std::move(body));
}

Error Error::with_hint(std::string advice) const {
  auto body = std::make_shared<Body>(*body_);
  body->hint = std::move(advice);
  return Error(std::move(body));
}

Error Error::with_native(std::int64_t code, std::string name) const {
  auto body = std::make_shared<Body>(*body_);
  body->native_code = code;
  body->native_name = std::move(name);
  return Error(std::move(body));
}

std::string Error::describe() const {
  std::string text = body_->message;
  if (!body_->native_name.empty()) {
    text += "\n  Native code: " + body_->native_name + " (" + std::to_string(body_->native_code) + ")";
  }
  for (const std::string& doing : body_->context) text += "\n  While " + doing;
  if (!body_->hint.empty()) text += "\n  Hint: " + body_->hint;
  return text;
}

std::ostream& operator<<(std::ostream& out, const Error& error) {
  return out << to_string(error.code()) << ": " << error.describe();
}

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::build_failed: return "build_failed";
    case ErrorCode::timeout: return "timeout";
    case ErrorCode::device_lost: return "device_lost";
    case ErrorCode::kernel_failed: return "kernel_failed";
    case ErrorCode::internal: return "internal";
  }
  return "unknown";
}

std::string_view to_string(Category category) {
  switch (category) {
    case Category::initialisation: return "initialisation";
    case Category::device: return "device";
    case Category::memory: return "memory";
    case Category::kernel: return "kernel";
    case Category::stream: return "stream";
    case Category::runtime: return "runtime";
    case Category::driver: return "driver";
    case Category::compilation: return "compilation";
    case Category::launch: return "launch";
    case Category::synchronisation: return "synchronisation";
  }
  return "unknown";
}

std::string_view to_string(Cause cause) {
  switch (cause) {
    case Cause::library_not_found: return "library_not_found";
    case Cause::symbol_missing: return "symbol_missing";
    case Cause::version_unsupported: return "version_unsupported";
    case Cause::init_failed: return "init_failed";
    case Cause::no_device: return "no_device";
    case Cause::instance_failed: return "instance_failed";
    case Cause::device_open_failed: return "device_open_failed";
    case Cause::context_failed: return "context_failed";
    case Cause::queue_failed: return "queue_failed";
    case Cause::command_buffer_failed: return "command_buffer_failed";
    case Cause::memory_type_not_found: return "memory_type_not_found";
    case Cause::allocation_failed: return "allocation_failed";
    case Cause::shared_memory_unsupported: return "shared_memory_unsupported";
    case Cause::null_pointer: return "null_pointer";
    case Cause::zero_size: return "zero_size";
    case Cause::module_failed: return "module_failed";
    case Cause::pipeline_failed: return "pipeline_failed";
    case Cause::kernel_not_found: return "kernel_not_found";
    case Cause::no_kernels: return "no_kernels";
    case Cause::duplicate_kernel: return "duplicate_kernel";
    case Cause::argument_count: return "argument_count";
    case Cause::argument_type: return "argument_type";
    case Cause::no_arguments: return "no_arguments";
    case Cause::assertion_failed: return "assertion_failed";
    case Cause::index_out_of_range: return "index_out_of_range";
    case Cause::data_race: return "data_race";
    case Cause::uninitialised_read: return "uninitialised_read";
    case Cause::other: return "other";
  }
  return "unknown";
}

Exception::Exception(Error error) : error_(std::move(error)), text_(error_.describe()) {}
Exception::~Exception() = default;
const char* Exception::what() const noexcept { return text_.c_str(); }
const Error& Exception::error() const noexcept { return error_; }

namespace detail {
void throw_error(const Error& error) { throw Exception(error); }
}  // namespace detail

}  // namespace collet
