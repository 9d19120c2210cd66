// Windows: how a helper program explains its own end.

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <utility>

#include "platform/platform.hpp"
#include "platform/thread.hpp"
#include "platform/windows.hpp"

namespace collet::platform {
namespace {

std::atomic<bool> armed{false};

// Where code runs that carries out other people's mistakes: the system's and the C and C++ libraries.
constexpr std::string_view kBystanders[] = {"ntdll.dll",    "kernel32.dll", "kernelbase.dll", "msvcrt.dll",
                                            "ucrtbase.dll", "vcruntime",    "msvcp",          "libstdc++",
                                            "libgcc_s",     "libwinpthread"};

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         CompareStringOrdinal(wide(text.substr(0, beginning.size())).c_str(), -1, wide(beginning).c_str(), -1,
                              TRUE) == CSTR_EQUAL;
}

// The path of the library around `code`; "" where it is no library's, a bystander's, or ours.
std::string library_at(const void* code) {
  const HMODULE module = module_at(code);
  if (module == nullptr || module == GetModuleHandleW(nullptr) ||
      module == module_at(reinterpret_cast<const void*>(&explain_ends)))
    return {};
  std::string path = module_path(module);
  const std::string_view file = std::string_view(path).substr(path.find_last_of("\\/") + 1);
  for (const std::string_view one : kBystanders) {
    if (begins_with(file, one)) return {};
  }
  return path;
}

// Where the code runs and who called it, innermost first.
struct Frames {
  std::array<const void*, 128> code;
  std::size_t count = 0;
};

// Takes no lock and no memory: the thread in question may hold either.
Frames frames_of(CONTEXT context) {
  Frames frames;
#if defined(__x86_64__) || defined(_M_X64)
  while (frames.count < frames.code.size()) {
    frames.code[frames.count++] = reinterpret_cast<const void*>(context.Rip);
    DWORD64 base = 0;
    PRUNTIME_FUNCTION function = RtlLookupFunctionEntry(context.Rip, &base, nullptr);
    if (function == nullptr) {  // a function without a frame, or a jump to nowhere
      context.Rip = *reinterpret_cast<const DWORD64*>(context.Rsp);
      context.Rsp += sizeof(DWORD64);
    } else {
      void* data = nullptr;
      DWORD64 frame = 0;
      RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, context.Rip, function, &context, &data, &frame, nullptr);
    }
    if (context.Rip == 0) break;
  }
#else
  (void)context;  // other processors keep their frames in other ways: the library stays unnamed
#endif
  return frames;
}

// The innermost library that is no bystander; "" where there is none.
std::string library_of(const Frames& frames) {
  for (std::size_t i = 0; i < frames.count; ++i) {
    if (std::string path = library_at(frames.code[i]); !path.empty()) return path;
  }
  return {};
}

// Begins with a newline: something may stand on the line already.
void say(const std::string& what, const std::string& library) {
  const std::string line = "\nfault " + what + " " + library + "\n";
  DWORD written = 0;
  WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), line.data(), static_cast<DWORD>(line.size()), &written, nullptr);
}

std::string library_here() {
  CONTEXT context{};
  RtlCaptureContext(&context);
  return library_of(frames_of(context));
}

// Each speaks once: a second thread, or a fault in these very functions, ends the process silently.

LONG WINAPI on_exception(EXCEPTION_POINTERS* facts) {
  const DWORD code = facts->ExceptionRecord->ExceptionCode;
  if (armed.exchange(false)) say(exception_name(code), library_of(frames_of(*facts->ContextRecord)));
  TerminateProcess(GetCurrentProcess(), code);
  return EXCEPTION_EXECUTE_HANDLER;
}

void on_abort(int /*number*/) {
  if (armed.exchange(false)) say("abort", library_here());
  TerminateProcess(GetCurrentProcess(), kAborted);
}

void on_exit() {
  if (armed.exchange(false)) say("exit", library_here());
}

// Waits for the parent's question and answers for `asked`. No answer comes where that thread hangs while a
// library is being loaded: it holds the lock that naming a library needs.
void answer(const Handle& question, const Handle& asked) {
  WaitForSingleObject(question.get(), INFINITE);
  if (!armed.exchange(false)) return;
  CONTEXT context{};
  context.ContextFlags = CONTEXT_FULL;
  Frames frames;
  SuspendThread(asked.get());
  if (GetThreadContext(asked.get(), &context)) frames = frames_of(context);
  ResumeThread(asked.get());
  say("hang", library_of(frames));
}

}  // namespace

void explain_ends() {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
  ULONG spare = 64 * 1024;
  SetThreadStackGuarantee(&spare);  // so that a stack overflow can be told
  armed = true;
  SetUnhandledExceptionFilter(on_exception);
  std::signal(SIGABRT, on_abort);
  std::atexit(on_exit);

  HANDLE self = nullptr;
  DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &self, 0, FALSE,
                  DUPLICATE_SAME_ACCESS);
  Handle question(OpenEventW(SYNCHRONIZE, FALSE, ask_event(GetCurrentProcessId()).c_str()));
  if (!question) return;  // nobody will ask
  const auto both = std::make_shared<std::pair<Handle, Handle>>(std::move(question), Handle(self));
  auto answering = start_thread("collet-answer", [both] { answer(both->first, both->second); });
  if (answering) answering->detach();  // else nobody answers, as where the thread that is asked can't
}

void disarm_ends() { armed = false; }

}  // namespace collet::platform
