// An ordered queue of work on one device.
//
// Adding work never fails: the first failure is kept, later work is skipped, and wait() hands it over. It
// does not wait for the device either, until 1,024 submissions are in flight.
//
//   stream.launch(saxpy, n, x, y, 3.0f);
//   stream.download(y, std::span(host));
//   stream.wait().value();
//
// Streams are ordered inside and unordered against each other, except by Event.
//
// A Stream that was moved from takes no work: every wait() says so, and idle() is true.
//
// Threads: one at a time per Stream; separate Streams are independent.
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "collet/any_kernel.hpp"
#include "collet/buffer.hpp"
#include "collet/deadline.hpp"
#include "collet/event.hpp"
#include "collet/kernel.hpp"
#include "collet/receipt.hpp"
#include "collet/result.hpp"
#include "collet/scratch.hpp"

namespace collet {

struct StreamOptions {
  std::string label = {};
  // For copies beside kernels: uses the device's own copy engine where it has one. Takes no launches.
  bool transfer_only = false;
};

struct EventOptions {
  bool timing = true;  // a timestamp, where the device has them
};

class COLLET_API Stream {
 public:
  explicit Stream(detail::Ref<detail::StreamState> state);
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  // Work goes on without the Stream. Waits only where work still reads or writes the caller's memory
  // (download, upload_borrowed).
  ~Stream();

  // Copies `host` before it returns; the caller may reuse it at once. Blocks where the staging memory is
  // full, until earlier copies are done or `deadline` passes.
  template <class T>
  void upload(std::span<const T> host, const std::type_identity_t<View<T>>& to,
              Deadline deadline = kForever) {
    upload_bytes(host.data(), host.size_bytes(), to.range(), false, deadline);
  }
  template <class T>
  void upload(const std::vector<T>& host, const std::type_identity_t<View<T>>& to,
              Deadline deadline = kForever) {
    upload(std::span<const T>(host), to, deadline);
  }
  // Need not copy: `host` must stay alive and unchanged from this call until wait() or a later Event.
  template <class T>
  void upload_borrowed(std::span<const T> host, const std::type_identity_t<View<T>>& to) {
    upload_bytes(host.data(), host.size_bytes(), to.range(), true, kForever);
  }
  // `host` must stay alive and untouched until wait() or a later Event.
  template <class T>
  void download(const View<T>& from, std::span<std::type_identity_t<T>> host) {
    download_bytes(from.range(), host.data(), host.size_bytes());
  }
  template <class T>
  void download(const Buffer<T>& from, std::span<std::type_identity_t<T>> host) {
    download(View<T>(from), host);
  }
  // The contents after all work added so far, which is waited for; no receipt is given.
  template <class T>
  Result<std::vector<T>> download(const View<T>& from) {
    // A view that is not inside may have any size; the download refuses it.
    std::vector<T> host(detail::is_inside(from.range()) ? from.size() : 0);
    download(from, std::span(host));
    auto done = wait();
    if (!done) return done.error();
    return host;
  }
  template <class T>
  Result<std::vector<T>> download(const Buffer<T>& from) {
    return download(View<T>(from));
  }
  // Equal sizes; the two may not overlap.
  template <class T>
  void copy(const Buffer<T>& from, const std::type_identity_t<View<T>>& to) {
    copy_bytes(View<T>(from).range(), to.range());
  }
  template <class T>
  void copy(const View<T>& from, const std::type_identity_t<View<T>>& to) {
    copy_bytes(from.range(), to.range());
  }
  template <class T>
  void fill(const Buffer<T>& to, const std::type_identity_t<T>& value) {
    fill_bytes(View<T>(to).range(), &value);
  }
  template <class T>
  void fill(const View<T>& to, const std::type_identity_t<T>& value) {
    fill_bytes(to.range(), &value);
  }

  // Runs `kernel` over `grid`. Buffers live until the work is done, even if the caller drops them.
  template <class... Args>
  void launch(const Kernel<Args...>& kernel, const Grid& grid, const Actual<Args>&... arguments) {
    if constexpr (((detail::kParameters<Args> == 1) && ...)) {
      const std::array<detail::Argument, sizeof...(Args)> passed{
          detail::ArgumentTraits<Args>::argument(arguments)...};
      launch_kernel(*kernel.state(), grid, passed);
    } else {
      std::array<detail::Argument, (detail::kParameters<Args> + ...)> passed;
      std::size_t next = 0;
      const auto pass = [&]<class Arg>(std::type_identity<Arg>, const Actual<Arg>& argument) {
        if constexpr (detail::kParameters<Arg> == 1) {
          passed[next++] = detail::ArgumentTraits<Arg>::argument(argument);
        } else {
          passed[next++] = {.range = argument.range(), .value = nullptr};
          passed[next++] = {.range = {}, .value = &argument.extents()};
        }
      };
      (pass(std::type_identity<Args>(), arguments), ...);
      launch_kernel(*kernel.state(), grid, passed);
    }
  }

  // The same for arguments that are known only now. They are compared with what the kernel asks for.
  void launch(const AnyKernel& kernel, const Grid& grid, std::span<const AnyArgument> arguments);

  // Memory for what this stream's work needs in between; see scratch.hpp.
  Scratch scratch();

  // Work added later waits for `event`, which may belong to another stream or another device.
  void wait_for(const Event& event);
  Event record(const EventOptions& options = {});

  // Hands everything added so far to the device now. wait() does that too.
  void flush();
  // True when all work added so far is done.
  bool idle();
  // Blocks until all work added so far is done. Returns the first failure, once; then the stream is usable
  // again, unless the code is device_lost. After a timeout the work goes on and may be waited for again.
  Result<Receipt> wait(Deadline deadline = kForever);

  const std::string& label() const;

 private:
  void upload_bytes(const void* host, std::size_t size, const detail::Range& to, bool borrowed,
                    Deadline deadline);
  void download_bytes(const detail::Range& from, void* host, std::size_t size);
  void copy_bytes(const detail::Range& from, const detail::Range& to);
  void fill_bytes(const detail::Range& to, const void* value);
  void launch_kernel(detail::KernelState& kernel, const Grid& grid,
                     std::span<const detail::Argument> arguments);

  detail::Handle<detail::StreamState> state_;
};

}  // namespace collet
