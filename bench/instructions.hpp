// Instructions that this program executes, counted by valgrind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collet/result.hpp"

namespace collet::bench {

// Runs this program with `arguments` in a child under callgrind; all of its instructions, on all threads.
// Unavailable where there is no valgrind.
Result<std::uint64_t> count_instructions(const std::vector<std::string>& arguments);

// The same of the first thread alone, without what it does inside functions whose names match (such as
// "cu*").
Result<std::uint64_t> count_instructions_outside(const std::string& functions,
                                                 const std::vector<std::string>& arguments);

}  // namespace collet::bench
