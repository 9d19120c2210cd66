// Handlers for instructions that compute each lane's result from that lane's operands alone.
#pragma once

#include "ptx_program.hpp"
#include "warp.hpp"

namespace collet::cuda_double {

// Operation is a type whose objects are called with values of type T.
template <class T, class Operation>
void unary(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = to_register(Operation{}(from_register<T>(a[lane]))); });
}

template <class T, class Operation>
void binary(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    d[lane] = to_register(Operation{}(from_register<T>(a[lane]), from_register<T>(b[lane])));
  });
}

template <class T, class Operation>
void ternary(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    d[lane] = to_register(
        Operation{}(from_register<T>(a[lane]), from_register<T>(b[lane]), from_register<T>(c[lane])));
  });
}

// The second operand is a number of 32 bits whatever T is.
template <class T, class Operation>
void shift(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const u64* b = warp.read(instruction.b);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) {
    d[lane] = to_register(Operation{}(from_register<T>(a[lane]), static_cast<u32>(b[lane])));
  });
}

}  // namespace collet::cuda_double
