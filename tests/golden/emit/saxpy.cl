#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void saxpy(__global const float* restrict m0_x, __global float* restrict m1_y, float p0_a, uint p1_count0, uint p2_length0, uint p3_length1) {
  const uint v0 = (uint)get_global_id(0);
  if (v0 < p1_count0) {
    const bool v6 = v0 < p3_length1;
    const bool v8 = v0 < p2_length0;
    const uint v12 = as_uint(m0_x[v8 ? v0 : 0u]);
    const uint v20 = as_uint(m1_y[v6 ? v0 : 0u]);
    const float v24 = p0_a * as_float(v8 ? v12 : 0u) + as_float(v6 ? v20 : 0u);
    if (v6) {
      m1_y[v0] = v24;
    }
  }
}
