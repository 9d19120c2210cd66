// The known word that a mistyped one is nearest to.
#pragma once

#include <span>
#include <string_view>

namespace collet::base {

// "" where none is near: at most two wrong, missing, added or swapped letters, and fewer than half the word.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace collet::base
