#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(std430, set = 0, binding = 0) restrict buffer Block0 { int m0_x[]; };
layout(std430, set = 0, binding = 1) restrict buffer Block1 { uint64_t m1_n[]; };
layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;
void main() {
  const uint v0 = gl_GlobalInvocationID.x;
  const uint v1 = uint(m0_x.length());
  const bool v2 = v0 < v1;
  const uint v4 = v2 ? v0 : 0u;
  const int v5 = m0_x[v4];
  const int v7 = v2 ? v5 : 0;
  const int v8 = subgroupAdd(v7);
  const int v9 = subgroupMin(v8);
  const int v10 = subgroupMax(v9);
  const int v11 = subgroupInclusiveAdd(v10);
  const int v12 = subgroupAnd(v11);
  const int v13 = subgroupOr(v12);
  const uint v14 = gl_SubgroupSize;
  const int v15 = subgroupShuffle(v13, v14);
  const int v16 = subgroupBroadcastFirst(v15);
  const uint v17 = gl_SubgroupInvocationID;
  const uint v18 = gl_SubgroupID;
  const bool v19 = v17 < v18;
  const bool v20 = subgroupAny(v19);
  const bool v21 = subgroupAll(v20);
  precise const float v22 = float(v16);
  precise const float v23 = subgroupMin(v22);
  const bool v25 = v23 >= 4294967296.0;
  const bool v28 = v23 < 0.0;
  const bool v31 = v23 >= 0.0;
  const bool v33 = v23 < 4294967296.0;
  const bool v34 = v31 && v33;
  precise const float v36 = v34 ? v23 : 0.0;
  const uint v37 = uint(v36);
  const uint v38 = v28 ? 0u : v37;
  const uint v39 = v25 ? 4294967295u : v38;
  const uint v40 = subgroupMax(v39);
  const uint v41 = uint(m1_n.length());
  const bool v42 = v40 < v41;
  const uint v44 = v42 ? v40 : 0u;
  const uint64_t v45 = m1_n[v44];
  const uint64_t v47 = v42 ? v45 : 0UL;
  const uint64_t v48 = subgroupAdd(v47);
  if (!v21) {
    const bool v51 = v0 < v41;
    uint64_t v52 = 0UL;
    if (v51) {
      const uint64_t v54 = atomicMax(m1_n[v0], v48);
      v52 = v54;
    }
    const uint64_t v56 = v52;
    if (v51) {
      const uint64_t v58 = atomicCompSwap(m1_n[v0], v56, v47);
    }
  }
}
