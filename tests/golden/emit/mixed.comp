#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(push_constant) uniform Constants { uint w[13]; } p0_constants;
layout(std430, set = 0, binding = 0) coherent readonly buffer Block0 { uint m0_b[]; };
layout(std430, set = 0, binding = 1) coherent buffer Block1 { uint m1_h[]; };
layout(std430, set = 0, binding = 2) coherent buffer Block2 { double m2_d[]; };
layout(std430, set = 0, binding = 3) coherent buffer Block3 { int64_t m3_l[]; };
layout(std430, set = 0, binding = 4) coherent buffer Block4 { uint m4_c[]; };
shared uint m5_tile[48];
layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
void main() {
  float m6_own[5];
  uint v0 = gl_LocalInvocationID.z;
  uint v1 = gl_WorkGroupSize.z;
  uint v2 = p0_constants.w[12];
  bool v3 = v1 < v2;
  uint v7 = (v3 ? v1 : 0u) * 2u;
  uint v21 = (((m1_h[v7 >> 2u] >> ((v7 & 3u) << 3u)) & 65535u) & 65535u) & 65535u;
  uint v25 = (v3 ? v21 : 0u) & 65535u;
  uint v27 = v25 & 65535u;
  uint v31 = (v27 & 32767u) << 13u;
  uint v33 = v31 & 260046848u;
  uint v37 = v31 + 939524096u;
  uint v39 = v37 + 939524096u;
  precise float v46 = uintBitsToFloat(v37 + 8388608u) - 6.1035156e-05;
  uint v48 = (v33 == 0u) ? floatBitsToUint(v46) : v37;
  float v55 = uintBitsToFloat(((v33 == 260046848u) ? v39 : v48) | ((v27 & 32768u) << 16u));
  precise float v60 = fma((v55 < uintBitsToFloat(4286578688u)) ? uintBitsToFloat(4286578688u) : v55, (-2.5), v55);
  int v74 = int(((v60 >= (-2147483648.0)) && (v60 < 2147483648.0)) ? v60 : 0.0);
  int v78 = ((v60 >= 2147483648.0) ? 2147483647 : ((v60 < (-2147483648.0)) ? (-2147483647 - 1) : v74)) - (-2147483647 - 1);
  int v81 = -v78;
  uint v84 = gl_NumWorkGroups.x;
  bool v86 = v84 < uint(m3_l.length());
  int64_t v89 = m3_l[v86 ? v84 : 0u];
  int64_t v91 = v86 ? v89 : 0L;
  uint v92 = gl_GlobalInvocationID.y;
  bool v94 = v92 < p0_constants.w[11];
  uint v96 = v94 ? v92 : 0u;
  uint v106 = (m0_b[v96 >> 2u] >> ((v96 & 3u) << 3u)) & 255u;
  int64_t v114 = int64_t(int((v94 ? v106 : 0u) << 24u) >> 24);
  int64_t v124 = ((v114 == 0L) || ((v91 == (-9223372036854775807L - 1)) && (v114 == (0L - 1)))) ? 1L : v114;
  int64_t v127 = v91 - v91 / v124 * v124;
  uint64_t v128 = uint64_t(v127);
  uint64_t v131 = uint64_t(v91);
  uint64_t v147 = (v128 >> 32UL) * (v131 & 4294967295UL) + (((v128 & 4294967295UL) * (v131 & 4294967295UL)) >> 32UL);
  uint64_t v160 = ((v128 & 4294967295UL) * (v131 >> 32UL) + (v147 & 4294967295UL)) >> 32UL;
  uint64_t v165 = (v127 < 0L) ? v131 : 0UL;
  uint64_t v169 = (v91 < 0L) ? v128 : 0UL;
  uint64_t v170 = (v128 >> 32UL) * (v131 >> 32UL) + (v147 >> 32UL) + v160 - v165 - v169;
  m6_own[v0] = float((v78 < 0) ? v81 : v78);
  uint v174 = v0 * 2u;
  uint v176 = v174 >> 2u;
  uint v177 = atomicOr(m5_tile[v176], 0u);
  uint v178 = 0u;
  v178 = v177;
  uint v184 = (v174 & 3u) << 3u;
  uint v186 = ~(65535u << v184);
  uint64_t v193 = uint64_t(p0_constants.w[8]) | (uint64_t(p0_constants.w[9]) << 32UL);
  uint v197 = (uint(v193) & 65535u) << v184;
  for (;;) {
    uint v199 = v178;
    uint v202 = atomicCompSwap(m5_tile[v176], v199, (v199 & v186) | v197);
    if (v202 == v199) {
      break;
    }
    v178 = v202;
  }
  groupMemoryBarrier(); barrier();
  uint v208 = 0u;
  uint v209 = gl_WorkGroupID.y;
  v208 = v209;
  bool v211 = false;
  v211 = v209 < 96u;
  uint v215 = p0_constants.w[5];
  uint v216 = 0u;
  bool again218 = false;
  for (;;) {
    if (again218) {
      uint v245 = v208;
      v211 = 96u - v245 > 3u;
      v208 = v245 + 3u;
    }
    again218 = true;
    if (!v211) {
      break;
    }
    uint v225 = v208 * 2u;
    uint v235 = (m5_tile[v225 >> 2u] >> ((v225 & 3u) << 3u)) & 65535u;
    if (v235 > v215) {
      continue;
    } else {
      uint v240 = v216 + v235;
      if (v240 == 3u) {
        break;
      }
      v216 = v240;
    }
  }
  uint v251 = 0u;
  uint v256 = v216 << (p0_constants.w[11] & 31u);
  uint v265 = ((v256 & 1431655765u) << 1u) | ((v256 >> 1u) & 1431655765u);
  uint v274 = ((v265 & 858993459u) << 2u) | ((v265 >> 2u) & 858993459u);
  uint v283 = ((v274 & 252645135u) << 4u) | ((v274 >> 4u) & 252645135u);
  uint v292 = ((v283 & 16711935u) << 8u) | ((v283 >> 8u) & 16711935u);
  uint v302 = uint(31 - findMSB(((v292 & 65535u) << 16u) | ((v292 >> 16u) & 65535u)));
  bool v304 = v302 < 5u;
  uint v308 = floatBitsToUint(m6_own[v304 ? v302 : 0u]);
  float v311 = uintBitsToFloat(v304 ? v308 : 0u);
  uint v312 = floatBitsToUint(v311);
  v251 = v312;
  uint v316 = floatBitsToUint((-2.5)) & 2147483647u;
  uint v322 = v312 & 2147483647u;
  uint v328 = v312 & 2147483648u;
  if ((v316 == 0u) || ((v316 > 2139095040u) || (v322 >= 2139095040u))) {
    v251 = 2143289344u;
  } else {
    if (v322 >= v316) {
      uint v334 = 0u;
      int v337 = int(v322 >> 23u);
      bool v339 = v337 == 0;
      uint v342 = uint(31 - findMSB(v322)) - 8u;
      uint v345 = v322 << (v342 & 31u);
      uint v349 = (v322 & 8388607u) | 8388608u;
      v334 = v339 ? v345 : v349;
      int v352 = 0;
      int v355 = 1 - int(v342);
      v352 = v339 ? v355 : v337;
      int v360 = int(v316 >> 23u);
      bool v362 = v360 == 0;
      uint v366 = uint(31 - findMSB(v316)) - 8u;
      int v368 = 1 - int(v366);
      int v369 = v362 ? v368 : v360;
      uint v372 = v316 << (v366 & 31u);
      uint v376 = (v316 & 8388607u) | 8388608u;
      uint v377 = v362 ? v372 : v376;
      for (; !(v352 <= v369); v352 = v352 - 1) {
        uint v383 = v334;
        uint v385 = v383 - v377;
        v334 = ((v383 >= v377) ? v385 : v383) << 1u;
      }
      uint v394 = v334;
      uint v396 = v394 - v377;
      uint v397 = (v394 >= v377) ? v396 : v394;
      uint v402 = uint(31 - findMSB(v397)) - 8u;
      int v404 = v369 - int(v402);
      uint v409 = v397 << (v402 & 31u);
      uint v415 = (v409 & 8388607u) | (uint(v404) << 23u);
      uint v421 = v409 >> (uint(1 - v404) & 31u);
      v251 = v328 | ((v397 == 0u) ? v397 : ((v404 > 0) ? v415 : v421));
    }
  }
  uint v426 = p0_constants.w[10];
  uint v430 = floatBitsToUint(uintBitsToFloat(v251));
  uint v432 = v430 & 2147483647u;
  precise float v444 = uintBitsToFloat(v432) + 0.5;
  uint v447 = floatBitsToUint(v444) - 1056964608u;
  uint v456 = (v432 + 3355447295u + ((v432 >> 13u) & 1u)) >> 13u;
  uint v462 = (v430 >> 16u) & 32768u;
  uint v465 = (((v432 >= 1199570944u) ? ((v432 > 2139095040u) ? 32256u : 31744u) : ((v432 < 947912704u) ? v447 : v456)) | v462) & 65535u;
  uint v469 = (v465 & 65535u) & 65535u;
  uint v473 = (v469 & 32767u) << 13u;
  uint v475 = v473 & 260046848u;
  uint v479 = v473 + 939524096u;
  uint v481 = v479 + 939524096u;
  precise float v488 = uintBitsToFloat(v479 + 8388608u) - 6.1035156e-05;
  uint v490 = (v475 == 0u) ? floatBitsToUint(v488) : v479;
  uint v499 = v25 & 65535u;
  uint v503 = (v499 & 32767u) << 13u;
  uint v505 = v503 & 260046848u;
  uint v509 = v503 + 939524096u;
  uint v511 = v509 + 939524096u;
  precise float v518 = uintBitsToFloat(v509 + 8388608u) - 6.1035156e-05;
  uint v520 = (v505 == 0u) ? floatBitsToUint(v518) : v509;
  float v527 = uintBitsToFloat(((v505 == 260046848u) ? v511 : v520) | ((v499 & 32768u) << 16u));
  precise float v528 = uintBitsToFloat(((v475 == 260046848u) ? v481 : v490) | ((v469 & 32768u) << 16u)) * v527;
  uint v529 = floatBitsToUint(v528);
  uint v531 = v529 & 2147483647u;
  precise float v543 = uintBitsToFloat(v531) + 0.5;
  uint v546 = floatBitsToUint(v543) - 1056964608u;
  uint v555 = (v531 + 3355447295u + ((v531 >> 13u) & 1u)) >> 13u;
  uint v561 = (v529 >> 16u) & 32768u;
  uint v564 = (((v531 >= 1199570944u) ? ((v531 > 2139095040u) ? 32256u : 31744u) : ((v531 < 947912704u) ? v546 : v555)) | v561) & 65535u;
  uint v566 = v564 & 65535u;
  if (v426 < v2) {
    uint v569 = v426 * 2u;
    uint v571 = v569 >> 2u;
    uint v572 = atomicOr(m1_h[v571], 0u);
    uint v573 = 0u;
    v573 = v572;
    uint v579 = (v569 & 3u) << 3u;
    uint v581 = ~(65535u << v579);
    uint v584 = (v566 & 65535u) << v579;
    for (;;) {
      uint v586 = v573;
      uint v589 = atomicCompSwap(m1_h[v571], v586, (v586 & v581) | v584);
      if (v589 == v586) {
        break;
      }
      v573 = v589;
    }
  }
  double v604 = uint64BitsToDouble(uint64_t(p0_constants.w[2]) | (uint64_t(p0_constants.w[3]) << 32UL));
  precise double v605 = double(v302) * v604;
  if (v92 < uint(m2_d.length())) {
    m2_d[v92] = v605;
  }
  int64_t v616 = int64_t(uint64_t(uint(bitCount(uint(v193))) + uint(bitCount(uint(v193 >> 32UL)))));
  int64_t v617 = v616 + int64_t(v170);
  if (v86) {
    m3_l[v84] = v617;
  }
  uint v620 = uint(m4_c.length());
  uint v622 = 0u;
  if (v92 < v620) {
    uint v624 = atomicMax(m4_c[v92], v302);
    v622 = v624;
  }
  uint v627 = v622;
  if (v1 < v620) {
    uint v629 = atomicCompSwap(m4_c[v1], v627, v256);
  }
  precise float v632 = sqrt(v311);
  if (v92 < 5u) {
    m6_own[v92] = v632;
  }
  memoryBarrier();
  return;
}
