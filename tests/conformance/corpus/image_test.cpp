// Corpus: buffers of two and three dimensions.

#include "conformance/corpus/corpus.hpp"

namespace conformance {

CONFORMANCE_TEST(Corpus, RowsWithAPitchAreReadAndWritten) {
  const auto smooth = kernel("smooth", [](In<uint32_t, 2> x, Out<uint32_t, 2> y, Value<uint32_t> factor) {
    const auto row = global_id(1);
    const auto column = global_id(0);
    // Nothing is beyond an edge: the neighbour in the next row is none.
    y(row, column) =
        factor * x(row, column) + x(row, column + 1u) + x(row + 1u, column) + x(row, column - 1u);
  });
  constexpr std::size_t kRows = 13, kColumns = 21, kPitch = 32;
  const Words x = pattern(kRows * kPitch);
  const auto from = device.upload(x).value();
  const auto to = device.buffer<uint32_t>(kRows * kColumns).value();
  const View<uint32_t, 2> image = from.as_rows(kRows, kColumns, kPitch);
  if (!ran(device, smooth, elements(kColumns, kRows), image, to.as_rows(kRows, kColumns), 3u)) return;
  const auto at = [&](std::size_t row, std::size_t column) {
    return row < kRows && column < kColumns ? x[row * kPitch + column] : 0u;
  };
  expect_each(device, to, [&](std::size_t i) {
    const std::size_t row = i / kColumns, column = i % kColumns;
    return 3 * at(row, column) + at(row, column + 1) + at(row + 1, column) + at(row, column - 1);
  });
}

CONFORMANCE_TEST(Corpus, WritesBeyondAnEdgeReachNoOtherRow) {
  const auto mark = kernel("mark", [](InOut<uint32_t, 2> y) {
    y(global_id(1), global_id(0)) = 1u;
    y(global_id(1), y.columns() + global_id(0)) = 2u;
    y(y.rows() + global_id(1), global_id(0)) = 3u;
    y(cast<std::int32_t>(global_id()) - 100, 0) = 4u;
    y(cast<std::int64_t>(global_id()) + (std::int64_t{1} << 32), 0) = 5u;
  });
  constexpr std::size_t kPitch = 9;
  const auto y = device.buffer<uint32_t>(5 * kPitch).value();
  if (!ran(device, mark, elements(7, 4), y.as_rows(4, 7, kPitch))) return;
  expect_each(device, y, [&](std::size_t i) { return i / kPitch < 4 && i % kPitch < 7 ? 1u : 0u; });
}

CONFORMANCE_TEST(Corpus, PlanesOfRowsByVectors) {
  const auto turn = kernel("turn", [](In<float, 3> x, Out<float, 3> y) {
    const auto at = global_id_xyz();
    y(at.x, at.z, at.y) = x[at] + cast<float>(x.planes() * 100u + x.rows() * 10u + x.extent(2));
  });
  std::vector<float> x(4 * 3 * 5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  const auto from = device.upload(x).value();
  const auto to = device.buffer<float>(x.size()).value();
  if (!ran(device, turn, elements(5, 3, 4), from.as_planes(4, 3, 5), to.as_planes(5, 4, 3))) return;
  expect_each(device, to, [&](std::size_t i) {
    const std::size_t first = i / 12, second = i / 3 % 4, third = i % 3;  // x, z, y
    return x[(second * 3 + third) * 5 + first] + 435.0f;
  });
}

CONFORMANCE_TEST(Corpus, RowsThatDoNotFitAreRefused) {
  const auto clear = kernel("clear", [](Out<float, 2> y) { y[global_id_xy()] = 0.0f; });
  const auto y = device.buffer<float>(100, {.label = "hundred"}).value();
  auto stream = device.stream();
  const auto refusal = [&](const View<float, 2>& rows) {
    stream.launch(clear, elements(1, 1), rows);
    const auto done = stream.wait();
    return done ? std::string("accepted") : done.error().message();
  };
  EXPECT_EQ(refusal(y.as_rows(10, 10)), "accepted");
  for (const auto& none : {y.as_rows(0, 1000), y.as_rows(1000, 0)})
    EXPECT_NE(refusal(none).find("is empty, but the launch is not"), std::string::npos);
  EXPECT_EQ(refusal(y.as_rows(2, 10, 90)), "accepted");
  for (const auto& rows :
       {y.as_rows(10, 11), y.as_rows(2, 11, 90), y.as_rows(4, 10, 9), y.as_rows(1ull << 32, 1),
        y.as_rows(1ull << 31, 1ull << 31, 1ull << 31), y.slice(0, 50).as_rows(6, 10)}) {
    EXPECT_NE(refusal(rows).find("\"hundred\"] is used in rows that do not fit into its"), std::string::npos)
        << refusal(rows);
  }
}

}  // namespace conformance
