#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void loops(__global uint* restrict m0_x, uint p0_n) {
  uint v0 = 0;
  v0 = 0u;
  const uint v3 = p0_n;
  const uint v4 = (uint)get_global_id(0);
  uint v6 = 0;
  for (; !(v0 >= v3); v0 = v0 + 1u) {
    const uint v9 = v0;
    const uint v13 = m0_x[v9];
    if ((v13 < v4) && (v13 > 3u)) {
      continue;
    }
    v6 = v13;
  }
  uint v23 = 0;
  v23 = 0u;
  bool v25 = 0;
  const bool v26 = 0u < v3;
  v25 = v26;
  bool again28 = false;
  for (;;) {
    if (again28) {
      const uint v39 = v23;
      const uint v40 = v3 - v39;
      const bool v41 = v40 > 3u;
      v25 = v41;
      const uint v43 = v39 + 3u;
      v23 = v43;
    }
    again28 = true;
    const bool v29 = v25;
    if (!v29) {
      break;
    }
    const uint v33 = v23;
    const bool v34 = v33 < v4;
    if (v34) {
      m0_x[v33] = v33;
    }
    if (v34) {
      v6 = v33;
    }
  }
  for (; v6 < v3; ) {
    const uint v46 = v6;
    const uint v51 = v46 + 1u;
    v6 = v51;
  }
  const uint v53 = v6;
  m0_x[v4] = v53;
}
