// How floats are rounded: in the processor's own mode, for as long as an instruction runs.
#pragma once

#include <cfenv>

#include "ptx_decoder.hpp"

namespace collet::cuda_double {

// Threads: one at a time; it changes the mode of the thread.
class Rounding {
 public:
  explicit Rounding(u32 mode) : mode_(mode) {
    if (mode_ != FE_TONEAREST) std::fesetround(static_cast<int>(mode_));
  }
  ~Rounding() {
    if (mode_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  Rounding(const Rounding&) = delete;

 private:
  u32 mode_;
};

// Takes .rn .rz .rm or .rp; nearest where there is none.
inline u32 take_rounding(Decoder& decoder) {
  static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  const int mode = decoder.take_one_of({"rn", "rz", "rm", "rp"});
  return static_cast<u32>(mode < 0 ? FE_TONEAREST : kModes[mode]);
}

}  // namespace collet::cuda_double
