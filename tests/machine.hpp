// What the system says of the memory of this machine and of this process; nothing where it does not say.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace machine {

// The line "NAME:   123 kB" of `file`, in bytes.
inline std::optional<std::uint64_t> bytes_of(const char* file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == name + ":" && lines >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

// Bytes that can be had without swapping.
inline std::optional<std::uint64_t> free_memory() { return bytes_of("/proc/meminfo", "MemAvailable"); }

// Bytes of this process that are in memory.
inline std::optional<std::uint64_t> resident_memory() { return bytes_of("/proc/self/status", "VmRSS"); }

}  // namespace machine
