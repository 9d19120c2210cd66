// IR text that somebody damaged: bytes, words, numbers, references and lines.
#pragma once

#include <cstdint>
#include <string>

namespace collet::fuzz {

// `text` after one to four changes. One seed is one result, on every machine.
std::string mutate(const std::string& text, std::uint64_t seed);

}  // namespace collet::fuzz
