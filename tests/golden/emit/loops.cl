#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void loops(__global uint* restrict m0_x, uint p0_n, uint p1_length0) {
  uint v0 = 0;
  v0 = 0u;
  const uint v3 = p0_n;
  const uint v4 = p1_length0;
  const uint v5 = (uint)get_global_id(0);
  uint v7 = 0;
  for (; !(v0 >= v3); v0 = v0 + 1u) {
    const uint v10 = v0;
    const bool v14 = v10 < v4;
    const uint v16 = v14 ? v10 : 0u;
    const uint v17 = m0_x[v16];
    const uint v19 = v14 ? v17 : 0u;
    if ((v19 < v5) && (v19 > 3u)) {
      continue;
    }
    v7 = v19;
  }
  uint v29 = 0;
  v29 = 0u;
  bool v31 = 0;
  const bool v32 = 0u < v3;
  v31 = v32;
  for (;;) {
    const bool v35 = v31;
    if (!v35) {
      break;
    }
    const uint v39 = v29;
    const bool v40 = v39 < v5;
    if (v40) {
      if (v39 < v4) {
        m0_x[v39] = v39;
      }
    }
    if (v40) {
      v7 = v39;
    }
    const uint v47 = v29;
    const uint v48 = v3 - v47;
    const bool v49 = v48 > 3u;
    v31 = v49;
    const uint v51 = v47 + 3u;
    v29 = v51;
  }
  for (; v7 < v3; ) {
    const uint v54 = v7;
    const uint v59 = v54 + 1u;
    v7 = v59;
  }
  const uint v62 = v7;
  if (v5 < v4) {
    m0_x[v5] = v62;
  }
}
