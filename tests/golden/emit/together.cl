#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void together(__global int* restrict m0_x, __global ulong* restrict m1_n) {
  const uint v0 = (uint)get_global_id(0);
  const int v1 = m0_x[v0];
  const int v2 = sub_group_reduce_add(v1);
  const int v3 = sub_group_reduce_min(v2);
  const int v4 = sub_group_reduce_max(v3);
  const int v5 = sub_group_scan_inclusive_add(v4);
  const int v6 = sub_group_non_uniform_reduce_and(v5);
  const int v7 = sub_group_non_uniform_reduce_or(v6);
  const uint v8 = get_sub_group_size();
  const int v9 = sub_group_shuffle(v7, v8);
  const int v10 = sub_group_broadcast(v9, 0);
  const uint v11 = get_sub_group_local_id();
  const uint v12 = get_sub_group_id();
  const bool v13 = v11 < v12;
  const bool v14 = sub_group_any(v13) != 0;
  const bool v15 = sub_group_all(v14) != 0;
  const float v16 = (float)v10;
  const float v17 = sub_group_reduce_min(v16);
  const bool v19 = v17 >= 4294967296.0f;
  const bool v22 = v17 < 0.0f;
  const bool v25 = v17 >= 0.0f;
  const bool v27 = v17 < 4294967296.0f;
  const bool v28 = v25 & v27;
  const float v30 = v28 ? v17 : 0.0f;
  const uint v31 = (uint)v30;
  const uint v32 = v22 ? 0u : v31;
  const uint v33 = v19 ? 4294967295u : v32;
  const uint v34 = sub_group_reduce_max(v33);
  const ulong v35 = m1_n[v34];
  const ulong v36 = sub_group_reduce_add(v35);
  if (!v15) {
    const ulong v39 = atom_max(((volatile __global ulong*)&m1_n[v0]), v36);
    const ulong v40 = atom_cmpxchg(((volatile __global ulong*)&m1_n[v0]), v39, v35);
  }
}
