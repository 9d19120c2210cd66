// Compile with --fmad=false.
extern "C" __global__ void __launch_bounds__(1 * 1 * 1) running_sum(unsigned int* m0_control, const unsigned int* m1_messages, unsigned int* m2_replies, unsigned int p0_first, unsigned int p1_most, unsigned int p2_shift, unsigned int p3_linger, unsigned int* m3_own0, unsigned int p4_length0, unsigned int p5_length1, unsigned int p6_length2) {
  unsigned int v0 = 0;
  v0 = p0_first;
  unsigned int v3 = 0;
  v3 = p1_most;
  unsigned int v6 = 0;
  v6 = 0u;
  for (; v3 != 0u; ) {
    unsigned int v21 = 0;
    v21 = 0u;
    const unsigned int v33 = 32u + (v0 & ((1u << (p2_shift & 31u)) - 1u));
    const bool v34 = v33 < p4_length0;
    const unsigned int v37 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
    __threadfence_system();
    unsigned int v39 = 0;
    v39 = v34 ? v37 : 0u;
    const unsigned int v52 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v52 < 3u)) {
      const unsigned int v59 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
      __threadfence_system();
      v39 = v34 ? v59 : 0u;
    }
    const unsigned int v73 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v73 < 3u)) {
      const unsigned int v80 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
      __threadfence_system();
      v39 = v34 ? v80 : 0u;
    }
    const unsigned int v94 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v94 < 3u)) {
      const unsigned int v101 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
      __threadfence_system();
      v39 = v34 ? v101 : 0u;
    }
    const unsigned int v115 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v115 < 3u)) {
      const unsigned int v122 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
      __threadfence_system();
      v39 = v34 ? v122 : 0u;
    }
    const unsigned int v136 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v136 < 3u)) {
      const unsigned int v143 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
      __threadfence_system();
      v39 = v34 ? v143 : 0u;
    }
    const unsigned int v157 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v157 < 3u)) {
      const unsigned int v164 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
      __threadfence_system();
      v39 = v34 ? v164 : 0u;
    }
    const unsigned int v178 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (!(v178 < 3u)) {
      const unsigned int v185 = *(volatile unsigned int*)((unsigned int*)&m0_control[v34 ? v33 : 0u]);
      __threadfence_system();
      v39 = v34 ? v185 : 0u;
    }
    const unsigned int v199 = (v39 ^ ((v0 >> (p2_shift & 31u)) << 4u)) - 1u;
    if (v199 < 3u) {
      v21 = v39;
    }
    const unsigned int v206 = *(volatile unsigned int*)((unsigned int*)&m0_control[0u]);
    if (v206 != 0u) {
      v21 = 4294967292u;
    }
    const unsigned int v212 = v21;
    if (v212 == 4294967292u) {
      break;
    }
    if (v212 != 0u) {
      unsigned int v220 = 0;
      const unsigned int v222 = v0;
      const unsigned int v229 = v222 & ((1u << (p2_shift & 31u)) - 1u);
      v220 = 0u;
      unsigned int v231 = 0;
      v231 = 0u;
      const bool v237 = v229 < p5_length1;
      const unsigned int v240 = m1_messages[v237 ? v229 : 0u];
      m3_own0[0u] = m3_own0[0u] + (v237 ? v240 : 0u);
      const unsigned int v247 = m3_own0[0u];
      if (v229 < p6_length2) {
        m2_replies[v229] = v247;
      }
      v220 = 1u;
      const unsigned int v262 = ((v222 >> (p2_shift & 31u)) << 4u) + 16u;
      const bool v265 = v231 != 0u;
      const unsigned int v272 = (v220 != 0u) ? 4u : 8u;
      const unsigned int v274 = v212 | (v265 ? 12u : v272);
      const unsigned int v275 = ((v212 & 3u) == 1u) ? v262 : v274;
      const unsigned int v285 = 32u + (v0 & ((1u << (p2_shift & 31u)) - 1u));
      __threadfence_system();
      if (v285 < p4_length0) {
        atomicExch(((unsigned int*)&m0_control[v285]), v275);
      }
      v0 = v0 + 1u;
      v3 = v3 - 1u;
      v6 = 0u;
      const unsigned int v302 = v0;
      if (16u < p4_length0) {
        atomicExch(((unsigned int*)&m0_control[16u]), v302);
      }
      if (v265) {
        const bool v307 = 17u < p4_length0;
        const unsigned int v310 = m0_control[v307 ? 17u : 0u];
        const unsigned int v314 = (v307 ? v310 : 0u) + 1u;
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
