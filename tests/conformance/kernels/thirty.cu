// 20 buffers, 9 scalars and the count: result[i] = the sum of (b + 1) * in_b[i] and (1000 + s) * scalar_s.
extern "C" __global__ void thirty(uint* result,
                     const uint* in0, const uint* in1, const uint* in2,
                     const uint* in3, const uint* in4, const uint* in5,
                     const uint* in6, const uint* in7, const uint* in8,
                     const uint* in9, const uint* in10, const uint* in11,
                     const uint* in12, const uint* in13, const uint* in14,
                     const uint* in15, const uint* in16, const uint* in17,
                     const uint* in18,
                     uint s0, uint s1, uint s2, uint s3, uint s4, uint s5, uint s6, uint s7, uint s8, uint count) {
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint sum = 0;
  sum += 1 * in0[i];
  sum += 2 * in1[i];
  sum += 3 * in2[i];
  sum += 4 * in3[i];
  sum += 5 * in4[i];
  sum += 6 * in5[i];
  sum += 7 * in6[i];
  sum += 8 * in7[i];
  sum += 9 * in8[i];
  sum += 10 * in9[i];
  sum += 11 * in10[i];
  sum += 12 * in11[i];
  sum += 13 * in12[i];
  sum += 14 * in13[i];
  sum += 15 * in14[i];
  sum += 16 * in15[i];
  sum += 17 * in16[i];
  sum += 18 * in17[i];
  sum += 19 * in18[i];
  sum += 1000 * s0;
  sum += 1001 * s1;
  sum += 1002 * s2;
  sum += 1003 * s3;
  sum += 1004 * s4;
  sum += 1005 * s5;
  sum += 1006 * s6;
  sum += 1007 * s7;
  sum += 1008 * s8;
  result[i] = sum;
}
