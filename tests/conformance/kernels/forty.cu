// result[i] = the sum of (b + 1) * in_b[i]: 40 buffers, more than some devices bind.
extern "C" __global__ void forty(uint* result,
                    const uint* in0, const uint* in1, const uint* in2,
                    const uint* in3, const uint* in4, const uint* in5,
                    const uint* in6, const uint* in7, const uint* in8,
                    const uint* in9, const uint* in10, const uint* in11,
                    const uint* in12, const uint* in13, const uint* in14,
                    const uint* in15, const uint* in16, const uint* in17,
                    const uint* in18, const uint* in19, const uint* in20,
                    const uint* in21, const uint* in22, const uint* in23,
                    const uint* in24, const uint* in25, const uint* in26,
                    const uint* in27, const uint* in28, const uint* in29,
                    const uint* in30, const uint* in31, const uint* in32,
                    const uint* in33, const uint* in34, const uint* in35,
                    const uint* in36, const uint* in37, const uint* in38,
                    uint count) {
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
