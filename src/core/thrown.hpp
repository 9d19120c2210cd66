// What a program's own function threw, in words.
#pragma once

#include <exception>
#include <string>

namespace collet::core {

// The end of a sentence: "threw: out of range." Call it in a catch block.
inline std::string thrown() {
  try {
    throw;
  } catch (const std::exception& exception) {
    return std::string("threw: ") + exception.what() + ".";
  } catch (...) {
    return "threw something that is no std::exception.";
  }
}

}  // namespace collet::core
