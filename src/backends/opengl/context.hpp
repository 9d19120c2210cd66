// A context of OpenGL or OpenGL ES, and a thread that one belongs to.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/opengl/displays.hpp"
#include "platform/thread.hpp"

namespace collet::backend::opengl {

// Threads: current on one at a time, which alone may call OpenGL on it.
class Context {
 public:
  // At least 4.3, or 3.1 of ES, without a window. Robust where the driver has that: what is out of range then
  // touches no other memory. Objects are those of `shared` too, which must be of the same display.
  static Result<std::unique_ptr<Context>> create(const Egl& egl, const Display& display, Flavour flavour,
                                                 const Context* shared = nullptr);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Makes it the thread's own. The thread had none.
  Result<void> take();
  // The thread has none any more.
  void leave();

 private:
  Context(const Egl& egl, egl::Display display, egl::Enum api) : egl_(egl), display_(display), api_(api) {}

  const Egl& egl_;
  const egl::Display display_;
  const egl::Enum api_;
  egl::Config config_ = nullptr;
  std::vector<egl::Int> attributes_;
  egl::Context handle_ = nullptr;
};

// A thread with a context that does what others ask for: no thread of the program ever gets a context of
// ours, for it may have one of its own.
//
// Threads: thread-safe.
class Owner {
 public:
  static Result<std::unique_ptr<Owner>> start(std::unique_ptr<Context> context);
  // Does first what was posted.
  ~Owner();
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  Context& context() const { return *context_; }

  // Waits until it is done.
  void run(const std::function<void()>& work);
  void post(std::function<void()> work);

 private:
  explicit Owner(std::unique_ptr<Context> context) : context_(std::move(context)) {}
  void work();

  const std::unique_ptr<Context> context_;
  platform::Thread thread_;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::condition_variable done_;
  // Guarded by mutex_.
  std::deque<std::function<void()>> queued_;
  std::uint64_t taken_ = 0;  // posted so far
  std::uint64_t ended_ = 0;  // of them
  bool stopping_ = false;
};

}  // namespace collet::backend::opengl
