// Messages of a kernel as words of a hidden buffer: where they stand, and the pass that writes them.
//
// The buffer is zero before the launch. An item takes as many words as its line needs, if they are there, and
// else counts one line more that was lost; nobody waits for anybody. Of failures the first is kept, and how
// many there were.
#pragma once

#include <cstdint>

#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::emit {

// Words of the buffer.
inline constexpr std::uint32_t kTakenWord = 0;     // how many words lines took, or more
inline constexpr std::uint32_t kLostWord = 1;      // lines that had no room
inline constexpr std::uint32_t kLostHighWord = 2;  // the upper half of that
inline constexpr std::uint32_t kFailedWord = 3;    // failures; stops at kMostFailures
inline constexpr std::uint32_t kFailureWord = 4;   // where the first one stands; lines come behind it
inline constexpr std::uint32_t kMostFailures = 1u << 31;

// A record is the number of its message + 1, the item's number in three dimensions, and the values.
inline constexpr std::uint32_t kRecordHead = 4;
std::uint32_t words_of(ir::Scalar scalar);
std::uint32_t record_words(const ir::Message& message);
// Where lines begin.
std::uint32_t first_line_word(const std::vector<ir::Message>& messages);
// The least words that a buffer has: room for one line of each kind.
std::uint32_t least_words(const std::vector<ir::Message>& messages);

// Checked mode: an index out of range says so. The access stays as it is, for lower_indices().
ir::Kernel lower_checks(const ir::Kernel& kernel);

// Print becomes code that writes to one more buffer, behind those of the kernel's arguments. Functions that
// print stand in the place of their calls.
Result<ir::Kernel> lower_messages(const ir::Kernel& kernel);

}  // namespace collet::emit
