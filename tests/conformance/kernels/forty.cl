// result[i] = the sum of (b + 1) * in_b[i]: 40 buffers, more than some devices bind.
__kernel void forty(__global uint* result,
                    __global const uint* in0, __global const uint* in1, __global const uint* in2,
                    __global const uint* in3, __global const uint* in4, __global const uint* in5,
                    __global const uint* in6, __global const uint* in7, __global const uint* in8,
                    __global const uint* in9, __global const uint* in10, __global const uint* in11,
                    __global const uint* in12, __global const uint* in13, __global const uint* in14,
                    __global const uint* in15, __global const uint* in16, __global const uint* in17,
                    __global const uint* in18, __global const uint* in19, __global const uint* in20,
                    __global const uint* in21, __global const uint* in22, __global const uint* in23,
                    __global const uint* in24, __global const uint* in25, __global const uint* in26,
                    __global const uint* in27, __global const uint* in28, __global const uint* in29,
                    __global const uint* in30, __global const uint* in31, __global const uint* in32,
                    __global const uint* in33, __global const uint* in34, __global const uint* in35,
                    __global const uint* in36, __global const uint* in37, __global const uint* in38,
                    uint count) {
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
  sum += 20 * in19[i];
  sum += 21 * in20[i];
  sum += 22 * in21[i];
  sum += 23 * in22[i];
  sum += 24 * in23[i];
  sum += 25 * in24[i];
  sum += 26 * in25[i];
  sum += 27 * in26[i];
  sum += 28 * in27[i];
  sum += 29 * in28[i];
  sum += 30 * in29[i];
  sum += 31 * in30[i];
  sum += 32 * in31[i];
  sum += 33 * in32[i];
  sum += 34 * in33[i];
  sum += 35 * in34[i];
  sum += 36 * in35[i];
  sum += 37 * in36[i];
  sum += 38 * in37[i];
  sum += 39 * in38[i];
  result[i] = sum;
}
