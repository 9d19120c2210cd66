// The objects that a program has handles of.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace collet::cuda_double {

// Handles are addresses of objects. One that was destroyed is no longer known, where a real driver would do
// anything. Threads: thread-safe.
template <class Handle, class Object>
class Handles {
 public:
  Handle* add(std::shared_ptr<Object> object) {
    auto* handle = reinterpret_cast<Handle*>(object.get());
    const std::lock_guard lock(mutex_);
    objects_[handle] = std::move(object);
    return handle;
  }
  // nullptr: not known.
  std::shared_ptr<Object> find(Handle* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<Object> remove(Handle* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  std::vector<std::shared_ptr<Object>> all() {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> objects;
    for (const auto& [handle, object] : objects_) objects.push_back(object);
    return objects;
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return objects_.size();
  }

  // Leaked: threads of streams may outlive main().
  static Handles& instance() {
    static auto* handles = new Handles;
    return *handles;
  }

 private:
  std::mutex mutex_;
  std::map<Handle*, std::shared_ptr<Object>> objects_;
};

}  // namespace collet::cuda_double
