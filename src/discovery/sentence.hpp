// Text that becomes a sentence of a message.
#pragma once

#include <string>

namespace collet::discovery {

// Ends in one full stop.
inline std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

}  // namespace collet::discovery
