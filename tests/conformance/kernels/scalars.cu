// Writes out every scalar that it was given.
extern "C" __global__ void scalars(uint* result, signed char i8, uchar u8, short i16, ushort u16, int i32, uint u32, long long i64,
                      ulong u64, float f32, double f64) {
  if ((blockIdx.x * blockDim.x + threadIdx.x) != 0) return;
  result[0] = (uint)(int)i8;
  result[1] = u8;
  result[2] = (uint)(int)i16;
  result[3] = u16;
  result[4] = (uint)i32;
  result[5] = u32;
  result[6] = (uint)i64;
  result[7] = (uint)(ulong(i64) >> 32);
  result[8] = (uint)u64;
  result[9] = (uint)(u64 >> 32);
  result[10] = __float_as_uint(f32);
  result[11] = (uint)ulong(__double_as_longlong(f64));
  result[12] = (uint)(ulong(__double_as_longlong(f64)) >> 32);
}
