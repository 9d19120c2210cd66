// A counted object and the pointer that counts. Not for programs; in a header because handles need it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "collet/export.hpp"

namespace collet::detail {

// Threads: the count is thread-safe.
class COLLET_API Counted {
 public:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  virtual ~Counted();

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) last_release();
  }
  // False where the last reference is already gone, and the object with it in a moment.
  bool try_retain() const noexcept {
    std::uint32_t count = count_.load(std::memory_order_relaxed);
    while (count != 0) {
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acquire)) return true;
    }
    return false;
  }
  // True where the caller's reference is the only one: nobody else can use or come to use the object.
  bool unique() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 protected:
  // Called when the last reference is gone. Deletes, unless a state must not touch its driver any more.
  virtual void dispose() noexcept;

 private:
  void last_release() const noexcept;
  mutable std::atomic<std::uint32_t> count_{0};
};

template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) noexcept : object_(object) {
    if (object_ != nullptr) as_counted(object_)->retain();
  }
  // Takes over a reference that was already counted.
  static Ref adopt(T* object) noexcept {
    Ref adopted;
    adopted.object_ = object;
    return adopted;
  }
  Ref(const Ref& other) noexcept : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) as_counted(object_)->release();
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) = default;

 private:
  // Every counted type has Counted as its first and only base, so that handles need no complete type.
  static const Counted* as_counted(const T* object) { return reinterpret_cast<const Counted*>(object); }
  T* object_ = nullptr;
};

class BufferState;
class DeviceState;
class EventState;
class KernelState;
class PoolState;
class ScratchState;
class StreamState;

// The state that every moved-from handle of a kind refers to. It answers each call with an error or with
// nothing, and lives until the process ends.
template <class T>
T* moved_from() noexcept;
template <>
COLLET_API BufferState* moved_from<BufferState>() noexcept;
template <>
COLLET_API DeviceState* moved_from<DeviceState>() noexcept;
template <>
COLLET_API EventState* moved_from<EventState>() noexcept;
template <>
COLLET_API KernelState* moved_from<KernelState>() noexcept;
template <>
COLLET_API PoolState* moved_from<PoolState>() noexcept;
template <>
COLLET_API StreamState* moved_from<StreamState>() noexcept;

// What a public handle holds: a Ref that is never null, so that no call of a handle has to ask.
template <class T>
class Handle : public Ref<T> {
 public:
  explicit Handle(Ref<T> state) noexcept : Ref<T>(std::move(state)) {}
  Handle(const Handle&) noexcept = default;
  Handle(Handle&& other) noexcept : Ref<T>(take(other)) {}
  Handle& operator=(const Handle&) noexcept = default;
  Handle& operator=(Handle&& other) noexcept {
    Ref<T>::operator=(take(other));
    return *this;
  }
  ~Handle() = default;

 private:
  static Ref<T> take(Ref<T>& from) noexcept { return std::exchange(from, Ref<T>(moved_from<T>())); }
};

}  // namespace collet::detail
