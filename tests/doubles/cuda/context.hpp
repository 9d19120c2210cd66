// The primary contexts of the devices.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "abi.hpp"
#include "handles.hpp"
#include "stream.hpp"

namespace collet::cuda_double {

// One life of a device's primary context, from the first retain to the last release. The first error of its
// work stays: from then on nothing runs and every call says it. Threads: thread-safe.
class Context {
 public:
  explicit Context(int number) : device(number) {}

  int error() const { return error_.load(); }
  // Stops kernels too.
  void fail(int result);
  const std::atomic<bool>& cancelled() const { return cancelled_; }
  // What is left in its streams is skipped.
  void destroy();
  // The stream of the null handle, which is made when it is first used; nullptr: it was not.
  std::shared_ptr<Stream> default_stream(bool makes, const std::shared_ptr<Context>& self);
  // The stream refers to its context, so one of them must let go.
  void drop_default_stream();

  const int device;

 private:
  std::atomic<int> error_{0};
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::shared_ptr<Stream> default_;
};

using Contexts = Handles<ContextHandle, Context>;

// Threads: all thread-safe; what is current belongs to the calling thread.

bool is_initialized();
int initialize();
std::shared_ptr<Context> retain(int device);
// False: nobody retained it. `ended` is the context whose life ended; its modules are left.
bool release(int device, std::shared_ptr<Context>& ended);
// nullptr: none
std::shared_ptr<Context> primary(int device);

// kSuccess, and the context of the calling thread; or what the call must return.
int current(std::shared_ptr<Context>& context);
void set_current(ContextHandle* context);
ContextHandle* current_handle();
void push_current(ContextHandle* context);
bool pop_current(ContextHandle*& context);

// Waits until all streams of the context did all they were given.
void wait_for(const std::shared_ptr<Context>& context);
// Of all contexts: before memory goes that kernels may use.
void wait_for_all();

// Why the last kernel was stopped; "": none was.
std::string last_fault();
void set_last_fault(const std::string& text);

}  // namespace collet::cuda_double
