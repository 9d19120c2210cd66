// Programs that use Eigen or glm beside Collet, with Collet's names at hand: their operators stay theirs.

#include <gtest/gtest.h>

#include "collet/collet.hpp"

#if __has_include(<Eigen/Core>)
#define HAS_EIGEN 1
#include <Eigen/Core>
#endif
#if __has_include(<glm/glm.hpp>)
#define HAS_GLM 1
#include <glm/glm.hpp>
#endif

namespace other_libraries {

using namespace collet;

TEST(OtherLibraries, EigensOperatorsAreItsOwn) {
#ifdef HAS_EIGEN
  Eigen::Matrix2f m;
  m << 1, 2, 3, 4;
  const Eigen::Matrix2f made = m * 2.0f + 2.0f * m - m / 2.0f;
  EXPECT_EQ(made(1, 1), 14.0f);
  m += made;
  m *= 2.0f;
  EXPECT_TRUE(m == m);
  EXPECT_TRUE(m != -m);
  EXPECT_EQ(Eigen::Vector2f(1, 2).dot(Eigen::Vector2f(3, 4)), 11.0f);
  EXPECT_TRUE((m.array() > 0.0f).all());
#else
  GTEST_SKIP() << "Eigen is not installed";
#endif
}

TEST(OtherLibraries, GlmsOperatorsAreItsOwn) {
#ifdef HAS_GLM
  glm::vec3 v(1, 2, 3);
  v = v * 2.0f + 2.0f * v - v / 2.0f;
  v += v;
  EXPECT_EQ(v, glm::vec3(7, 14, 21));
  EXPECT_TRUE(v != -v);
  EXPECT_EQ(dot(v, glm::vec3(1, 0, 0)), 7.0f);
  EXPECT_EQ(max(v, 10.0f), glm::vec3(10, 14, 21));
  EXPECT_EQ(glm::ivec2(5, 9) % 4 << 1 & 2, glm::ivec2(2, 2));
#else
  GTEST_SKIP() << "glm is not installed";
#endif
}

// Their values are constants of a kernel where they become Collet's.
TEST(OtherLibraries, KernelsAreTracedBesideThem) {
  const auto scaled = kernel("scaled", [](InOut<float> x) {
    const auto i = global_id();
    x[i] = dot(compose(x[i], x[i]), float2{1, 2}) * 2.0f;
  });
  EXPECT_TRUE(scaled.emit(Format::ir));
}

}  // namespace other_libraries
