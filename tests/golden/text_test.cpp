// Width, line breaks, and what is made of bytes that are no text.

#include "text.hpp"

#include <gtest/gtest.h>

namespace collet::tool {
namespace {

using Lines = std::vector<std::string>;

TEST(Text, WrapsAtSpacesAndCutsWhatIsTooLong) {
  EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefghij kl", 4), (Lines{"abcd", "efgh", "ij", "kl"}));
  EXPECT_EQ(wrap("ab cdefghij", 4), (Lines{"ab", "cdef", "ghij"}));
  EXPECT_EQ(wrap("/usr/lib/libfoo.so.1", 12), (Lines{"/usr/lib/", "libfoo.so.1"}));
  EXPECT_EQ(wrap("a\nb", 10), (Lines{"a", "b"}));
  EXPECT_EQ(wrap("", 10), Lines{""});
  EXPECT_EQ(wrap("a\nb  c", 0), Lines{"a b  c"});
}

TEST(Text, CutsBetweenCodePoints) {
  EXPECT_EQ(wrap("\xc3\xa4\xc3\xb6\xc3\xbc", 2), (Lines{"\xc3\xa4\xc3\xb6", "\xc3\xbc"}));
  EXPECT_EQ(shorten("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4", 4), "\xc3\xa4...");
  EXPECT_EQ(columns("\xc3\xa4\xe2\x84\xa2"), 2u);
}

TEST(Text, ShortensOnlyWhatDoesNotFit) {
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdefg", 6), "abc...");
  EXPECT_EQ(shorten("abcdefg", 0), "abcdefg");
}

TEST(Text, ShowsControlCharactersAndBrokenBytesAsNumbers) {
  EXPECT_EQ(printable("a\x1b[31m\t\x7f"), "a\\x1b[31m\\x09\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");                      // the one-character form of ESC [
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");  // never valid, and cut short
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80");  // too long, half a pair
  EXPECT_EQ(printable("\xc3\xa4\xe2\x84\xa2\xf0\x9f\x98\x80\n"), "\xc3\xa4\xe2\x84\xa2\xf0\x9f\x98\x80\n");
}

TEST(Text, SizesHaveUnits) {
  EXPECT_EQ(size(0), "0 bytes");
  EXPECT_EQ(size(1023), "1023 bytes");
  EXPECT_EQ(size(48 << 10), "48 KiB");
  EXPECT_EQ(size(std::uint64_t{24} << 30), "24 GiB");
  EXPECT_EQ(size((std::uint64_t{15} << 30) + (std::uint64_t{1} << 29)), "15.5 GiB");
  EXPECT_EQ(size((std::uint64_t{1} << 30) - 1), "1 GiB");
  EXPECT_EQ(grouped(25769803776), "25,769,803,776");
  EXPECT_EQ(grouped(999), "999");
}

}  // namespace
}  // namespace collet::tool
