#include "backends/common/waiting.hpp"

#include <string>

namespace collet::backend::common {

Error timeout_error(const Waiting& waiting, std::size_t points) {
  return Error(ErrorCode::timeout, Category::synchronisation,
               "The deadline passed with " + std::to_string(waiting.reached) + " of " +
                   std::to_string(points) + " timelines reached; one stands at " +
                   std::to_string(waiting.stands_at) + " of " + std::to_string(waiting.missing.value) + ".");
}

}  // namespace collet::backend::common
