#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
#pragma clang fp contract(off)
struct p0_settings_t { unsigned int w[6]; };
extern "C" __global__ void __launch_bounds__(8 * 4 * 2) mixed(const unsigned char* m0_b, const p0_settings_t p0_settings, unsigned short* m1_h, short p1_small, double* m2_d, unsigned long long p2_wide, long long* m3_l, unsigned int* m4_c, unsigned int p3_count2, unsigned int p4_length0, unsigned int p5_length1, unsigned int p6_length2, unsigned int p7_length3, unsigned int p8_length4) {
  __shared__ unsigned short m5_tile[96];
  float m6_own[5];
  const unsigned int v0 = (unsigned int)threadIdx.z;
  const unsigned int v1 = (unsigned int)blockDim.z;
  const bool v3 = v1 < p5_length1;
  const unsigned short v8 = m1_h[v3 ? v1 : 0u];
  const unsigned short v11 = (v3 ? v8 : 0);
  const unsigned int v13 = (unsigned int)v11;
  const unsigned int v17 = (v13 & 32767u) << 13u;
  const unsigned int v19 = v17 & 260046848u;
  const unsigned int v23 = v17 + 939524096u;
  const unsigned int v25 = v23 + 939524096u;
  const unsigned int v33 = __float_as_uint(__uint_as_float(v23 + 8388608u) - 6.1035156e-05f);
  const float v41 = __uint_as_float(((v19 == 260046848u) ? v25 : ((v19 == 0u) ? v33 : v23)) | ((v13 & 32768u) << 16u));
  const float v46 = fma((v41 < __uint_as_float(4286578688u)) ? __uint_as_float(4286578688u) : v41, (-2.5f), v41);
  const int v60 = (int)(((v46 >= (-2147483648.0f)) & (v46 < 2147483648.0f)) ? v46 : 0.0f);
  const int v66 = (int)((unsigned int)((v46 >= 2147483648.0f) ? 2147483647 : ((v46 < (-2147483648.0f)) ? (-2147483647 - 1) : v60)) - 2147483648u);
  const int v71 = (int)(-(unsigned int)v66);
  const unsigned int v74 = (unsigned int)gridDim.x;
  const bool v76 = v74 < p7_length3;
  const long long v79 = m3_l[v76 ? v74 : 0u];
  const long long v81 = v76 ? v79 : 0LL;
  const unsigned int v83 = blockIdx.y * blockDim.y + threadIdx.y;
  const bool v85 = v83 < p4_length0;
  const unsigned char v88 = m0_b[v85 ? v83 : 0u];
  const long long v93 = (long long)(int)(signed char)(unsigned char)(v85 ? v88 : 0);
  const long long v103 = ((v93 == 0LL) | ((v81 == (-9223372036854775807LL - 1)) & (v93 == (0LL - 1)))) ? 1LL : v93;
  const unsigned long long v110 = (unsigned long long)v81 - (unsigned long long)(long long)((unsigned long long)(v81 / v103) * (unsigned long long)v103);
  const long long v111 = (long long)v110;
  const unsigned long long v112 = (unsigned long long)v111;
  const unsigned long long v115 = (unsigned long long)v81;
  const unsigned long long v131 = (v112 >> 32ULL) * (v115 & 4294967295ULL) + (((v112 & 4294967295ULL) * (v115 & 4294967295ULL)) >> 32ULL);
  const unsigned long long v144 = ((v112 & 4294967295ULL) * (v115 >> 32ULL) + (v131 & 4294967295ULL)) >> 32ULL;
  const unsigned long long v149 = (v111 < 0LL) ? v115 : 0ULL;
  const unsigned long long v153 = (v81 < 0LL) ? v112 : 0ULL;
  const unsigned long long v154 = (v112 >> 32ULL) * (v115 >> 32ULL) + (v131 >> 32ULL) + v144 - v149 - v153;
  m6_own[v0] = (float)((v66 < 0) ? v71 : v66);
  m5_tile[v0] = (unsigned short)(unsigned int)p2_wide;
  __syncthreads();
  unsigned int v162 = 0;
  const unsigned int v163 = (unsigned int)blockIdx.y;
  v162 = v163;
  bool v165 = 0;
  v165 = v163 < 96u;
  const unsigned int v169 = p0_settings.w[5];
  unsigned int v170 = 0;
  bool again172 = 0;
  for (;;) {
    if (again172) {
      const unsigned int v189 = v162;
      v165 = 96u - v189 > 3u;
      v162 = v189 + 3u;
    }
    again172 = true;
    if (!v165) {
      break;
    }
    const unsigned int v179 = (unsigned int)m5_tile[v162];
    if (v179 > v169) {
      continue;
    } else {
      const unsigned int v184 = v170 + v179;
      if (v184 == 3u) {
        break;
      }
      v170 = v184;
    }
  }
  const unsigned int v201 = v170 << (p4_length0 & 31u);
  const unsigned int v210 = ((v201 & 1431655765u) << 1u) | ((v201 >> 1u) & 1431655765u);
  const unsigned int v219 = ((v210 & 858993459u) << 2u) | ((v210 >> 2u) & 858993459u);
  const unsigned int v228 = ((v219 & 252645135u) << 4u) | ((v219 >> 4u) & 252645135u);
  const unsigned int v237 = ((v228 & 16711935u) << 8u) | ((v228 >> 8u) & 16711935u);
  const unsigned int v247 = __clz(((v237 & 65535u) << 16u) | ((v237 >> 16u) & 65535u));
  const bool v249 = v247 < 5u;
  const unsigned int v253 = __float_as_uint(m6_own[v249 ? v247 : 0u]);
  const float v256 = __uint_as_float(v249 ? v253 : 0u);
  const unsigned int v258 = __float_as_uint(fmod(v256, (-2.5f)));
  const unsigned int v260 = v258 & 2147483647u;
  const unsigned int v275 = __float_as_uint(__uint_as_float(v260) + 0.5f) - 1056964608u;
  const unsigned int v284 = (v260 + 3355447295u + ((v260 >> 13u) & 1u)) >> 13u;
  const unsigned int v290 = (v258 >> 16u) & 32768u;
  const unsigned short v292 = (unsigned short)(((v260 >= 1199570944u) ? ((v260 > 2139095040u) ? 32256u : 31744u) : ((v260 < 947912704u) ? v275 : v284)) | v290);
  const unsigned int v295 = (unsigned int)v292;
  const unsigned int v299 = (v295 & 32767u) << 13u;
  const unsigned int v301 = v299 & 260046848u;
  const unsigned int v305 = v299 + 939524096u;
  const unsigned int v307 = v305 + 939524096u;
  const unsigned int v315 = __float_as_uint(__uint_as_float(v305 + 8388608u) - 6.1035156e-05f);
  const float v323 = __uint_as_float(((v301 == 260046848u) ? v307 : ((v301 == 0u) ? v315 : v305)) | ((v295 & 32768u) << 16u));
  const unsigned int v325 = (unsigned int)v11;
  const unsigned int v329 = (v325 & 32767u) << 13u;
  const unsigned int v331 = v329 & 260046848u;
  const unsigned int v335 = v329 + 939524096u;
  const unsigned int v337 = v335 + 939524096u;
  const unsigned int v345 = __float_as_uint(__uint_as_float(v335 + 8388608u) - 6.1035156e-05f);
  const float v353 = __uint_as_float(((v331 == 260046848u) ? v337 : ((v331 == 0u) ? v345 : v335)) | ((v325 & 32768u) << 16u));
  const unsigned int v355 = __float_as_uint(v323 * v353);
  const unsigned int v357 = v355 & 2147483647u;
  const unsigned int v372 = __float_as_uint(__uint_as_float(v357) + 0.5f) - 1056964608u;
  const unsigned int v381 = (v357 + 3355447295u + ((v357 >> 13u) & 1u)) >> 13u;
  const unsigned int v387 = (v355 >> 16u) & 32768u;
  const unsigned short v389 = (unsigned short)(((v357 >= 1199570944u) ? ((v357 > 2139095040u) ? 32256u : 31744u) : ((v357 < 947912704u) ? v372 : v381)) | v387);
  const unsigned short v390 = v389;
  if (p3_count2 < p5_length1) {
    m1_h[p3_count2] = v390;
  }
  const double v404 = __longlong_as_double((long long)((unsigned long long)p0_settings.w[2] | ((unsigned long long)p0_settings.w[3] << 32ULL)));
  const double v405 = (double)v247 * v404;
  if (v83 < p6_length2) {
    m2_d[v83] = v405;
  }
  const long long v416 = (long long)(unsigned long long)(__popc((unsigned int)p2_wide) + __popc((unsigned int)(p2_wide >> 32ULL)));
  const long long v420 = (long long)((unsigned long long)v416 + (unsigned long long)(long long)v154);
  if (v76) {
    m3_l[v74] = v420;
  }
  unsigned int v425 = 0;
  if (v83 < p8_length4) {
    const unsigned int v427 = atomicMax(((unsigned int*)&m4_c[v83]), v247);
    v425 = v427;
  }
  const unsigned int v430 = v425;
  if (v1 < p8_length4) {
    const unsigned int v432 = atomicCAS(((unsigned int*)&m4_c[v1]), v430, v201);
  }
  const float v435 = sqrt(v256);
  if (v83 < 5u) {
    m6_own[v83] = v435;
  }
  __threadfence();
  return;
}
