// Made-up machines, to look at what the verbs show of them.
#pragma once

#include <collet/diagnosis.hpp>
#include <string>

namespace collet::golden {

// A GPU by two APIs, the processor's own GPU, the CPU, and a software device: all is well.
Diagnosis workstation();
// Loaders are missing or find nothing; only the CPU is there.
Diagnosis bare();
// A driver that crashes, one that computes wrongly, files and variables that are wrong, no permission, and
// names that try to command the terminal.
Diagnosis broken();

}  // namespace collet::golden
