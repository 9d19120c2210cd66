// The life of a worker's thread.

#include "core/worker.hpp"

#include "platform/platform.hpp"

namespace collet::core {

void Worker::start_locked(std::function<void()> work) {
  if (thread_.joinable()) return;
  thread_ = std::thread([name = name_, mailbox = mailbox_, work = std::move(work)] {
    platform::name_thread(name);
    work();
    {
      const std::lock_guard lock(mailbox->mutex);
      mailbox->ended = true;
    }
    mailbox->changed.notify_all();
  });
}

void Worker::stop(Deadline deadline) {
  std::unique_lock lock(mailbox_->mutex);
  mailbox_->stopping = true;
  mailbox_->changed.notify_all();
  if (!thread_.joinable()) return;
  if (thread_.get_id() == std::this_thread::get_id()) return thread_.detach();
  const auto ended = [&] { return mailbox_->ended; };
  if (deadline.forever()) {
    mailbox_->changed.wait(lock, ended);
  } else if (!mailbox_->changed.wait_until(lock, deadline.at(), ended)) {
    return thread_.detach();
  }
  lock.unlock();
  thread_.join();
}

}  // namespace collet::core
