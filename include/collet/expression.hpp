// Values of the kernel language. They look like C++ values; operations on them are recorded, not computed.
//
//   Expr<T>  a value; immutable
//   Var<T>   a variable of one item: Var<float> sum = 0.0f; sum += x[i];
//   Once<T>  what an atomic operation found; it becomes a Var before it is used
//
// T is bool, an integer, half, float, double, a vector of them (vector.hpp), or a struct (structure.hpp).
// Types are those of C++, never mixed: `x * 2` takes the constant 2 as x's type where it fits exactly; two
// values of different types need a cast<T>(). Integer arithmetic is total: it wraps, x / 0 is x, x % 0 is 0,
// shifts use the low bits of their right side, and a cast from float saturates.
//
// Threads: a value belongs to the trace, and so to the thread, that made it.
#pragma once

#include "collet/expr.hpp"
#include "collet/operators.hpp"
#include "collet/var.hpp"
#include "collet/vector_operators.hpp"
