// Work on a thread that nobody waits for.
#pragma once

#include <future>
#include <memory>
#include <utility>

#include "base/lifetime.hpp"
#include "platform/thread.hpp"

namespace collet::core {

// Runs `work` on a thread of its own. Unlike std::async's, the future does not wait in its destructor. Where
// the system gives no thread, the future holds that error.
template <class Work>
auto in_background(Work work) -> std::future<decltype(work())> {
  const auto promise = std::make_shared<std::promise<decltype(work())>>();
  auto future = promise->get_future();
  // `task` comes first, so that it ends last.
  auto thread =
      platform::start_thread("collet-async", [task = std::make_shared<base::BackgroundTask>(), promise,
                                              work = std::move(work)] { promise->set_value(work()); });
  if (thread) {
    thread->detach();
  } else {
    promise->set_value(thread.error());
  }
  return future;
}

}  // namespace collet::core
