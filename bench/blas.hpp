// OpenBLAS, loaded when it is asked for.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace collet::bench {

// c = a * b for matrices of n x n.
using Multiply = std::function<void(const float* a, const float* b, float* c, std::size_t n)>;

// On as many threads as there are processors, with the code for this one. Nothing where it is not installed.
std::optional<Multiply> open_blas();

}  // namespace collet::bench
