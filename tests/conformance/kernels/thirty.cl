// 20 buffers, 9 scalars and the count: result[i] = the sum of (b + 1) * in_b[i] and (1000 + s) * scalar_s.
__kernel void thirty(__global uint* result,
                     __global const uint* in0, __global const uint* in1, __global const uint* in2,
                     __global const uint* in3, __global const uint* in4, __global const uint* in5,
                     __global const uint* in6, __global const uint* in7, __global const uint* in8,
                     __global const uint* in9, __global const uint* in10, __global const uint* in11,
                     __global const uint* in12, __global const uint* in13, __global const uint* in14,
                     __global const uint* in15, __global const uint* in16, __global const uint* in17,
                     __global const uint* in18,
                     uint s0, uint s1, uint s2, uint s3, uint s4, uint s5, uint s6, uint s7, uint s8, uint count) {
  const uint i = get_global_id(0);
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
