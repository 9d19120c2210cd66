#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void together(__global int* restrict m0_x, __global ulong* restrict m1_n, uint p0_length0, uint p1_length1) {
  const uint v0 = (uint)get_global_id(0);
  const uint v1 = p0_length0;
  const bool v2 = v0 < v1;
  const uint v4 = v2 ? v0 : 0u;
  const int v5 = m0_x[v4];
  const int v7 = v2 ? v5 : 0;
  const int v8 = sub_group_reduce_add(v7);
  const int v9 = sub_group_reduce_min(v8);
  const int v10 = sub_group_reduce_max(v9);
  const int v11 = sub_group_scan_inclusive_add(v10);
  const int v12 = sub_group_non_uniform_reduce_and(v11);
  const int v13 = sub_group_non_uniform_reduce_or(v12);
  const uint v14 = get_sub_group_size();
  const int v15 = sub_group_shuffle(v13, v14);
  const int v16 = sub_group_broadcast(v15, 0);
  const uint v17 = get_sub_group_local_id();
  const uint v18 = get_sub_group_id();
  const bool v19 = v17 < v18;
  const bool v20 = sub_group_any(v19) != 0;
  const bool v21 = sub_group_all(v20) != 0;
  const float v22 = (float)v16;
  const float v23 = sub_group_reduce_min(v22);
  const bool v25 = v23 >= 4294967296.0f;
  const bool v28 = v23 < 0.0f;
  const bool v31 = v23 >= 0.0f;
  const bool v33 = v23 < 4294967296.0f;
  const bool v34 = v31 & v33;
  const float v36 = v34 ? v23 : 0.0f;
  const uint v37 = (uint)v36;
  const uint v38 = v28 ? 0u : v37;
  const uint v39 = v25 ? 4294967295u : v38;
  const uint v40 = sub_group_reduce_max(v39);
  const uint v41 = p1_length1;
  const bool v42 = v40 < v41;
  const uint v44 = v42 ? v40 : 0u;
  const ulong v45 = m1_n[v44];
  const ulong v47 = v42 ? v45 : 0UL;
  const ulong v48 = sub_group_reduce_add(v47);
  if (!v21) {
    const bool v51 = v0 < v41;
    ulong v52 = 0;
    if (v51) {
      const ulong v54 = atom_max(((volatile __global ulong*)&m1_n[v0]), v48);
      v52 = v54;
    }
    const ulong v56 = v52;
    if (v51) {
      const ulong v58 = atom_cmpxchg(((volatile __global ulong*)&m1_n[v0]), v56, v47);
    }
  }
}
