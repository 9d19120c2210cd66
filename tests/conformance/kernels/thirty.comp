// 20 buffers, 9 scalars and the count: result[i] = the sum of (b + 1) * in_b[i] and (1000 + s) * scalar_s.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(std430, set = 0, binding = 0) writeonly buffer Buffer0 { uint result[]; };
layout(std430, set = 0, binding = 1) readonly buffer Buffer1 { uint in0[]; };
layout(std430, set = 0, binding = 2) readonly buffer Buffer2 { uint in1[]; };
layout(std430, set = 0, binding = 3) readonly buffer Buffer3 { uint in2[]; };
layout(std430, set = 0, binding = 4) readonly buffer Buffer4 { uint in3[]; };
layout(std430, set = 0, binding = 5) readonly buffer Buffer5 { uint in4[]; };
layout(std430, set = 0, binding = 6) readonly buffer Buffer6 { uint in5[]; };
layout(std430, set = 0, binding = 7) readonly buffer Buffer7 { uint in6[]; };
layout(std430, set = 0, binding = 8) readonly buffer Buffer8 { uint in7[]; };
layout(std430, set = 0, binding = 9) readonly buffer Buffer9 { uint in8[]; };
layout(std430, set = 0, binding = 10) readonly buffer Buffer10 { uint in9[]; };
layout(std430, set = 0, binding = 11) readonly buffer Buffer11 { uint in10[]; };
layout(std430, set = 0, binding = 12) readonly buffer Buffer12 { uint in11[]; };
layout(std430, set = 0, binding = 13) readonly buffer Buffer13 { uint in12[]; };
layout(std430, set = 0, binding = 14) readonly buffer Buffer14 { uint in13[]; };
layout(std430, set = 0, binding = 15) readonly buffer Buffer15 { uint in14[]; };
layout(std430, set = 0, binding = 16) readonly buffer Buffer16 { uint in15[]; };
layout(std430, set = 0, binding = 17) readonly buffer Buffer17 { uint in16[]; };
layout(std430, set = 0, binding = 18) readonly buffer Buffer18 { uint in17[]; };
layout(std430, set = 0, binding = 19) readonly buffer Buffer19 { uint in18[]; };
layout(push_constant) uniform Constants { uint s0; uint s1; uint s2; uint s3; uint s4; uint s5; uint s6; uint s7; uint s8; uint count; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
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
