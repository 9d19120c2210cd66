#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void together(__global int* restrict m0_x, __global ulong* restrict m1_n, uint p0_length0, uint p1_length1) {
  const uint v0 = (uint)get_global_id(0);
  const bool v2 = v0 < p0_length0;
  const int v5 = m0_x[v2 ? v0 : 0u];
  const int v8 = sub_group_reduce_add(v2 ? v5 : 0);
  const int v9 = sub_group_reduce_min(v8);
  const int v10 = sub_group_reduce_max(v9);
  const int v11 = sub_group_scan_inclusive_add(v10);
  const int v12 = sub_group_non_uniform_reduce_and(v11);
  const int v13 = sub_group_non_uniform_reduce_or(v12);
  const int v15 = sub_group_shuffle(v13, get_sub_group_size());
  const int v16 = sub_group_broadcast(v15, 0);
  const bool v20 = sub_group_any(get_sub_group_local_id() < get_sub_group_id()) != 0;
  const bool v21 = sub_group_all(v20) != 0;
  const float v23 = sub_group_reduce_min((float)v16);
  const uint v37 = (uint)(((v23 >= 0.0f) & (v23 < 4294967296.0f)) ? v23 : 0.0f);
  const uint v40 = sub_group_reduce_max((v23 >= 4294967296.0f) ? 4294967295u : ((v23 < 0.0f) ? 0u : v37));
  const bool v42 = v40 < p1_length1;
  const ulong v45 = m1_n[v42 ? v40 : 0u];
  const ulong v47 = v42 ? v45 : 0UL;
  const ulong v48 = sub_group_reduce_add(v47);
  if (!v21) {
    const bool v51 = v0 < p1_length1;
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
