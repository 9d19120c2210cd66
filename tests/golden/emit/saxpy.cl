#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void saxpy(__global const float* restrict m0_x, __global float* restrict m1_y, float p0_a, uint p1_count0) {
  const uint v0 = (uint)get_global_id(0);
  const uint v1 = p1_count0;
  if (v0 < v1) {
    const float v4 = p0_a;
    const float v5 = m0_x[v0];
    const float v6 = v4 * v5;
    const float v7 = m1_y[v0];
    const float v8 = v6 + v7;
    m1_y[v0] = v8;
  }
}
