// Writes out every scalar that it was given.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double Wide;
#else
typedef ulong Wide;  // the same bytes
#endif

__kernel void scalars(__global uint* result, char i8, uchar u8, short i16, ushort u16, int i32, uint u32, long i64,
                      ulong u64, float f32, Wide f64) {
  if (get_global_id(0) != 0) return;
  result[0] = (uint)(int)i8;
  result[1] = u8;
  result[2] = (uint)(int)i16;
  result[3] = u16;
  result[4] = (uint)i32;
  result[5] = u32;
  result[6] = (uint)i64;
  result[7] = (uint)(as_ulong(i64) >> 32);
  result[8] = (uint)u64;
  result[9] = (uint)(u64 >> 32);
  result[10] = as_uint(f32);
  result[11] = (uint)as_ulong(f64);
  result[12] = (uint)(as_ulong(f64) >> 32);
}
