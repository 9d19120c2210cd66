// NVRTC, which makes PTX of CUDA C++.
#pragma once

#include <string>
#include <string_view>

#include "collet/options.hpp"
#include "collet/result.hpp"

namespace collet::backend::cuda {

struct Compiled {
  std::string ptx;
  std::string log;  // the compiler's words
};

// Threads: thread-safe.
class Compiler {
 public:
  // The newest that this system has; loaded once. An error where there is none.
  static Result<const Compiler*> load();

  // For devices of a compute capability (75 is 7.5), or the next below that the compiler knows. Operations
  // are never contracted but by fast_math.
  Result<Compiled> compile(std::string_view code, std::string_view label, int capability,
                           const CompileOptions& options) const;
  // "NVRTC 13.0"
  const std::string& name() const { return name_; }

 private:
  struct Functions;
  explicit Compiler(const Functions& functions) : functions_(functions) {}
  static Result<const Compiler*> load_now();

  const Functions& functions_;
  std::string name_;
  std::vector<int> capabilities_;  // rising
};

}  // namespace collet::backend::cuda
