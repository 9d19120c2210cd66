#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
#pragma METAL fp math_mode(safe)
[[max_total_threads_per_threadgroup(1 * 1 * 1)]]
kernel void running_sum(device uint* m0_control [[buffer(0)]], device const uint* m1_messages [[buffer(1)]], device uint* m2_replies [[buffer(2)]], device uint* m3_own0 [[buffer(3)]], constant uint* p0_constants [[buffer(4)]]) {
  uint v0 = 0;
  v0 = p0_constants[0];
  uint v3 = 0;
  v3 = p0_constants[1];
  uint v6 = 0;
  v6 = 0u;
  const uint v9 = p0_constants[2];
  const uint v10 = p0_constants[4];
  const uint v11 = p0_constants[5];
  const uint v12 = p0_constants[6];
  const uint v13 = p0_constants[3];
  for (; v3 != 0u; ) {
    uint v21 = 0;
    v21 = 0u;
    const uint v33 = 32u + (v0 & ((1u << (v9 & 31u)) - 1u));
    const bool v34 = v33 < v10;
    const uint v37 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
    atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
    uint v39 = 0;
    v39 = v34 ? v37 : 0u;
    const uint v52 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v52 < 3u)) {
      const uint v59 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      v39 = v34 ? v59 : 0u;
    }
    const uint v73 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v73 < 3u)) {
      const uint v80 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      v39 = v34 ? v80 : 0u;
    }
    const uint v94 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v94 < 3u)) {
      const uint v101 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      v39 = v34 ? v101 : 0u;
    }
    const uint v115 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v115 < 3u)) {
      const uint v122 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      v39 = v34 ? v122 : 0u;
    }
    const uint v136 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v136 < 3u)) {
      const uint v143 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      v39 = v34 ? v143 : 0u;
    }
    const uint v157 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v157 < 3u)) {
      const uint v164 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      v39 = v34 ? v164 : 0u;
    }
    const uint v178 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v178 < 3u)) {
      const uint v185 = atomic_load_explicit(((device atomic_uint*)&m0_control[v34 ? v33 : 0u]), memory_order_relaxed);
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      v39 = v34 ? v185 : 0u;
    }
    const uint v199 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (v199 < 3u) {
      v21 = v39;
    }
    const uint v206 = atomic_load_explicit(((device atomic_uint*)&m0_control[0u]), memory_order_relaxed);
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
      const uint v229 = v222 & ((1u << (v9 & 31u)) - 1u);
      v220 = 0u;
      uint v231 = 0;
      v231 = 0u;
      const bool v237 = v229 < v11;
      const uint v240 = m1_messages[v237 ? v229 : 0u];
      m3_own0[0u] = m3_own0[0u] + (v237 ? v240 : 0u);
      const uint v247 = m3_own0[0u];
      if (v229 < v12) {
        m2_replies[v229] = v247;
      }
      v220 = 1u;
      const uint v262 = ((v222 >> (v9 & 31u)) << 4u) + 16u;
      const bool v265 = v231 != 0u;
      const uint v272 = (v220 != 0u) ? 4u : 8u;
      const uint v274 = v212 | (v265 ? 12u : v272);
      const uint v275 = ((v212 & 3u) == 1u) ? v262 : v274;
      const uint v285 = 32u + (v0 & ((1u << (v9 & 31u)) - 1u));
      atomic_thread_fence(mem_flags::mem_device | mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_device);
      if (v285 < v10) {
        atomic_store_explicit(((device atomic_uint*)&m0_control[v285]), v275, memory_order_relaxed);
      }
      v0 = v0 + 1u;
      v3 = v3 - 1u;
      v6 = 0u;
      const uint v302 = v0;
      if (16u < v10) {
        atomic_store_explicit(((device atomic_uint*)&m0_control[16u]), v302, memory_order_relaxed);
      }
      if (v265) {
        const bool v307 = 17u < v10;
        const uint v310 = m0_control[v307 ? 17u : 0u];
        const uint v314 = (v307 ? v310 : 0u) + 1u;
        if (v307) {
          m0_control[17u] = v314;
        }
        break;
      }
    } else {
      v6 = v6 + 1u;
      if (v6 > v13) {
        break;
      }
    }
  }
}
