// Pictures that the examples make: PNG files, and colours in a terminal.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace picture {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<Colour> pixels;  // row by row, from the top

  Colour at(std::uint32_t x, std::uint32_t y) const { return pixels[std::size_t{y} * width + x]; }
  void set(std::uint32_t x, std::uint32_t y, Colour colour) { pixels[std::size_t{y} * width + x] = colour; }
};

// Blue below zero, red above, black between; 1 is as bright as it gets.
inline Colour around_zero(float value) {
  const auto bright = [](float x) { return static_cast<std::uint8_t>(255 * std::clamp(x, 0.0f, 1.0f)); };
  const float size = value < 0 ? -value : value;
  return {bright(value > 0       ? value
                 : value + 1 < 0 ? size - 1
                                 : 0),
          bright(size - 0.5f), bright(value < 0 ? size : size - 1)};
}

// Two rows of pixels make one of characters.
inline std::string terminal_text(const Picture& picture) {
  std::string text;
  for (std::uint32_t y = 0; y + 1 < picture.height; y += 2) {
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      const Colour upper = picture.at(x, y), lower = picture.at(x, y + 1);
      std::array<char, 64> code{};
      std::snprintf(code.data(), code.size(), "\033[38;2;%d;%d;%d;48;2;%d;%d;%dm", upper.red, upper.green,
                    upper.blue, lower.red, lower.green, lower.blue);
      text += code.data();
      text += "\xe2\x96\x80";  // the upper half of a block
    }
    text += "\033[0m\n";
  }
  return text;
}

// False where the file can't be written. Each pixel becomes a square of `scale` x `scale`. Nothing is
// compressed.
inline bool write_png(const std::string& path, const Picture& picture, std::uint32_t scale = 1) {
  std::string rows;
  for (std::uint32_t y = 0; y < picture.height * scale; ++y) {
    rows += '\0';  // no filter
    for (std::uint32_t x = 0; x < picture.width * scale; ++x) {
      const Colour colour = picture.at(x / scale, y / scale);
      for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) rows += static_cast<char>(part);
    }
  }
  const auto word = [](std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
    return bytes;
  };
  std::ofstream file(path, std::ios::binary);
  const auto chunk = [&](const std::string& named_data) {
    std::uint32_t crc = ~0u;
    for (const char c : named_data) {
      crc ^= static_cast<std::uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    }
    file << word(static_cast<std::uint32_t>(named_data.size() - 4)) << named_data << word(~crc);
  };
  file << "\x89PNG\r\n\x1a\n";
  chunk("IHDR" + word(picture.width * scale) + word(picture.height * scale) +
        std::string("\x08\x02\0\0\0", 5));
  std::string data = "IDAT\x78\x01";  // zlib
  std::uint32_t a = 1, b = 0;         // Adler-32
  for (std::size_t at = 0; at < rows.size(); at += 65535) {
    const std::size_t size = std::min<std::size_t>(rows.size() - at, 65535);
    data += at + size == rows.size() ? '\1' : '\0';
    for (const std::size_t value : {size, ~size}) {
      data += static_cast<char>(value & 255);
      data += static_cast<char>(value >> 8 & 255);
    }
    data += rows.substr(at, size);
  }
  for (const char c : rows) {
    a = (a + static_cast<std::uint8_t>(c)) % 65521;
    b = (b + a) % 65521;
  }
  chunk(data + word(b << 16 | a));
  chunk("IEND");
  file.close();
  return file.good();
}

}  // namespace picture
