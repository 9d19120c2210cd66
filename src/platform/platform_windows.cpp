// Windows: libraries, environment, pages, processors.

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "platform/address_space.hpp"
#include "platform/fence.hpp"
#include "platform/platform.hpp"
#include "platform/thread.hpp"
#include "platform/windows.hpp"

namespace collet::platform {

constinit std::atomic<std::uint32_t> epoch{0};

namespace {

// The thread that runs the static constructors: the first of a program that links Collet.
const DWORD first_thread = GetCurrentThreadId();

// The share of all processors that a job grants at most, in 1/10000; 0 where there is no such limit.
std::uint32_t job_rate() {
  JOBOBJECT_CPU_RATE_CONTROL_INFORMATION rate{};
  if (!QueryInformationJobObject(nullptr, JobObjectCpuRateControlInformation, &rate, sizeof rate, nullptr))
    return 0;
  constexpr DWORD kHard = JOB_OBJECT_CPU_RATE_CONTROL_ENABLE | JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
  return (rate.ControlFlags & kHard) == kHard ? rate.CpuRate : 0;
}

}  // namespace

std::wstring wide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  std::wstring out(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)),
                   L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), size, out.data(), static_cast<int>(out.size()));
  return out;
}

std::string narrow(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  const int needed = WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<std::size_t>(needed), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), size, out.data(), needed, nullptr, nullptr);
  return out;
}

std::string words_of(DWORD code) {
  wchar_t* text = nullptr;
  const DWORD size = FormatMessageW(
      FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr,
      code, 0, reinterpret_cast<wchar_t*>(&text), 0, nullptr);
  std::string words = size != 0 ? narrow({text, size}) : "the system gives no reason";
  if (text != nullptr) LocalFree(text);
  while (!words.empty() &&
         (words.back() == '\n' || words.back() == '\r' || words.back() == ' ' || words.back() == '.'))
    words.pop_back();
  return words + " (" + std::to_string(code) + ")";
}

std::string module_path(HMODULE module) {
  constexpr std::size_t kLongest = 32768;  // what the system can name at all
  for (std::wstring path(MAX_PATH, L'\0'); path.size() <= kLongest; path.resize(path.size() * 2)) {
    const DWORD size = GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size()));
    if (size == 0) return {};
    if (size < path.size()) return narrow({path.data(), size});
  }
  return {};
}

HMODULE module_at(const void* code) {
  MEMORY_BASIC_INFORMATION facts{};
  if (VirtualQuery(code, &facts, sizeof facts) == 0 || facts.Type != MEM_IMAGE) return nullptr;
  return static_cast<HMODULE>(facts.AllocationBase);
}

Result<Library> Library::open(std::span<const char* const> names, bool) {  // DLLs are always apart
  std::string words;
  for (const char* name : names) {
    DWORD before = 0;
    SetThreadErrorMode(SEM_FAILCRITICALERRORS, &before);  // no message box about a missing file
    // The program's own folder and the system's; not the current one, nor PATH.
    HMODULE module = LoadLibraryExW(wide(name).c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    const DWORD code = GetLastError();
    SetThreadErrorMode(before, nullptr);
    if (module != nullptr) {
      std::string path = module_path(module);
      return Library(module, path.empty() ? name : std::move(path));
    }
    if (!words.empty()) words += "; ";
    words += std::string(name) + ": " + words_of(code);
  }
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::library_not_found, words);
}

void* Library::symbol(const char* name) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

std::span<const char* const> library_names(std::string_view api) {
  static constexpr const char* kLlvm[] = {"LLVM-C.dll"};
  static constexpr const char* kVulkan[] = {"vulkan-1.dll"};
  static constexpr const char* kOpenCl[] = {"OpenCL.dll"};
  static constexpr const char* kEgl[] = {"libEGL.dll"};  // of ANGLE; Windows itself has none
  static constexpr const char* kCuda[] = {"nvcuda.dll"};
  static constexpr const char* kNvrtc[] = {"nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"};
  static constexpr const char* kWebGpu[] = {"wgpu_native.dll", "webgpu_dawn.dll"};
  if (api == "vulkan") return kVulkan;
  if (api == "opencl") return kOpenCl;
  if (api == "egl") return kEgl;
  if (api == "cuda") return kCuda;
  if (api == "nvrtc") return kNvrtc;
  if (api == "webgpu") return kWebGpu;
  if (api == "llvm") return kLlvm;
  return {};
}

std::optional<std::string> environment(const char* name) {
  const std::wstring wanted = wide(name);
  for (std::wstring value(256, L'\0');;) {
    SetLastError(ERROR_SUCCESS);
    const DWORD size =
        GetEnvironmentVariableW(wanted.c_str(), value.data(), static_cast<DWORD>(value.size()));
    if (size == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
    if (size < value.size()) return narrow({value.data(), size});
    value.resize(size);
  }
}

std::vector<std::pair<std::string, std::string>> environment() {
  std::vector<std::pair<std::string, std::string>> all;
  wchar_t* const block = GetEnvironmentStringsW();
  if (block == nullptr) return all;
  for (const wchar_t* at = block; *at != L'\0';) {
    const std::wstring_view text = at;
    const std::size_t equals = text.find(L'=');  // at 0: the shell's notes about folders, no variable
    if (equals != 0 && equals != std::wstring_view::npos)
      all.emplace_back(narrow(text.substr(0, equals)), narrow(text.substr(equals + 1)));
    at += text.size() + 1;
  }
  FreeEnvironmentStringsW(block);
  return all;
}

std::string executable_path() { return module_path(nullptr); }

std::string own_path() { return module_path(module_at(reinterpret_cast<const void*>(&own_path))); }

std::string cache_directory() {
  std::string folder = environment("LOCALAPPDATA").value_or("");
  while (folder.ends_with('\\') || folder.ends_with('/')) folder.pop_back();
  return folder;
}

std::vector<DeviceNode> device_nodes() { return {}; }  // drivers are not reached through files here

bool errors_are_seen() {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

std::string thread_limits() { return {}; }  // memory is the only one

std::uint64_t thread_stack_bytes() { return 1u << 20; }  // what linkers write into programs

bool can_open_files(std::uint32_t) { return true; }  // there is no such limit

std::optional<std::uint32_t> terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info)) return std::nullopt;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  if (columns <= 0) return std::nullopt;
  return static_cast<std::uint32_t>(columns);
}

bool forked_since(std::uint32_t /*made*/) { return false; }  // there is no fork()

bool on_main_thread() { return GetCurrentThreadId() == first_thread; }

void begin_exit() { epoch.fetch_add(1); }

std::uint32_t usable_processors() {
  DWORD_PTR ours = 0;
  DWORD_PTR all = 0;
  const std::uint32_t present = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  std::uint32_t count = present;
  // No mask: the process spans several groups of processors, and may use them all.
  if (GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) && ours != 0)
    count = static_cast<std::uint32_t>(std::popcount(ours));
  if (const std::uint32_t rate = job_rate(); rate != 0) count = std::min(count, present * rate / 10'000);
  return std::max(1u, count);
}

bool bind_thread(std::uint32_t processor) {
  constexpr std::uint32_t kInGroup = sizeof(DWORD_PTR) * 8;
  return processor < kInGroup && SetThreadAffinityMask(GetCurrentThread(), DWORD_PTR{1} << processor) != 0;
}

std::string processor_name() {
  wchar_t name[256];
  DWORD size = sizeof name;
  if (RegGetValueW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                   L"ProcessorNameString", RRF_RT_REG_SZ, nullptr, name, &size) != ERROR_SUCCESS)
    return "CPU";
  const std::string text = narrow(name);
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "CPU";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::uint64_t l2_cache() {
  DWORD size = 0;
  GetLogicalProcessorInformation(nullptr, &size);
  std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> all(size / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
  if (all.empty() || !GetLogicalProcessorInformation(all.data(), &size)) return 0;
  for (const auto& one : all) {
    if (one.Relationship == RelationCache && one.Cache.Level == 2) return one.Cache.Size;
  }
  return 0;
}

// Limits of jobs count committed memory; physical_memory() has them.
std::optional<AddressSpace> address_space() { return std::nullopt; }

std::uint64_t physical_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return 0;
  std::uint64_t total = status.ullTotalPhys;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION job{};
  if (QueryInformationJobObject(nullptr, JobObjectExtendedLimitInformation, &job, sizeof job, nullptr)) {
    const DWORD set = job.BasicLimitInformation.LimitFlags;
    if ((set & JOB_OBJECT_LIMIT_PROCESS_MEMORY) != 0)
      total = std::min<std::uint64_t>(total, job.ProcessMemoryLimit);
    if ((set & JOB_OBJECT_LIMIT_JOB_MEMORY) != 0) total = std::min<std::uint64_t>(total, job.JobMemoryLimit);
  }
  return total;
}

void* map_pages(std::size_t size) {
  return VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void unmap_pages(void* pages, std::size_t /*size*/) { VirtualFree(pages, 0, MEM_RELEASE); }

bool forbid_pages(void* pages, std::size_t size) {
  DWORD before = 0;
  return VirtualProtect(pages, size, PAGE_NOACCESS, &before) != 0;
}

void futex_wait(const std::uint32_t* word, std::uint32_t expected, std::int64_t nanoseconds) {
  constexpr std::int64_t kLongest = INFINITE - 1;
  const std::int64_t rounded_up = nanoseconds / 1'000'000 + (nanoseconds % 1'000'000 != 0 ? 1 : 0);
  const auto limit = nanoseconds < 0 ? INFINITE : static_cast<DWORD>(std::min(rounded_up, kLongest));
  WaitOnAddress(const_cast<std::uint32_t*>(word), &expected, sizeof expected, limit);
}

void futex_wake(const std::uint32_t* word, std::uint32_t count) {
  auto* address = const_cast<std::uint32_t*>(word);
  if (count > 16) {
    WakeByAddressAll(address);
    return;
  }
  for (; count != 0; --count) WakeByAddressSingle(address);
}

void name_thread(const char* name) {
  using Describe = HRESULT(WINAPI*)(HANDLE, PCWSTR);  // since Windows 10, version 1607
  static const auto describe = reinterpret_cast<Describe>(
      reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "SetThreadDescription")));
  if (describe != nullptr) describe(GetCurrentThread(), wide(std::string_view(name).substr(0, 15)).c_str());
}

}  // namespace collet::platform
