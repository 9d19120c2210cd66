#pragma OPENCL FP_CONTRACT OFF
#if !defined(__opencl_c_atomic_scope_all_devices) && __OPENCL_C_VERSION__ >= 300
#define memory_scope_all_svm_devices memory_scope_device
#endif
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void running_sum(__global uint* m0_control, __global const uint* m1_messages, __global uint* m2_replies, uint p0_first, uint p1_most, uint p2_shift, uint p3_linger, __global uint* m3_own0, uint p4_length0, uint p5_length1, uint p6_length2) {
  uint v0 = 0;
  v0 = p0_first;
  uint v3 = 0;
  v3 = p1_most;
  uint v6 = 0;
  v6 = 0u;
  for (; v3 != 0u; ) {
    uint v21 = 0;
    v21 = 0u;
    const uint v33 = 32u + (v0 & ((1u << (p2_shift & 31u)) - 1u));
    const bool v34 = v33 < p4_length0;
    const uint v37 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
    uint v39 = 0;
    v39 = v34 ? v37 : 0u;
    const uint v52 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v52 < 3u)) {
      const uint v59 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      v39 = v34 ? v59 : 0u;
    }
    const uint v73 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v73 < 3u)) {
      const uint v80 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      v39 = v34 ? v80 : 0u;
    }
    const uint v94 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v94 < 3u)) {
      const uint v101 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      v39 = v34 ? v101 : 0u;
    }
    const uint v115 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v115 < 3u)) {
      const uint v122 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      v39 = v34 ? v122 : 0u;
    }
    const uint v136 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v136 < 3u)) {
      const uint v143 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      v39 = v34 ? v143 : 0u;
    }
    const uint v157 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v157 < 3u)) {
      const uint v164 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      v39 = v34 ? v164 : 0u;
    }
    const uint v178 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v178 < 3u)) {
      const uint v185 = *((volatile __global uint*)&m0_control[v34 ? v33 : 0u]);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      v39 = v34 ? v185 : 0u;
    }
    const uint v199 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (v199 < 3u) {
      v21 = v39;
    }
    const uint v206 = *((volatile __global uint*)&m0_control[0u]);
    if (v206 != 0u) {
      v21 = 4294967292u;
    }
    const uint v212 = v21;
    if (v212 == 4294967292u) {
      break;
    }
    if (v212 != 0u) {
      uint v220 = 0;
      const uint v222 = v0;
      const uint v229 = v222 & ((1u << (p2_shift & 31u)) - 1u);
      v220 = 0u;
      uint v231 = 0;
      v231 = 0u;
      const bool v237 = v229 < p5_length1;
      const uint v240 = m1_messages[v237 ? v229 : 0u];
      m3_own0[0u] = m3_own0[0u] + (v237 ? v240 : 0u);
      const uint v247 = m3_own0[0u];
      if (v229 < p6_length2) {
        m2_replies[v229] = v247;
      }
      v220 = 1u;
      const uint v262 = ((v222 >> (p2_shift & 31u)) << 4u) + 16u;
      const bool v265 = v231 != 0u;
      const uint v272 = (v220 != 0u) ? 4u : 8u;
      const uint v274 = v212 | (v265 ? 12u : v272);
      const uint v275 = ((v212 & 3u) == 1u) ? v262 : v274;
      const uint v285 = 32u + (v0 & ((1u << (p2_shift & 31u)) - 1u));
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_all_svm_devices);
      if (v285 < p4_length0) {
        atomic_xchg(((volatile __global uint*)&m0_control[v285]), v275);
      }
      v0 = v0 + 1u;
      v3 = v3 - 1u;
      v6 = 0u;
      const uint v302 = v0;
      if (16u < p4_length0) {
        atomic_xchg(((volatile __global uint*)&m0_control[16u]), v302);
      }
      if (v265) {
        const bool v307 = 17u < p4_length0;
        const uint v310 = m0_control[v307 ? 17u : 0u];
        const uint v314 = (v307 ? v310 : 0u) + 1u;
        if (v307) {
          m0_control[17u] = v314;
        }
        break;
      }
    } else {
      v6 = v6 + 1u;
      if (v6 > p3_linger) {
        break;
      }
    }
  }
}
