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
  uint v0 = gl_GlobalInvocationID.x;
  bool v2 = v0 < uint(m0_x.length());
  int v5 = m0_x[v2 ? v0 : 0u];
  int v8 = subgroupAdd(v2 ? v5 : 0);
  int v9 = subgroupMin(v8);
  int v10 = subgroupMax(v9);
  int v11 = subgroupInclusiveAdd(v10);
  int v12 = subgroupAnd(v11);
  int v13 = subgroupOr(v12);
  int v15 = subgroupShuffle(v13, gl_SubgroupSize);
  int v16 = subgroupBroadcastFirst(v15);
  bool v20 = subgroupAny(gl_SubgroupInvocationID < gl_SubgroupID);
  bool v21 = subgroupAll(v20);
  float v23 = subgroupMin(float(v16));
  uint v37 = uint(((v23 >= 0.0) && (v23 < 4294967296.0)) ? v23 : 0.0);
  uint v40 = subgroupMax((v23 >= 4294967296.0) ? 4294967295u : ((v23 < 0.0) ? 0u : v37));
  uint v41 = uint(m1_n.length());
  bool v42 = v40 < v41;
  uint64_t v45 = m1_n[v42 ? v40 : 0u];
  uint64_t v47 = v42 ? v45 : 0UL;
  uint64_t v48 = subgroupAdd(v47);
  if (!v21) {
    bool v51 = v0 < v41;
    uint64_t v52 = 0UL;
    if (v51) {
      uint64_t v54 = atomicMax(m1_n[v0], v48);
      v52 = v54;
    }
    uint64_t v56 = v52;
    if (v51) {
      uint64_t v58 = atomicCompSwap(m1_n[v0], v56, v47);
    }
  }
}
