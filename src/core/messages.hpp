// What kernels say, on the host: from the words of a launch's hidden buffer to lines and a failure.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collet/error.hpp"
#include "collet/options.hpp"
#include "core/buffer_state.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::core {

// Of a compiled kernel. Threads: immutable.
struct Messages {
  std::string kernel;
  std::vector<ir::Message> all;
  std::uint32_t words = 0;          // of the buffer
  std::vector<ir::Space> memories;  // of the kernel, buffers first
  std::vector<ir::Place> places = {};
  std::array<std::uint32_t, 3> group{1, 1, 1};
};

// The buffer of one launch, and where its words go once the device is done.
struct MessageRead {
  std::shared_ptr<const Messages> messages;
  detail::Ref<detail::BufferState> buffer;
  std::vector<std::string> bound = {};  // the names of the launch's buffers, in checked mode
  std::vector<std::uint32_t> words;
};

struct Told {
  Printed printed;
  std::optional<Error> failure;  // the first, with how many there were
};

// Believes nothing of the words but their number. `bound` names the launch's buffers.
Told tell(const Messages& messages, std::span<const std::uint32_t> words, bool in_order,
          std::span<const std::string> bound = {});

// To the program's sink or the log. What a sink throws is logged.
void deliver(const Printed& printed, const OpenOptions& options);

}  // namespace collet::core
