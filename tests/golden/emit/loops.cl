#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void loops(__global uint* restrict m0_x, uint p0_n, uint p1_length0) {
  uint v0 = 0;
  v0 = 0u;
  const uint v5 = (uint)get_global_id(0);
  uint v7 = 0;
  for (; !(v0 >= p0_n); v0 = v0 + 1u) {
    const uint v10 = v0;
    const bool v14 = v10 < p1_length0;
    const uint v17 = m0_x[v14 ? v10 : 0u];
    const uint v19 = v14 ? v17 : 0u;
    if ((v19 < v5) && (v19 > 3u)) {
      continue;
    }
    v7 = v19;
  }
  uint v29 = 0;
  v29 = 0u;
  bool v31 = 0;
  v31 = 0u < p0_n;
  for (;;) {
    if (!v31) {
      break;
    }
    const uint v39 = v29;
    const bool v40 = v39 < v5;
    if (v40) {
      if (v39 < p1_length0) {
        m0_x[v39] = v39;
      }
    }
    if (v40) {
      v7 = v39;
    }
    const uint v47 = v29;
    v31 = p0_n - v47 > 3u;
    v29 = v47 + 3u;
  }
  for (; v7 < p0_n; ) {
    const uint v54 = v7;
    v7 = v54 + 1u;
  }
  const uint v62 = v7;
  if (v5 < p1_length0) {
    m0_x[v5] = v62;
  }
}
