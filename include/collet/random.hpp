// Random numbers in kernels: a function of a counter and a key, without a state, and the same bits on every
// device.
//
//   const auto words = random::philox(compose(global_id(), step, 0u, 0u), compose(seed, 0u));
//   const auto four = random::normal(words);
#pragma once

#include "collet/expression.hpp"
#include "collet/vector_operators.hpp"

namespace collet::random {

// Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011): four words that look random for each counter, and
// other ones for each key.
COLLET_API Expr<uint4> philox(const Expr<uint4>& counter, const Expr<uint2>& key);

// Evenly from 0 up to, and without, 1: multiples of 2^-24.
COLLET_API Expr<float4> uniform(const Expr<uint4>& words);

// With mean 0 and variance 1, by Box and Muller; none is beyond 5.9.
COLLET_API Expr<float4> normal(const Expr<uint4>& words);

}  // namespace collet::random
