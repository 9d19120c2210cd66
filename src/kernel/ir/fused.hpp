// a * b + c, rounded once, whatever the C library makes of it.
#pragma once

namespace collet::ir {

// By the C library where its fma() rounds once. MinGW's rounds twice, and there it is done in integers.
float fused(float a, float b, float c);
double fused(double a, double b, double c);

#ifdef __SIZEOF_INT128__
// In integers of 128 bits, which hold the exact product; about a hundred times as slow as an instruction.
float fused_in_integers(float a, float b, float c);
double fused_in_integers(double a, double b, double c);
#endif

}  // namespace collet::ir
