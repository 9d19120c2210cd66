// Corpus: hashes, random numbers, checksums, codes, text.

#include <array>
#include <bit>
#include <numeric>
#include <string>

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

using U32 = Expr<uint32_t>;

U32 rotated(const U32& x, uint32_t by) { return x >> by | x << (32 - by); }

// What 8 rounds of "shift, and subtract the polynomial where a one fell out" do to each byte.
constexpr std::array<uint32_t, 256> crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] % 2 != 0 ? 0xedb88320u : 0u);
  }
  return table;
}

constexpr std::array<uint32_t, 64> kSha = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
constexpr std::array<uint32_t, 8> kShaStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

}  // namespace

CONFORMANCE_TEST(Corpus, Xorshift) {
  const auto random = kernel("random", [](In<uint32_t> seeds, Out<uint32_t> out) {
    Var<uint32_t> x = seeds[global_id()] | 1u;
    for_(0u, 10u, [&](const auto&) {
      x ^= x << 13u;
      x ^= x >> 17u;
      x ^= x << 5u;
    });
    out[global_id()] = x;
  });
  const Words seeds = pattern(500);
  const auto out = device.buffer<uint32_t>(500).value();
  if (!ran(device, random, 500, device.upload(seeds).value(), out)) return;
  expect_each(device, out, [&](std::size_t i) {
    uint32_t x = seeds[i] | 1;
    for (int round = 0; round < 10; ++round) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
    }
    return x;
  });
}

CONFORMANCE_TEST(Corpus, Pcg32) {
  const auto random = kernel("random", [](Out<uint32_t> out) {
    Var<uint64_t> state = cast<uint64_t>(global_id()) * uint64_t{0x9e3779b97f4a7c15};
    Var<uint32_t> last = 0u;
    for_(0u, 5u, [&](const auto&) {
      const Expr<uint64_t> old = state;
      state = old * uint64_t{6364136223846793005} + uint64_t{1442695040888963407};
      const U32 mixed = cast<uint32_t>((old >> uint64_t{18} ^ old) >> uint64_t{27});
      const U32 turn = cast<uint32_t>(old >> uint64_t{59});
      last = mixed >> turn | mixed << ((0u - turn) & 31u);
    });
    out[global_id()] = last;
  });
  const auto out = device.buffer<uint32_t>(400).value();
  if (!ran(device, random, 400, out)) return;
  expect_each(device, out, [](std::size_t i) {
    uint64_t state = i * 0x9e3779b97f4a7c15u;
    uint32_t last = 0;
    for (int round = 0; round < 5; ++round) {
      const uint64_t old = state;
      state = old * 6364136223846793005u + 1442695040888963407u;
      last = std::rotr(static_cast<uint32_t>((old >> 18 ^ old) >> 27), static_cast<int>(old >> 59));
    }
    return last;
  });
}

CONFORMANCE_TEST(Corpus, MurmurFinaliser) {
  const auto mix = kernel("mix", [](InOut<uint32_t> x) {
    Var<uint32_t> h = x[global_id()];
    h ^= h >> 16u;
    h *= 0x85ebca6bu;
    h ^= h >> 13u;
    h *= 0xc2b2ae35u;
    x[global_id()] = h ^ h >> 16u;
  });
  const Words x = pattern(256);
  const auto dx = device.upload(x).value();
  if (!ran(device, mix, 256, dx)) return;
  expect_each(device, dx, [&](std::size_t i) {
    uint32_t h = x[i];
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
  });
}

CONFORMANCE_TEST(Corpus, FowlerNollVoOfRecords) {
  const auto hash = kernel("hash", [](In<uint8_t> text, Out<uint32_t> out) {
    Var<uint32_t> h = 2166136261u;
    for_(0u, 17u, [&](const auto& k) { h = (h ^ cast<uint32_t>(text[global_id() * 17u + k])) * 16777619u; });
    out[global_id()] = h;
  });
  const auto text = byte_pattern(17 * 60);
  const auto out = device.buffer<uint32_t>(60).value();
  if (!ran(device, hash, 60, device.upload(text).value(), out)) return;
  expect_each(device, out, [&](std::size_t i) {
    uint32_t h = 2166136261u;
    for (std::size_t k = 0; k < 17; ++k) h = (h ^ text[i * 17 + k]) * 16777619u;
    return h;
  });
}

CONFORMANCE_TEST(Corpus, Crc32BitByBit) {
  const auto crc = kernel("crc", [](In<uint8_t> text, Out<uint32_t> out) {
    Var<uint32_t> c = 0xffffffffu;
    for_(0u, 9u, [&](const auto& k) {
      c ^= cast<uint32_t>(text[global_id() * 9u + k]);
      for_(0u, 8u, [&](const auto&) { c = c >> 1u ^ select((c & 1u) != 0u, U32(0xedb88320u), 0u); });
    });
    out[global_id()] = ~c;
  });
  std::vector<uint8_t> text = byte_pattern(9 * 50);
  const std::string check = "123456789";  // whose CRC is known
  std::copy(check.begin(), check.end(), text.begin());
  const auto out = device.buffer<uint32_t>(50).value();
  if (!ran(device, crc, 50, device.upload(text).value(), out)) return;
  const auto table = crc_table();
  expect_each(device, out, [&](std::size_t i) {
    uint32_t c = ~0u;
    for (std::size_t k = 0; k < 9; ++k) c = table[(c ^ text[i * 9 + k]) & 255] ^ c >> 8;
    return ~c;
  });
  EXPECT_EQ(read(device, out)[0], 0xcbf43926u);
}

CONFORMANCE_TEST(Corpus, Crc32ByTable) {
  const auto crc = kernel("crc", [](In<uint8_t> text, In<uint32_t> table, Out<uint32_t> out) {
                     const auto near = shared<uint32_t>(256);
                     for_(local_id(), 256u, 64u, [&](const auto& i) { near[i] = table[i]; });
                     barrier();
                     Var<uint32_t> c = 0xffffffffu;
                     for_(0u, 16u, [&](const auto& k) {
                       c = near[(c ^ cast<uint32_t>(text[global_id() * 16u + k])) & 255u] ^ c >> 8u;
                     });
                     out[global_id()] = ~c;
                   }).with(group(64));
  const auto table = crc_table();
  const auto text = byte_pattern(16 * 64);
  const auto out = device.buffer<uint32_t>(64).value();
  const auto device_table = device.upload(Words(table.begin(), table.end())).value();
  if (!ran(device, crc, 64, device.upload(text).value(), device_table, out)) return;
  expect_each(device, out, [&](std::size_t i) {
    uint32_t c = ~0u;
    for (std::size_t k = 0; k < 128; ++k) {
      const uint32_t bit = (c ^ text[i * 16 + k / 8] >> k % 8) & 1;
      c = c >> 1 ^ (bit != 0 ? 0xedb88320u : 0u);
    }
    return ~c;
  });
}

CONFORMANCE_TEST(Corpus, Sha256OfOneBlock) {
  const auto sha = kernel("sha", [](In<uint32_t> blocks, In<uint32_t> constants, Out<uint32_t> digests) {
                     const auto w = array<uint32_t>(64);
                     for_(0u, 16u, [&](const auto& t) { w[t] = blocks[global_id() * 16u + t]; });
                     for_(16u, 64u, [&](const auto& t) {
                       const U32 a = w[t - 15u];
                       const U32 b = w[t - 2u];
                       w[t] = w[t - 16u] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3u) + w[t - 7u] +
                              (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10u);
                     });
                     std::vector<Var<uint32_t>> h;
                     h.reserve(8);
                     for (const uint32_t start : kShaStart) h.emplace_back(start);
                     for_(0u, 64u, [&](const auto& t) {
                       const U32 e = h[4];
                       const U32 a = h[0];
                       const U32 t1 = h[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
                                      ((e & h[5]) ^ (~e & h[6])) + constants[t] + w[t];
                       const U32 t2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +
                                      ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
                       for (std::size_t i = 7; i != 0; --i) h[i] = h[i - 1];
                       h[4] += t1;
                       h[0] = t1 + t2;
                     });
                     for (uint32_t i = 0; i < 8; ++i) digests[global_id() * 8u + i] = h[i] + kShaStart[i];
                   }).with(group(16));
  Words blocks = pattern(16 * 20);
  for (std::size_t i = 0; i < 16; ++i) blocks[i] = 0;
  blocks[0] = 0x61626380;  // "abc", padded: its digest is in the standard
  blocks[15] = 24;
  const auto digests = device.buffer<uint32_t>(8 * 20).value();
  const auto constants = device.upload(Words(kSha.begin(), kSha.end())).value();
  if (!ran(device, sha, 20, device.upload(blocks).value(), constants, digests)) return;
  expect_each(device, digests, [&](std::size_t at) {
    std::array<uint32_t, 64> w{};
    std::copy_n(blocks.begin() + long(at / 8 * 16), 16, w.begin());
    for (std::size_t t = 16; t < 64; ++t) {
      const uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
      const uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    auto h = kShaStart;
    for (std::size_t t = 0; t < 64; ++t) {
      const uint32_t s1 = std::rotr(h[4], 6) ^ std::rotr(h[4], 11) ^ std::rotr(h[4], 25);
      const uint32_t t1 = h[7] + s1 + ((h[4] & h[5]) ^ (~h[4] & h[6])) + kSha[t] + w[t];
      const uint32_t s0 = std::rotr(h[0], 2) ^ std::rotr(h[0], 13) ^ std::rotr(h[0], 22);
      const uint32_t t2 = s0 + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
      for (std::size_t i = 7; i != 0; --i) h[i] = h[i - 1];
      h[4] += t1;
      h[0] = t1 + t2;
    }
    return h[at % 8] + kShaStart[at % 8];
  });
  EXPECT_EQ(read(device, digests)[0], 0xba7816bfu);
}

CONFORMANCE_TEST(Corpus, Adler32) {
  const auto adler = kernel("adler", [](In<uint8_t> text, Out<uint32_t> out) {
    Var<uint32_t> a = 1u;
    Var<uint32_t> b = 0u;
    for_(0u, 30u, [&](const auto& k) {
      a = (a + cast<uint32_t>(text[global_id() * 30u + k])) % 65521u;
      b = (b + a) % 65521u;
    });
    out[global_id()] = b << 16u | a;
  });
  const auto text = byte_pattern(30 * 40);
  const auto out = device.buffer<uint32_t>(40).value();
  if (!ran(device, adler, 40, device.upload(text).value(), out)) return;
  expect_each(device, out, [&](std::size_t i) {
    uint32_t a = 1;
    uint32_t b = 0;
    for (std::size_t k = 0; k < 30; ++k) b = (b + (a = (a + text[i * 30 + k]) % 65521)) % 65521;
    return b << 16 | a;
  });
}

CONFORMANCE_TEST(Corpus, LettersToUpperCase) {
  const auto upper = kernel("upper", [](InOut<uint8_t> text) {
    const Expr<uint8_t> c = text[global_id()];
    if_((c >= uint8_t{'a'}) & (c <= uint8_t{'z'}), [&] { text[global_id()] = c - uint8_t{32}; });
  });
  const auto text = byte_pattern(500);
  const auto dtext = device.upload(text).value();
  if (!ran(device, upper, 500, dtext)) return;
  expect_each(device, dtext,
              [&](std::size_t i) { return text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i]; });
}

CONFORMANCE_TEST(Corpus, CountOfWordsInText) {
  const auto words = kernel("words", [](In<uint8_t> text, InOut<uint32_t> count) {
    const auto i = global_id();
    Var<bool> starts = text[i] != uint8_t{' '};
    if_(i > 0u, [&] { starts = starts & (text[i - 1u] == uint8_t{' '}); });
    if_(starts, [&] { (void)atomic_add(count, 0u, 1u); });
  });
  const std::string line = "one  meaning everywhere, on whatever   device there is ";
  const std::vector<uint8_t> text(line.begin(), line.end());
  const auto count = device.buffer<uint32_t>(1).value();
  if (!ran(device, words, text.size(), device.upload(text).value(), count)) return;
  expect_each(device, count, [](std::size_t) { return 8; });
}

CONFORMANCE_TEST(Corpus, Base64) {
  const auto encode = kernel("encode", [](In<uint8_t> bytes, In<uint8_t> letters, Out<uint8_t> text) {
    const auto i = global_id();
    const U32 three = cast<uint32_t>(bytes[i * 3u]) << 16u | cast<uint32_t>(bytes[i * 3u + 1u]) << 8u |
                      cast<uint32_t>(bytes[i * 3u + 2u]);
    for (uint32_t k = 0; k < 4; ++k) text[i * 4u + k] = letters[three >> (18 - 6 * k) & 63u];
  });
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::vector<uint8_t> letters(alphabet.begin(), alphabet.end());
  const auto bytes = byte_pattern(3 * 77);
  const auto text = device.buffer<uint8_t>(4 * 77).value();
  if (!ran(device, encode, 77, device.upload(bytes).value(), device.upload(letters).value(), text)) return;
  expect_each(device, text, [&](std::size_t i) {
    const std::size_t bit = i * 6;  // of all bytes, the first bit first
    const uint32_t two =
        uint32_t{bytes[bit / 8]} << 8 | (bit / 8 + 1 < bytes.size() ? bytes[bit / 8 + 1] : 0);
    return letters[two >> (10 - bit % 8) & 63];
  });
}

CONFORMANCE_TEST(Corpus, EditDistances) {
  const auto distance = kernel("distance", [](In<uint8_t> a, In<uint8_t> b, Out<uint32_t> out) {
    const auto row = array<uint32_t>(9);
    const auto i = global_id();
    for_(0u, 9u, [&](const auto& k) { row[k] = k; });
    for_(0u, 8u, [&](const auto& r) {
      Var<uint32_t> diagonal = row[0u];
      row[0u] = r + 1u;
      for_(0u, 8u, [&](const auto& k) {
        const U32 above = row[k + 1u];
        const U32 cost = select(a[i * 8u + r] == b[i * 8u + k], U32(0u), 1u);
        row[k + 1u] = min(min(above, row[k]) + 1u, diagonal + cost);
        diagonal = above;
      });
    });
    out[i] = row[8u];
  });
  auto a = byte_pattern(8 * 40, 1);
  auto b = byte_pattern(8 * 40, 5);
  for (uint8_t& c : a) c %= 4;
  for (uint8_t& c : b) c %= 4;
  const auto out = device.buffer<uint32_t>(40).value();
  if (!ran(device, distance, 40, device.upload(a).value(), device.upload(b).value(), out)) return;
  expect_each(device, out, [&](std::size_t i) {
    uint32_t d[9][9];
    for (uint32_t r = 0; r < 9; ++r)
      for (uint32_t k = 0; k < 9; ++k) {
        const auto cost = [&] { return a[i * 8 + r - 1] == b[i * 8 + k - 1] ? 0u : 1u; };
        d[r][k] =
            r == 0 || k == 0 ? r + k : std::min({d[r - 1][k] + 1, d[r][k - 1] + 1, d[r - 1][k - 1] + cost()});
      }
    return d[8][8];
  });
}

CONFORMANCE_TEST(Corpus, GrayCodesAndMortonCodes) {
  const auto spread = [](Expr<uint32_t> x) {
    Var<uint32_t> v = x & 0xffffu;
    v = (v | v << 8u) & 0x00ff00ffu;
    v = (v | v << 4u) & 0x0f0f0f0fu;
    v = (v | v << 2u) & 0x33333333u;
    return (v | v << 1u) & 0x55555555u;
  };
  const auto codes = kernel("codes", [=](In<uint32_t> x, Out<uint32_t> gray, Out<uint32_t> morton) {
    const auto i = global_id();
    gray[i] = x[i] ^ x[i] >> 1u;
    morton[i] = spread(x[i]) | spread(x[i] >> 16u) << 1u;
  });
  const Words x = pattern(300);
  const auto gray = device.buffer<uint32_t>(300).value();
  const auto morton = device.buffer<uint32_t>(300).value();
  if (!ran(device, codes, 300, device.upload(x).value(), gray, morton)) return;
  expect_each(device, gray, [&](std::size_t i) { return x[i] ^ x[i] >> 1; });
  expect_each(device, morton, [&](std::size_t i) {
    uint32_t code = 0;
    for (uint32_t bit = 0; bit < 16; ++bit)
      code |= (x[i] >> bit & 1) << 2 * bit | (x[i] >> (16 + bit) & 1) << (2 * bit + 1);
    return code;
  });
}

CONFORMANCE_TEST(Corpus, PrimesAndGreatestCommonDivisors) {
  const auto divide = kernel("divide", [](Out<uint32_t> prime, Out<uint32_t> gcd) {
    const auto n = global_id();
    Var<uint32_t> divisor = 2u;
    while_([&] { return divisor * divisor <= n; },
           [&] {
             if_(n % divisor == 0u, [] { break_(); });
             divisor += 1u;
           });
    prime[n] = cast<uint32_t>((n >= 2u) && (divisor * divisor > n));
    Var<uint32_t> a = n;
    Var<uint32_t> b = 360u;
    while_([&] { return b != 0u; },
           [&] {
             const Expr<uint32_t> rest = a % b;
             a = b;
             b = rest;
           });
    gcd[n] = a;
  });
  const auto prime = device.buffer<uint32_t>(1000).value();
  const auto gcd = device.buffer<uint32_t>(1000).value();
  if (!ran(device, divide, 1000, prime, gcd)) return;
  expect_each(device, prime, [](std::size_t n) {
    for (std::size_t d = 2; d < n; ++d)
      if (n % d == 0) return 0;
    return n >= 2 ? 1 : 0;
  });
  expect_each(device, gcd, [](std::size_t n) { return std::gcd(n, std::size_t{360}); });
}

CONFORMANCE_TEST(Corpus, Fibonacci64) {
  const auto fibonacci = kernel("fibonacci", [](Out<uint64_t> out) {
    Var<uint64_t> a = uint64_t{0};
    Var<uint64_t> b = uint64_t{1};
    for_(0u, global_id(), [&](const auto&) {
      const Expr<uint64_t> next = a + b;
      a = b;
      b = next;
    });
    out[global_id()] = a;
  });
  const auto out = device.buffer<uint64_t>(94).value();
  if (!ran(device, fibonacci, 94, out)) return;
  std::vector<uint64_t> want{0, 1};
  while (want.size() < 94) want.push_back(want.end()[-1] + want.end()[-2]);
  expect_each(device, out, [&](std::size_t i) { return want[i]; });
}

}  // namespace conformance
