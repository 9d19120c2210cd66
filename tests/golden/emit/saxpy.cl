#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void saxpy(__global const float* restrict m0_x, __global float* restrict m1_y, float p0_a, uint p1_count0, uint p2_length0, uint p3_length1) {
  const uint v0 = (uint)get_global_id(0);
  const uint v1 = p1_count0;
  const uint v3 = p3_length1;
  const uint v4 = p2_length0;
  if (v0 < v1) {
    const bool v6 = v0 < v3;
    const float v7 = p0_a;
    const bool v8 = v0 < v4;
    const uint v10 = v8 ? v0 : 0u;
    const float v11 = m0_x[v10];
    const uint v12 = as_uint(v11);
    const uint v14 = v8 ? v12 : 0u;
    const float v15 = as_float(v14);
    const float v16 = v7 * v15;
    const uint v18 = v6 ? v0 : 0u;
    const float v19 = m1_y[v18];
    const uint v20 = as_uint(v19);
    const uint v22 = v6 ? v20 : 0u;
    const float v23 = as_float(v22);
    const float v24 = v16 + v23;
    if (v6) {
      m1_y[v0] = v24;
    }
  }
}
