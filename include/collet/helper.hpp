// The helper program in which drivers are probed, for programs that Collet would not find it beside.
//
//   int main() {
//     collet::set_helper("/opt/app/lib/collet/collet-probe");  // before the first discover() or open_best()
//     auto device = collet::Device::open_best().value();
//   }
//
// Programs that find Collet by CMake's find_package() need no such line: the package adds it. A program that
// can't find its helper probes drivers in its own process, where a bad one can end it, and the log warns
// once.
#pragma once

#include <string>

#include "collet/export.hpp"

namespace collet {

// Names the file. It counts after COLLET_PROBE and after a helper beside the program or a shared libcollet,
// and before the place that the library was configured to be installed to. The last call counts; "" names
// none. A file that other users could have put there is not run, wherever it is (docs/discovery.md).
// Threads: thread-safe.
COLLET_API void set_helper(std::string path);

}  // namespace collet
