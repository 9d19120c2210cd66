// The primary contexts of the devices.

#include "context.hpp"

#include <array>
#include <cstdio>

#include "device_facts.hpp"
#include "faults.hpp"
#include "memory.hpp"

namespace collet::cuda_double {
namespace {

struct State {
  std::mutex mutex;
  bool is_initialized = false;
  std::array<std::shared_ptr<Context>, kDevices> contexts;
  std::array<int, kDevices> retains{};
  std::string fault;
};

State& state() {
  static auto* made = new State;  // leaked: threads of streams may outlive main()
  return *made;
}

thread_local std::vector<ContextHandle*> stack;

}  // namespace

void Context::fail(int result) {
  int none = 0;
  error_.compare_exchange_strong(none, result);
  cancelled_ = true;
}

void Context::destroy() { fail(kErrorContextIsDestroyed); }

std::shared_ptr<Stream> Context::default_stream(bool makes, const std::shared_ptr<Context>& self) {
  const std::lock_guard lock(mutex_);
  if (default_ == nullptr && makes) default_ = Stream::start(self, false);
  return default_;
}

void Context::drop_default_stream() {
  const std::lock_guard lock(mutex_);
  default_.reset();
}

bool is_initialized() {
  const std::lock_guard lock(state().mutex);
  return state().is_initialized;
}

int initialize() {
  if (!read_environment()) {
    std::fputs("COLLET_CUDA_DOUBLE has a word that the CUDA double does not know.\n", stderr);
    return kErrorInvalidValue;
  }
  if (device_count() == 0) return kErrorNoDevice;
  const std::lock_guard lock(state().mutex);
  state().is_initialized = true;
  return kSuccess;
}

std::shared_ptr<Context> retain(int device) {
  const auto at = static_cast<std::size_t>(device);
  const std::lock_guard lock(state().mutex);
  std::shared_ptr<Context>& context = state().contexts[at];
  if (state().retains[at]++ == 0) {
    context = std::make_shared<Context>(device);
    Contexts::instance().add(context);
  }
  return context;
}

bool release(int device, std::shared_ptr<Context>& ended) {
  const auto at = static_cast<std::size_t>(device);
  std::shared_ptr<Context>& context = ended;
  {
    const std::lock_guard lock(state().mutex);
    if (state().retains[at] == 0) return false;
    if (--state().retains[at] != 0) return true;
    context = std::move(state().contexts[at]);
  }
  // All that belongs to it goes.
  context->destroy();
  wait_for(context);
  for (const auto& stream : Streams::instance().all()) {
    if (stream->context == context) Streams::instance().remove(reinterpret_cast<StreamHandle*>(stream.get()));
  }
  for (const auto& event : Events::instance().all()) {
    if (event->context == context) Events::instance().remove(reinterpret_cast<EventHandle*>(event.get()));
  }
  Contexts::instance().remove(reinterpret_cast<ContextHandle*>(context.get()));
  context->drop_default_stream();
  Memory::instance().free_all(device);
  Memory::instance().forget_peers(device);
  return true;
}

std::shared_ptr<Context> primary(int device) {
  const std::lock_guard lock(state().mutex);
  return state().contexts[static_cast<std::size_t>(device)];
}

int current(std::shared_ptr<Context>& context) {
  if (Stream::in_host_function()) return kErrorNotPermitted;
  if (!is_initialized()) return kErrorNotInitialized;
  if (stack.empty() || stack.back() == nullptr) return kErrorInvalidContext;
  context = Contexts::instance().find(stack.back());
  if (context == nullptr) return kErrorContextIsDestroyed;
  return context->error();
}

void set_current(ContextHandle* context) {
  if (!stack.empty()) stack.pop_back();
  if (context != nullptr) stack.push_back(context);
}

ContextHandle* current_handle() { return stack.empty() ? nullptr : stack.back(); }

void push_current(ContextHandle* context) { stack.push_back(context); }

bool pop_current(ContextHandle*& context) {
  if (stack.empty()) return false;
  context = stack.back();
  stack.pop_back();
  return true;
}

void wait_for(const std::shared_ptr<Context>& context) {
  for (const auto& stream : Streams::instance().all()) {
    if (stream->context == context) stream->wait_until_idle();
  }
  for (const auto& stream : Stream::retired()) {
    if (stream->context == context) stream->wait_until_idle();
  }
  if (const auto stream = context->default_stream(false, context)) stream->wait_until_idle();
}

void wait_for_all() {
  for (const auto& context : Contexts::instance().all()) wait_for(context);
}

std::string last_fault() {
  const std::lock_guard lock(state().mutex);
  return state().fault;
}

void set_last_fault(const std::string& text) {
  if (is_verbose()) std::fprintf(stderr, "CUDA double: %s\n", text.c_str());
  const std::lock_guard lock(state().mutex);
  state().fault = text;
}

}  // namespace collet::cuda_double
