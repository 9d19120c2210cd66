// Pages that end the process when somebody touches them.
#pragma once

#include <cstddef>

namespace collet::platform {

// From now on nobody may read or write these pages, which map_pages() gave; false where that failed.
bool forbid_pages(void* pages, std::size_t size);

}  // namespace collet::platform
