// collet_embed(): the bytes of the files in unit/kernels, unchanged, under the names that it promises.

#include <gtest/gtest.h>

#include <collet_embedded/kernels.hpp>
#include <cstdint>

namespace {

// Usable while the program starts.
const std::size_t early_size = collet_embedded::text_txt.size();

TEST(Embed, TextIsAStringViewWithATerminatorBehindIt) {
  static_assert(std::is_same_v<decltype(collet_embedded::text_txt), const std::string_view>);
  EXPECT_EQ(collet_embedded::text_txt, "first line\nsecond \"line\" with \\ and \xc3\xa9\n");
  EXPECT_EQ(*(collet_embedded::text_txt.data() + collet_embedded::text_txt.size()), '\0');
  EXPECT_EQ(early_size, collet_embedded::text_txt.size());
}

TEST(Embed, BytesAreASpanAlignedToSixteen) {
  static_assert(std::is_same_v<decltype(collet_embedded::all_bytes_bin), const std::span<const std::byte>>);
  ASSERT_EQ(collet_embedded::all_bytes_bin.size(), 256u);
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(std::to_integer<std::size_t>(collet_embedded::all_bytes_bin[i]), i);
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(collet_embedded::all_bytes_bin.data()) % 16, 0u);
}

TEST(Embed, AnEmptyFileIsEmpty) { EXPECT_TRUE(collet_embedded::empty_bin.empty()); }

TEST(Embed, ANameThatIsNoIdentifierBecomesOne) { EXPECT_EQ(collet_embedded::file_2d_name_txt, "x"); }

}  // namespace
