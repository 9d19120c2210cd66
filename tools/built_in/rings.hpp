// Ring kernels that the tool has built in and that collet-bench measures.
#pragma once

#include <collet/ring.hpp>

namespace collet::built_in {

// Answers each number with the sum of all so far.
inline auto running_sum() {
  return ring_kernel("running_sum",
                     [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out, State<std::uint32_t> sum) {
                       sum() = sum() + in.message();
                       out.send(sum());
                     });
}

}  // namespace collet::built_in
