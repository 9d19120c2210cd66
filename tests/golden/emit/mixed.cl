#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct { uint w[6]; } p0_settings_t;
__kernel __attribute__((reqd_work_group_size(8, 4, 2)))
void mixed(__global const uchar* m0_b, p0_settings_t p0_settings, __global ushort* m1_h, short p1_small, __global double* m2_d, ulong p2_wide, __global long* m3_l, __global uint* m4_c, uint p3_count2, uint p4_length0, uint p5_length1, uint p6_length2, uint p7_length3, uint p8_length4) {
  __local ushort m5_tile[96];
  float m6_own[5];
  const uint v0 = (uint)get_local_id(2);
  const uint v1 = (uint)get_local_size(2);
  const bool v3 = v1 < p5_length1;
  const ushort v8 = m1_h[v3 ? v1 : 0u];
  const ushort v11 = (v3 ? v8 : 0);
  const uint v13 = (uint)v11;
  const uint v17 = (v13 & 32767u) << 13u;
  const uint v19 = v17 & 260046848u;
  const uint v23 = v17 + 939524096u;
  const uint v25 = v23 + 939524096u;
  const uint v33 = as_uint(as_float(v23 + 8388608u) - 6.1035156e-05f);
  const float v41 = as_float(((v19 == 260046848u) ? v25 : ((v19 == 0u) ? v33 : v23)) | ((v13 & 32768u) << 16u));
  const float v46 = fma((v41 < as_float(4286578688u)) ? as_float(4286578688u) : v41, (-2.5f), v41);
  const int v60 = (int)(((v46 >= (-2147483648.0f)) & (v46 < 2147483648.0f)) ? v46 : 0.0f);
  const int v66 = as_int(as_uint((v46 >= 2147483648.0f) ? 2147483647 : ((v46 < (-2147483648.0f)) ? (-2147483647 - 1) : v60)) - 2147483648u);
  const int v71 = as_int(-as_uint(v66));
  const uint v74 = (uint)get_num_groups(0);
  const bool v76 = v74 < p7_length3;
  const long v79 = m3_l[v76 ? v74 : 0u];
  const long v81 = v76 ? v79 : 0L;
  const uint v83 = (uint)get_global_id(1);
  const bool v85 = v83 < p4_length0;
  const uchar v88 = m0_b[v85 ? v83 : 0u];
  const long v93 = (long)(int)as_char((uchar)(v85 ? v88 : 0));
  const long v103 = ((v93 == 0L) | ((v81 == (-9223372036854775807L - 1)) & (v93 == (0L - 1)))) ? 1L : v93;
  const ulong v110 = as_ulong(v81) - as_ulong(as_long(as_ulong(v81 / v103) * as_ulong(v103)));
  const long v111 = as_long(v110);
  const ulong v112 = as_ulong(v111);
  const ulong v115 = as_ulong(v81);
  const ulong v131 = (v112 >> 32UL) * (v115 & 4294967295UL) + (((v112 & 4294967295UL) * (v115 & 4294967295UL)) >> 32UL);
  const ulong v144 = ((v112 & 4294967295UL) * (v115 >> 32UL) + (v131 & 4294967295UL)) >> 32UL;
  const ulong v149 = (v111 < 0L) ? v115 : 0UL;
  const ulong v153 = (v81 < 0L) ? v112 : 0UL;
  const ulong v154 = (v112 >> 32UL) * (v115 >> 32UL) + (v131 >> 32UL) + v144 - v149 - v153;
  m6_own[v0] = (float)((v66 < 0) ? v71 : v66);
  m5_tile[v0] = (ushort)(uint)p2_wide;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  uint v162 = 0;
  const uint v163 = (uint)get_group_id(1);
  v162 = v163;
  bool v165 = 0;
  v165 = v163 < 96u;
  const uint v169 = p0_settings.w[5];
  uint v170 = 0;
  bool again172 = 0;
  for (;;) {
    if (again172) {
      const uint v189 = v162;
      v165 = 96u - v189 > 3u;
      v162 = v189 + 3u;
    }
    again172 = true;
    if (!v165) {
      break;
    }
    const uint v179 = (uint)m5_tile[v162];
    if (v179 > v169) {
      continue;
    } else {
      const uint v184 = v170 + v179;
      if (v184 == 3u) {
        break;
      }
      v170 = v184;
    }
  }
  const uint v201 = v170 << (p4_length0 & 31u);
  const uint v210 = ((v201 & 1431655765u) << 1u) | ((v201 >> 1u) & 1431655765u);
  const uint v219 = ((v210 & 858993459u) << 2u) | ((v210 >> 2u) & 858993459u);
  const uint v228 = ((v219 & 252645135u) << 4u) | ((v219 >> 4u) & 252645135u);
  const uint v237 = ((v228 & 16711935u) << 8u) | ((v228 >> 8u) & 16711935u);
  const uint v247 = clz(((v237 & 65535u) << 16u) | ((v237 >> 16u) & 65535u));
  const bool v249 = v247 < 5u;
  const uint v253 = as_uint(m6_own[v249 ? v247 : 0u]);
  const float v256 = as_float(v249 ? v253 : 0u);
  const uint v258 = as_uint(fmod(v256, (-2.5f)));
  const uint v260 = v258 & 2147483647u;
  const uint v275 = as_uint(as_float(v260) + 0.5f) - 1056964608u;
  const uint v284 = (v260 + 3355447295u + ((v260 >> 13u) & 1u)) >> 13u;
  const uint v290 = (v258 >> 16u) & 32768u;
  const ushort v292 = (ushort)(((v260 >= 1199570944u) ? ((v260 > 2139095040u) ? 32256u : 31744u) : ((v260 < 947912704u) ? v275 : v284)) | v290);
  const uint v295 = (uint)v292;
  const uint v299 = (v295 & 32767u) << 13u;
  const uint v301 = v299 & 260046848u;
  const uint v305 = v299 + 939524096u;
  const uint v307 = v305 + 939524096u;
  const uint v315 = as_uint(as_float(v305 + 8388608u) - 6.1035156e-05f);
  const float v323 = as_float(((v301 == 260046848u) ? v307 : ((v301 == 0u) ? v315 : v305)) | ((v295 & 32768u) << 16u));
  const uint v325 = (uint)v11;
  const uint v329 = (v325 & 32767u) << 13u;
  const uint v331 = v329 & 260046848u;
  const uint v335 = v329 + 939524096u;
  const uint v337 = v335 + 939524096u;
  const uint v345 = as_uint(as_float(v335 + 8388608u) - 6.1035156e-05f);
  const float v353 = as_float(((v331 == 260046848u) ? v337 : ((v331 == 0u) ? v345 : v335)) | ((v325 & 32768u) << 16u));
  const uint v355 = as_uint(v323 * v353);
  const uint v357 = v355 & 2147483647u;
  const uint v372 = as_uint(as_float(v357) + 0.5f) - 1056964608u;
  const uint v381 = (v357 + 3355447295u + ((v357 >> 13u) & 1u)) >> 13u;
  const uint v387 = (v355 >> 16u) & 32768u;
  const ushort v389 = (ushort)(((v357 >= 1199570944u) ? ((v357 > 2139095040u) ? 32256u : 31744u) : ((v357 < 947912704u) ? v372 : v381)) | v387);
  const ushort v390 = v389;
  if (p3_count2 < p5_length1) {
    m1_h[p3_count2] = v390;
  }
  const double v404 = as_double((ulong)p0_settings.w[2] | ((ulong)p0_settings.w[3] << 32UL));
  const double v405 = (double)v247 * v404;
  if (v83 < p6_length2) {
    m2_d[v83] = v405;
  }
  const long v416 = as_long((ulong)(popcount((uint)p2_wide) + popcount((uint)(p2_wide >> 32UL))));
  const long v420 = as_long(as_ulong(v416) + as_ulong(as_long(v154)));
  if (v76) {
    m3_l[v74] = v420;
  }
  uint v425 = 0;
  if (v83 < p8_length4) {
    const uint v427 = atomic_max(((volatile __global uint*)&m4_c[v83]), v247);
    v425 = v427;
  }
  const uint v430 = v425;
  if (v1 < p8_length4) {
    const uint v432 = atomic_cmpxchg(((volatile __global uint*)&m4_c[v1]), v430, v201);
  }
  const float v435 = sqrt(v256);
  if (v83 < 5u) {
    m6_own[v83] = v435;
  }
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  return;
}
