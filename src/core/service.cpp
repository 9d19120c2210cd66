// The service thread: waits for any of the points that it watches, a short while at a time, so that new
// watches are seen; then acts on those that are done.

#include "core/service.hpp"

#include <algorithm>

#include "core/stream_state.hpp"

namespace collet::core {
namespace {

constexpr auto kShortest = std::chrono::microseconds(100);
constexpr auto kLongest = std::chrono::microseconds(2000);

}  // namespace

Result<void> Service::pump_later(detail::StreamState& stream, std::uint64_t value) {
  return add({detail::Ref(&stream), value, {}});
}

Result<void> Service::when(detail::Ref<detail::StreamState> stream, std::uint64_t value,
                           std::function<void(const Result<void>&)> call) {
  return add({std::move(stream), value, std::move(call)});
}

Result<void> Service::add(Watch watch) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->stopping) return {};
    COLLET_CHECK(
        worker_.start_locked([&device = device_, shared = shared_] { Service::watch(device, *shared); }));
    shared_->arriving.push_back(std::move(watch));
  }
  shared_->changed.notify_one();
  return {};
}

void Service::watch(backend::Device& device, Shared& shared) {
  std::vector<Watch> watched;
  std::vector<backend::Point> points;
  auto patience = std::chrono::microseconds(kShortest);

  for (;;) {
    {
      std::unique_lock lock(shared.mutex);
      shared.changed.wait(lock,
                          [&] { return shared.stopping || !shared.arriving.empty() || !watched.empty(); });
      if (shared.stopping) break;
      if (!shared.arriving.empty()) patience = kShortest;
      std::move(shared.arriving.begin(), shared.arriving.end(), std::back_inserter(watched));
      shared.arriving.clear();
    }

    bool acted = false;
    points.clear();
    for (std::size_t i = 0; i < watched.size();) {
      const Result<bool> done = watched[i].stream->done(watched[i].value);
      if (done && !*done) {
        if (auto point = watched[i].stream->submitted_point(watched[i].value)) points.push_back(*point);
        ++i;
        continue;
      }
      Watch ended = std::move(watched[i]);
      watched.erase(watched.begin() + static_cast<std::ptrdiff_t>(i));
      acted = true;
      if (ended.call) {
        detail::call_back(ended.call, done ? Result<void>{} : Result<void>(done.error()), ended.stream.get());
      } else {
        ended.stream->pump();
      }
      ended.call = nullptr;
      ended.stream = {};  // may be the last reference to the device, and so to the Service
      const std::lock_guard lock(shared.mutex);
      if (shared.stopping) return;
    }
    if (acted || watched.empty()) continue;

    const Deadline until = Deadline::in(patience);
    patience = std::min(patience * 2, kLongest);
    if (points.empty()) {
      // Only streams that wait for another device: no timeline of this device to sleep on.
      std::unique_lock lock(shared.mutex);
      shared.changed.wait_until(lock, until.at(),
                                [&] { return shared.stopping || !shared.arriving.empty(); });
    } else {
      // A timeout or a failure shows in done() above.
      (void)device.wait_timelines(points, backend::WaitFor::any, until);
    }
  }
  // The process is exiting: what is still watched stays, and nothing of it is destroyed.
  const std::lock_guard lock(shared.mutex);
  shared.arriving = std::move(watched);
}

}  // namespace collet::core
