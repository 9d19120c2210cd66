// The life of a worker's thread.

#include "core/worker.hpp"

namespace collet::core {

Result<void> Worker::start_locked(std::function<void()> work) {
  if (thread_.joinable()) return {};
  COLLET_TRY(thread, platform::start_thread(name_, [mailbox = mailbox_, work = std::move(work)] {
               work();
               {
                 const std::lock_guard lock(mailbox->mutex);
                 mailbox->ended = true;
               }
               mailbox->changed.notify_all();
             }));
  thread_ = std::move(thread);
  return {};
}

void Worker::stop(Deadline deadline) {
  std::unique_lock lock(mailbox_->mutex);
  mailbox_->stopping = true;
  mailbox_->changed.notify_all();
  if (!thread_.joinable()) return;
  if (thread_.is_current()) return thread_.detach();
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
