// Compile with --fmad=false.
struct p0_settings_t { unsigned int w[2]; };
extern "C" __global__ void __launch_bounds__(32 * 1 * 1) particles(unsigned short* __restrict__ m0_p, const p0_settings_t p0_settings, unsigned int p1_length0) {
  const unsigned int v0 = blockIdx.x * blockDim.x + threadIdx.x;
  const bool v2 = v0 < p1_length0;
  const unsigned int v4 = v2 ? v0 : 0u;
  const unsigned int v6 = v4 * 6u;
  const float v16 = __uint_as_float((unsigned int)m0_p[v6] | ((unsigned int)m0_p[v6 + 1u] << 16u));
  const float v22 = __uint_as_float(p0_settings.w[1]);
  const float v23 = __uint_as_float(v2 ? __float_as_uint(v16) : 0u) * v22;
  const unsigned int v27 = v4 * 6u + 2u;
  const float v37 = __uint_as_float((unsigned int)m0_p[v27] | ((unsigned int)m0_p[v27 + 1u] << 16u));
  const float v41 = __uint_as_float(v2 ? __float_as_uint(v37) : 0u) * v22;
  const unsigned short v48 = m0_p[(v2 ? v0 : 0u) * 6u + 4u];
  if (v2) {
    const unsigned int v53 = v0 * 6u;
    const unsigned int v54 = __float_as_uint(v23);
    m0_p[v53] = (unsigned short)v54;
    m0_p[v53 + 1u] = (unsigned short)(v54 >> 16u);
    const unsigned int v66 = v0 * 6u + 2u;
    const unsigned int v67 = __float_as_uint(v41);
    m0_p[v66] = (unsigned short)v67;
    m0_p[v66 + 1u] = (unsigned short)(v67 >> 16u);
  }
  const int v89 = (int)(((v22 >= (-2147483648.0f)) & (v22 < 2147483648.0f)) ? v22 : 0.0f);
  const int v91 = (v22 >= 2147483648.0f) ? 2147483647 : ((v22 < (-2147483648.0f)) ? (-2147483647 - 1) : v89);
  const int v93 = (int)(unsigned int)(v2 ? v48 : 0);
  const unsigned int v105 = (unsigned int)(v91 / (((v93 == 0) | ((v91 == (-2147483647 - 1)) & (v93 == (0 - 1)))) ? 1 : v93));
  const unsigned short v106 = (unsigned short)v105;
  if (v2) {
    m0_p[v0 * 6u + 4u] = v106;
  }
}
