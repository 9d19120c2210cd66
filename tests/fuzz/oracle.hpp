// What a kernel must give: the interpreter's answer, and the answer of running one item at a time by
// eval.cpp.
#pragma once

#include "collet/result.hpp"
#include "fuzz/work.hpp"

namespace collet::fuzz {

// The buffers afterwards, by the interpreter.
Result<std::vector<Bytes>> interpret(const Work& work);

// Whether items never see each other, so that one can run after the other.
bool is_sequential(const ir::Kernel& kernel);

// The buffers afterwards, item by item. For sequential kernels.
std::vector<Bytes> run_items(const Work& work);

// Whether a sequential kernel has one meaning: no index beyond its memory, and the same result in either
// order of items and whatever private arrays begin with.
bool is_sound(const Work& work);

}  // namespace collet::fuzz
