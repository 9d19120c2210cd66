// How many bytes this program has allocated and not freed, as its C library counts them.
#pragma once

#include <malloc.h>

#include <cstddef>

namespace collet::test {

inline std::size_t heap_in_use() {
#ifdef _WIN32
  std::size_t used = 0;
  _HEAPINFO entry{};
  while (_heapwalk(&entry) == _HEAPOK) {
    if (entry._useflag == _USEDENTRY) used += entry._size;
  }
  return used;
#else
  return mallinfo2().uordblks;
#endif
}

}  // namespace collet::test
