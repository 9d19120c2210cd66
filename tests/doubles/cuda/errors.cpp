// The names of results.

#include "errors.hpp"

namespace collet::cuda_double {

const char* name_of(Result result) {
  switch (result) {
#define X(name, theirs, number, text) \
  case name: return #theirs;
    COLLET_CUDA_DOUBLE_RESULTS(X)
#undef X
  }
  return nullptr;
}

const char* text_of(Result result) {
  switch (result) {
#define X(name, theirs, number, text) \
  case name: return text;
    COLLET_CUDA_DOUBLE_RESULTS(X)
#undef X
  }
  return nullptr;
}

}  // namespace collet::cuda_double
