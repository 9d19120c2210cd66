// What kernels compute: CUDA C++ goes through NVRTC and the double, and the host computes the same.

#include <bit>
#include <cmath>
#include <limits>

#include "double_fixture.hpp"

namespace collet::cuda_double {
namespace {

template <class T>
struct Name;
#define NAME(type, text)                       \
  template <>                                  \
  struct Name<type> {                          \
    static constexpr const char* kText = text; \
  };
NAME(signed char, "signed char")
NAME(unsigned char, "unsigned char")
NAME(short, "short")
NAME(unsigned short, "unsigned short")
NAME(int, "int")
NAME(unsigned, "unsigned")
NAME(long long, "long long")
NAME(unsigned long long, "unsigned long long")
NAME(float, "float")
NAME(double, "double")
#undef NAME

template <class T>
std::vector<T> interesting() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    return {T(0),
            T(-0.0),
            T(1),
            T(-1),
            T(0.5),
            T(1.5),
            T(2.5),
            T(-2.5),
            T(3),
            T(1e-3),
            T(1) / 3,
            T(123456.789),
            T(2147483648.0),
            T(-9.3e18),
            T(1e30),
            Limits::max(),
            Limits::lowest(),
            Limits::min(),
            Limits::denorm_min(),
            T(3) * Limits::denorm_min(),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN(),
            T(1) + Limits::epsilon(),
            T(16777217),
            T(4294967295.0),
            T(127.5),
            T(-128.5),
            T(65535.9)};
  } else {
    return {T(0),
            T(1),
            T(2),
            T(3),
            T(7),
            T(8),
            T(31),
            T(33),
            T(100),
            T(127),
            T(-1),
            T(-2),
            T(-7),
            T(0x55),
            T(0x1234),
            T(0x12345678),
            T(0x7fffffff),
            T(0x80000000),
            Limits::max(),
            Limits::min(),
            T(Limits::max() - 1),
            T(Limits::max() / 3)};
  }
}

bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// The text of an expression goes to the device, its value is the host's. T is the type and U the type of the
// same size without a sign.
#define INTEGER_EXPRESSIONS(X)                                                       \
  X(T(U(a) + U(b)))                                                                  \
  X(T(U(a) - U(b)))                                                                  \
  X(T(1ull * U(a) * U(b)))                                                           \
  X(b == 0 || (a == T(1ull << (8 * sizeof(T) - 1)) && b == T(-1)) ? T(1) : T(a / b)) \
  X(b == 0 || (a == T(1ull << (8 * sizeof(T) - 1)) && b == T(-1)) ? T(2) : T(a % b)) \
  X(T(a& b))                                                                         \
  X(T((a | b) ^ T(~a)))                                                              \
  X(T(U(a) << (b & (8 * sizeof(T) - 1))))                                            \
  X(T(a >> (b & (8 * sizeof(T) - 1))))                                               \
  X(T(a < b ? a : b))                                                                \
  X(T(a > b ? a : b))                                                                \
  X(T((a == b) + 2 * (a <= b) + 4 * (a != b)))                                       \
  X(T(a < 0 ? U(0) - U(a) : U(a)))                                                   \
  X(T((unsigned char)a + (signed char)b))                                            \
  X(T((short)a + 3 * (unsigned short)b))                                             \
  X(T((unsigned)a + (unsigned long long)(int)b))

#define FLOAT_EXPRESSIONS(X)                        \
  X(a + b)                                          \
  X(a - b)                                          \
  X(a* b)                                           \
  X(a / b)                                          \
  X(a* b + a)                                       \
  X(fma(a, b, a))                                   \
  X(sqrt(a))                                        \
  X(T(1) / b)                                       \
  X(floor(a) + 2 * ceil(b))                         \
  X(trunc(a) + 2 * rint(b))                         \
  X(fabs(a) - copysign(b, a))                       \
  X(-a)                                             \
  X(T(a < b) + 2 * (a >= b) + 4 * !(a > b))         \
  X(T((a == b) + 2 * (a != b)))                     \
  X(T(float(a)) + T(float(b)))                      \
  X(T((long long)(a > -1e9 && a < 1e9 ? a : T(3)))) \
  X(T((int)(b > -1e9 && b < 1e9 ? b : T(4))))       \
  X(fmod(a, b))

template <class T, class U>
std::vector<T> on_host_integer(T a, T b) {
  return {
#define X(...) static_cast<T>(__VA_ARGS__),
      INTEGER_EXPRESSIONS(X)
#undef X
  };
}
template <class T>
std::vector<T> on_host_float(T a, T b) {
  using std::ceil, std::copysign, std::fabs, std::floor, std::fma, std::fmod, std::rint, std::sqrt,
      std::trunc;
  return {
#define X(...) static_cast<T>(__VA_ARGS__),
      FLOAT_EXPRESSIONS(X)
#undef X
  };
}

const char* const kIntegerTexts[] = {
#define X(...) #__VA_ARGS__,
    INTEGER_EXPRESSIONS(X)
#undef X
};
const char* const kFloatTexts[] = {
#define X(...) #__VA_ARGS__,
    FLOAT_EXPRESSIONS(X)
#undef X
};

class Computed : public CudaDouble {
 protected:
  // Each expression for each pair of values.
  template <class T, class U>
  void compare_expressions() {
    constexpr bool kFloat = std::is_floating_point_v<T>;
    std::vector<std::string> texts;
    if constexpr (kFloat) {
      texts.assign(std::begin(kFloatTexts), std::end(kFloatTexts));
    } else {
      texts.assign(std::begin(kIntegerTexts), std::end(kIntegerTexts));
    }
    std::string source =
        std::string("typedef ") + Name<T>::kText + " T; typedef " + Name<U>::kText +
        " U;\nextern \"C\" __global__ void k(const T* x, const T* y, T* out, int n) {\n"
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;\nT a = x[i], b = y[i];\n";
    for (std::size_t i = 0; i < texts.size(); ++i) {
      source += "out[i + n * " + std::to_string(i) + "] = " + texts[i] + ";\n";
    }
    std::vector<T> x, y;
    for (const T a : interesting<T>()) {
      for (const T b : interesting<T>()) {
        x.push_back(a);
        y.push_back(b);
      }
    }
    const int count = static_cast<int>(x.size());
    const CuDevicePtr out = allocate(x.size() * texts.size() * sizeof(T));
    run(compile(source + "}\n"), static_cast<unsigned>(count + 95) / 96, 96, upload(x), upload(y), out,
        count);
    const auto computed = download<T>(out, x.size() * texts.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<T> expected;
      if constexpr (kFloat) {
        expected = on_host_float<T>(x[i], y[i]);
      } else {
        expected = on_host_integer<T, U>(x[i], y[i]);
      }
      for (std::size_t j = 0; j < texts.size(); ++j) {
        const T got = computed[i + j * x.size()];
        if constexpr (kFloat) {
          ASSERT_TRUE(is_same(got, expected[j]))
              << texts[j] << " of " << x[i] << " and " << y[i] << " is " << got << ", not " << expected[j];
        } else {
          ASSERT_EQ(got, expected[j]) << texts[j] << " of " << +x[i] << " and " << +y[i];
        }
      }
    }
  }

  // What a value out of range or a NaN becomes is a rule of PTX.
  template <class To, class From>
  void compare_casts() {
    const auto values = interesting<From>();
    const std::string source = std::string("extern \"C\" __global__ void k(const ") + Name<From>::kText +
                               "* x, " + Name<To>::kText + "* out) { int i = threadIdx.x; out[i] = (" +
                               Name<To>::kText + ")x[i]; }";
    const CuDevicePtr out = allocate(values.size() * sizeof(To));
    run(compile(source), 1, static_cast<unsigned>(values.size()), upload(values), out);
    const auto computed = download<To>(out, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i];
      using Limits = std::numeric_limits<To>;
      // Bytes and shorts are the low bits of an int.
      using Via = std::conditional_t<sizeof(To) < 4, int, To>;
      Via expected = 0;
      if (std::isnan(value)) {
        expected = sizeof(From) == 8 || sizeof(To) == 8 ? Via(1ULL << (8 * sizeof(Via) - 1)) : Via(0);
      } else if (value >= std::ldexp(1, std::numeric_limits<Via>::digits)) {
        expected = std::numeric_limits<Via>::max();
      } else if (value < static_cast<double>(std::numeric_limits<Via>::min())) {
        expected = std::numeric_limits<Via>::min();
      } else {
        expected = static_cast<Via>(value);
      }
      if (sizeof(To) < 4 && !(value > double(Limits::min()) - 1 && value < double(Limits::max()) + 1))
        continue;
      EXPECT_EQ(computed[i], static_cast<To>(expected)) << Name<To>::kText << " of " << value;
    }
  }
};

TEST_F(Computed, IntegersOfAllSizes) {
  NEEDS_NVRTC();
  compare_expressions<signed char, unsigned char>();
  compare_expressions<unsigned char, unsigned char>();
  compare_expressions<short, unsigned short>();
  compare_expressions<unsigned short, unsigned short>();
  compare_expressions<int, unsigned>();
  compare_expressions<unsigned, unsigned>();
  compare_expressions<long long, unsigned long long>();
  compare_expressions<unsigned long long, unsigned long long>();
}

TEST_F(Computed, FloatsBitByBit) {
  NEEDS_NVRTC();
  compare_expressions<float, unsigned>();
}

TEST_F(Computed, DoublesBitByBit) {
  NEEDS_NVRTC();
  compare_expressions<double, unsigned>();
}

TEST_F(Computed, CastsSaturate) {
  NEEDS_NVRTC();
  compare_casts<int, float>();
  compare_casts<unsigned, float>();
  compare_casts<long long, float>();
  compare_casts<unsigned long long, float>();
  compare_casts<int, double>();
  compare_casts<unsigned, double>();
  compare_casts<long long, double>();
  compare_casts<unsigned long long, double>();
  compare_casts<signed char, float>();
  compare_casts<unsigned short, double>();
}

TEST_F(Computed, DirectedRounding) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(float* f, double* d) {
    f[0] = __fadd_ru(1.0f, f[10]); f[1] = __fadd_rd(1.0f, f[10]); f[2] = __fmul_rz(f[11], f[11]);
    f[3] = __fdiv_ru(1.0f, f[12]); f[4] = __fsqrt_rd(f[12]); f[5] = __frcp_rz(f[12]);
    f[6] = __fmaf_ru(f[12], f[12], f[10]); f[7] = __double2float_ru(d[10]);
      f[8] = __ll2float_rd(16777217LL + (int)f[12]);
    d[0] = __dadd_ru(1.0, d[11]); d[1] = __ddiv_rd(1.0, d[12]); d[2] = __dsqrt_ru(d[12]);
      d[3] = __dmul_rz(d[10], d[10]); })");
  std::vector<float> f(13, 0.0F);
  f[10] = 1e-20F;
  f[11] = 1.0000001F;
  f[12] = 3.0F;
  std::vector<double> d(13, 0.0);
  d[10] = 0.1;
  d[11] = 1e-30;
  d[12] = 3.0;
  const CuDevicePtr device_f = upload(f), device_d = upload(d);
  run(kernel, 1, 1, device_f, device_d);
  f = download<float>(device_f, 13);
  d = download<double>(device_d, 13);
  const auto above = [](auto x) { return std::nextafter(x, decltype(x)(1e9)); };
  EXPECT_EQ(f[0], above(1.0F));
  EXPECT_EQ(f[1], 1.0F);
  EXPECT_EQ(f[2], 1.0000002F);
  EXPECT_EQ(f[3], 0.33333334F);
  EXPECT_EQ(f[4], 1.7320508F);
  EXPECT_EQ(f[5], 0.33333331F);
  EXPECT_EQ(f[6], above(9.0F));
  EXPECT_EQ(f[7], 0.1F);
  EXPECT_EQ(f[8], 16777220.0F);
  EXPECT_EQ(d[0], above(1.0));
  EXPECT_EQ(d[1], 1.0 / 3);
  EXPECT_EQ(d[2], above(std::sqrt(3.0)));
  EXPECT_EQ(d[3], std::nextafter(0.1 * 0.1, 0.0));
}

TEST_F(Computed, FunctionsOfMathAreWithinFourUnitsOfTheLastPlace) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float v = x[i];
    out[i] = sinf(v); out[i + n] = expf(v * 0.01f); out[i + 2 * n] = logf(v); out[i + 3 * n] = powf(v, 1.7f);
    out[i + 4 * n] = tanhf(v * 0.1f); out[i + 5 * n] = rsqrtf(v); out[i + 6 * n] = (float)cos((double)v);
      })");
  std::vector<float> x;
  for (int i = 0; i < 1000; ++i) x.push_back(0.01F + static_cast<float>(i) * 0.731F);
  const int count = static_cast<int>(x.size());
  const CuDevicePtr out = allocate(7 * x.size() * sizeof(float));
  run(kernel, 8, 128, upload(x), out, count);
  const auto computed = download<float>(out, 7 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x[i];
    const double expected[] = {std::sin(v),
                               std::exp(static_cast<double>(x[i] * 0.01F)),
                               std::log(v),
                               std::pow(v, static_cast<double>(1.7F)),
                               std::tanh(static_cast<double>(x[i] * 0.1F)),
                               1 / std::sqrt(v),
                               std::cos(v)};
    for (std::size_t j = 0; j < 7; ++j) {
      const double unit = std::ldexp(1, std::ilogb(static_cast<float>(expected[j])) - 23);
      EXPECT_NEAR(computed[i + j * x.size()], expected[j], 4 * unit) << j << " of " << v;
    }
  }
}

TEST_F(Computed, BitFunctions) {
  NEEDS_NVRTC();
  FunctionHandle* kernel =
      compile(R"(extern "C" __global__ void k(unsigned* o, unsigned x, unsigned y, unsigned long long z) {
    o[0] = __popc(x); o[1] = __clz(x); o[2] = __ffs(x); o[3] = __brev(x); o[4] = __byte_perm(x, y, 0x5240);
    o[5] = __funnelshift_l(x, y, 12); o[6] = __funnelshift_rc(x, y, 40); o[7] = __umulhi(x, y);
      o[8] = __mulhi((int)x, (int)y);
    o[9] = __popcll(z); o[10] = __clzll(z); o[11] = __usad(x, y, 5); o[12] = __umul24(x, y);
      o[13] = __dp4a((int)x, (int)y, 7);
    o[14] = (x >> 5) & 0x7f; o[15] = (y & ~0xff0u) | ((x << 4) & 0xff0u);
    asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(o[16]) : "r"(x), "r"(y), "r"(x + y));
    asm("bfe.s32 %0, %1, 4, 9;" : "=r"(o[17]) : "r"(x)); asm("bfind.s32 %0, %1;" : "=r"(o[18]) : "r"(y));
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(o[19]) : "r"(x), "r"(y), "r"((int)y)); })");
  const unsigned x = 0x0f3456c0, y = 0x9abcdef1;
  const unsigned long long z = 0x00ff00ff12345678;
  const CuDevicePtr out = upload(std::vector<unsigned>(20, 0));
  run(kernel, 1, 1, out, x, y, z);
  int dot = 7;
  for (int i = 0; i < 4; ++i) {
    dot += static_cast<signed char>(x >> 8 * i) * static_cast<signed char>(y >> 8 * i);
  }
  unsigned logic = 0;
  for (int i = 0; i < 32; ++i) {
    const unsigned row = (x >> i & 1) << 2 | (y >> i & 1) << 1 | ((x + y) >> i & 1);
    logic |= (0x6aU >> row & 1) << i;
  }
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
  const auto count = [](auto bits) { return static_cast<unsigned>(std::popcount(bits)); };
  const long long product = static_cast<long long>(static_cast<int>(x)) * static_cast<int>(y);
  const std::vector<unsigned> right{count(x),
                                    4,
                                    7,
                                    reversed,
                                    0xde34f1c0,
                                    y << 12 | x >> 20,
                                    y,
                                    static_cast<unsigned>(1ULL * x * y >> 32),
                                    static_cast<unsigned>(product >> 32),
                                    count(z),
                                    8,
                                    y - x + 5,
                                    (x & 0xffffff) * (y & 0xffffff),
                                    static_cast<unsigned>(dot),
                                    x >> 5 & 0x7f,
                                    (y & ~0xff0U) | (x << 4 & 0xff0),
                                    logic,
                                    static_cast<unsigned>(static_cast<int>((x >> 4 & 511) << 23) >> 23),
                                    30,
                                    y};
  const auto got = download<unsigned>(out, 20);
  EXPECT_EQ(got, right);
}

// Kernels written in PTX, for what NVRTC seldom writes.
std::string ptx_kernel(const std::string& body) {
  return ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n"
         "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;\n" +
         body + "\nst.global.u32 [%d0], %r1; ret;\n}\n";
}

TEST_F(Computed, BranchesByATable) {
  ASSERT_EQ(load(ptx_kernel(
                "and.b32 %r2, %r0, 3; targets: .branchtargets A, B, C, A;\n"
                "brx.idx %r2, targets;\nA: mov.u32 %r1, 10; bra.uni END;\nB: mov.u32 %r1, 20; bra.uni END;\n"
                "C: add.u32 %r1, %r0, 30;\nEND:")),
            kSuccess)
      << log;
  const CuDevicePtr out = allocate(40 * 4);
  run(function("k"), 1, 40, out);
  const auto computed = download<unsigned>(out, 40);
  for (unsigned i = 0; i < 40; ++i) {
    EXPECT_EQ(computed[i], i % 4 == 1 ? 20 : i % 4 == 2 ? i + 30 : 10);
  }
}

TEST_F(Computed, HalvesRoundOnce) {
  // 1 + 2^-11 lies between two halves; fma(1, 1, 2^-24) must not round up, and 2049/2048 + tiny must.
  ASSERT_EQ(
      load(ptx_kernel(
          "mov.b16 %h0, 0x3c00; mov.b16 %h1, 0x1000; add.f16 %h2, %h0, %h1; fma.rn.f16 %h3, %h0, %h0, %h1;\n"
          "cvt.f32.f16 %f0, %h1; cvt.rn.f16.f32 %h4, 0f3f801001; mov.b32 %r1, {%h2, %h4};")),
      kSuccess)
      << log;
  const CuDevicePtr out = allocate(4);
  run(function("k"), 1, 1, out);
  EXPECT_EQ(download<unsigned>(out, 1)[0], 0x3c013c00U);
}

TEST_F(Computed, CarriesGoFromInstructionToInstruction) {
  ASSERT_EQ(load(ptx_kernel("mov.u32 %r2, 0xffffffff; add.cc.u32 %r3, %r2, %r2; addc.cc.u32 %r4, %r2, 0; "
                            "addc.u32 %r1, %r0, 5;")),
            kSuccess)
      << log;
  const CuDevicePtr out = allocate(8);
  run(function("k"), 1, 2, out);
  EXPECT_EQ(download<unsigned>(out, 2), (std::vector<unsigned>{6, 7}));
}

TEST_F(Computed, NansOfMinimaAndMaxima) {
  NEEDS_NVRTC();
  FunctionHandle* kernel = compile(R"(extern "C" __global__ void k(float* f) {
    f[0] = fminf(f[8], 1.0f); f[1] = fmaxf(2.0f, f[8]); f[2] = fminf(f[9], f[10]); f[3] = fmaxf(f[9], f[10]);
    f[4] = fminf(f[8], f[8]); f[5] = __saturatef(f[8]); f[6] = f[8] + 1.0f; })");
  std::vector<float> f(11, 0.0F);
  f[8] = std::bit_cast<float>(0xffc12345U);
  f[10] = -0.0F;
  const CuDevicePtr device = upload(f);
  run(kernel, 1, 1, device);
  f = download<float>(device, 11);
  EXPECT_EQ(f[0], 1.0F);
  EXPECT_EQ(f[1], 2.0F);
  EXPECT_TRUE(std::signbit(f[2]));
  EXPECT_FALSE(std::signbit(f[3]));
  EXPECT_TRUE(std::isnan(f[4]));
  EXPECT_EQ(f[5], 0.0F);
  EXPECT_EQ(std::bit_cast<unsigned>(f[6]), 0x7fffffffU);  // the NaN of GPUs
}

}  // namespace
}  // namespace collet::cuda_double
