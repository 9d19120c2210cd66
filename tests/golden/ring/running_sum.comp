#version 450
layout(push_constant) uniform Constants { uint w[4]; } p0_constants;
layout(std430, set = 0, binding = 0) coherent buffer Block0 { uint m0_control[]; };
layout(std430, set = 0, binding = 1) coherent readonly buffer Block1 { uint m1_messages[]; };
layout(std430, set = 0, binding = 2) coherent buffer Block2 { uint m2_replies[]; };
layout(std430, set = 0, binding = 3) coherent buffer Block3 { uint m3_own0[]; };
layout(local_size_x = 1, local_size_y = 1, local_size_z = 1) in;
void main() {
  uint v0 = 0u;
  v0 = p0_constants.w[0];
  uint v3 = 0u;
  v3 = p0_constants.w[1];
  uint v6 = 0u;
  v6 = 0u;
  uint v9 = p0_constants.w[2];
  uint v10 = uint(m0_control.length());
  uint v11 = uint(m1_messages.length());
  uint v12 = uint(m2_replies.length());
  uint v13 = p0_constants.w[3];
  for (; v3 != 0u; ) {
    uint v21 = 0u;
    v21 = 0u;
    uint v33 = 32u + (v0 & ((1u << (v9 & 31u)) - 1u));
    bool v34 = v33 < v10;
    uint v37 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
    memoryBarrier();
    uint v39 = 0u;
    v39 = v34 ? v37 : 0u;
    uint v52 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v52 < 3u)) {
      uint v59 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
      memoryBarrier();
      v39 = v34 ? v59 : 0u;
    }
    uint v73 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v73 < 3u)) {
      uint v80 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
      memoryBarrier();
      v39 = v34 ? v80 : 0u;
    }
    uint v94 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v94 < 3u)) {
      uint v101 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
      memoryBarrier();
      v39 = v34 ? v101 : 0u;
    }
    uint v115 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v115 < 3u)) {
      uint v122 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
      memoryBarrier();
      v39 = v34 ? v122 : 0u;
    }
    uint v136 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v136 < 3u)) {
      uint v143 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
      memoryBarrier();
      v39 = v34 ? v143 : 0u;
    }
    uint v157 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v157 < 3u)) {
      uint v164 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
      memoryBarrier();
      v39 = v34 ? v164 : 0u;
    }
    uint v178 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (!(v178 < 3u)) {
      uint v185 = atomicOr(m0_control[v34 ? v33 : 0u], 0u);
      memoryBarrier();
      v39 = v34 ? v185 : 0u;
    }
    uint v199 = (v39 ^ ((v0 >> (v9 & 31u)) << 4u)) - 1u;
    if (v199 < 3u) {
      v21 = v39;
    }
    uint v206 = atomicOr(m0_control[0u], 0u);
    if (v206 != 0u) {
      v21 = 4294967292u;
    }
    uint v212 = v21;
    if (v212 == 4294967292u) {
      break;
    }
    if (v212 != 0u) {
      uint v220 = 0u;
      uint v222 = v0;
      uint v229 = v222 & ((1u << (v9 & 31u)) - 1u);
      v220 = 0u;
      uint v231 = 0u;
      v231 = 0u;
      bool v237 = v229 < v11;
      uint v240 = m1_messages[v237 ? v229 : 0u];
      m3_own0[0u] = m3_own0[0u] + (v237 ? v240 : 0u);
      uint v247 = m3_own0[0u];
      if (v229 < v12) {
        m2_replies[v229] = v247;
      }
      v220 = 1u;
      uint v262 = ((v222 >> (v9 & 31u)) << 4u) + 16u;
      bool v265 = v231 != 0u;
      uint v272 = (v220 != 0u) ? 4u : 8u;
      uint v274 = v212 | (v265 ? 12u : v272);
      uint v275 = ((v212 & 3u) == 1u) ? v262 : v274;
      uint v285 = 32u + (v0 & ((1u << (v9 & 31u)) - 1u));
      memoryBarrier();
      if (v285 < v10) {
        atomicExchange(m0_control[v285], v275);
      }
      v0 = v0 + 1u;
      v3 = v3 - 1u;
      v6 = 0u;
      uint v302 = v0;
      if (16u < v10) {
        atomicExchange(m0_control[16u], v302);
      }
      if (v265) {
        bool v307 = 17u < v10;
        uint v310 = m0_control[v307 ? 17u : 0u];
        uint v314 = (v307 ? v310 : 0u) + 1u;
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
