// What the Windows files of platform/ share: text in both encodings, handles that close themselves, the
// system's words.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <string>
#include <string_view>
#include <utility>

#include "collet/result.hpp"

namespace collet::platform {

// UTF-8 to the system's UTF-16 and back. What is no text in one becomes U+FFFD in the other.
std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);

// The system's own sentence for an error code, and the code: "The specified module could not be found (126)".
std::string words_of(DWORD code);

// The file of a loaded module (null: the program); "" where the system does not say.
std::string module_path(HMODULE module);
// The module that `code` lies in; null where it lies in none. Takes no lock of the loader's.
HMODULE module_at(const void* code);

// Closes itself. Threads: one at a time.
class Handle {
 public:
  explicit Handle(HANDLE handle = nullptr) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() {
    if (handle_ != nullptr) CloseHandle(handle_);
  }
  HANDLE get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  HANDLE handle_;
};

// What a process ends with that called abort() (STATUS_FATAL_APP_EXIT).
inline constexpr DWORD kAborted = 0x40000015;
// "ACCESS_VIOLATION"; "an exception" where it has no name here.
const char* exception_name(DWORD code);

// The event by which a parent asks the child of that number where it is.
std::wstring ask_event(DWORD process);

}  // namespace collet::platform
