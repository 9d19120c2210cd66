// Windows: child processes, as their parent sees them. A job object ends them, and all that they start, with
// us.

#include <algorithm>
#include <array>
#include <chrono>

#include "platform/platform.hpp"
#include "platform/thread.hpp"
#include "platform/windows.hpp"

namespace collet::platform {
namespace {

constexpr auto kTimeToAnswer = std::chrono::milliseconds(200);

Error system_error(const std::string& what) {
  return Error(ErrorCode::internal, Category::runtime, what + " failed: " + words_of(GetLastError()) + ".");
}

struct Pipe {
  Handle read, write;
};

Result<Pipe> make_pipe() {
  HANDLE read = nullptr;
  HANDLE write = nullptr;
  if (!CreatePipe(&read, &write, nullptr, 0)) return system_error("Making a pipe");
  Pipe pipe{Handle(read), Handle(write)};
  SetHandleInformation(write, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  return pipe;
}

// Ends what is in it when its last handle is closed: by us, or by the system when this process dies.
Result<Handle> make_job() {
  Handle job(CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (!job || !SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits))
    return system_error("Making a job object");
  return job;
}

// As the C runtime of the child takes it apart again: backslashes count only before a quote.
void add_quoted(std::wstring& line, std::wstring_view word) {
  if (!line.empty()) line += L' ';
  line += L'"';
  std::size_t backslashes = 0;
  for (const wchar_t letter : word) {
    if (letter == L'"') line.append(backslashes + 1, L'\\');
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    line += letter;
  }
  line.append(backslashes, L'\\');
  line += L'"';
}

bool same_name(const std::string& a, const std::string& b) {
  return CompareStringOrdinal(wide(a).c_str(), -1, wide(b).c_str(), -1, TRUE) == CSTR_EQUAL;
}

// This process's variables with `changes` over them, in the order that the system wants: by name.
std::wstring environment_block(std::span<const std::pair<std::string, std::string>> changes) {
  auto all = environment();
  std::erase_if(all, [&](const auto& old) {
    return std::any_of(changes.begin(), changes.end(),
                       [&](const auto& change) { return same_name(change.first, old.first); });
  });
  all.insert(all.end(), changes.begin(), changes.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return CompareStringOrdinal(wide(a.first).c_str(), -1, wide(b.first).c_str(), -1, TRUE) == CSTR_LESS_THAN;
  });
  std::wstring block;
  for (const auto& [name, value] : all) block.append(wide(name + "=" + value)).push_back(L'\0');
  if (block.empty()) block.push_back(L'\0');
  block.push_back(L'\0');
  return block;
}

// A list with one entry: the child gets these handles and no other of ours.
//
// Threads: one at a time.
class Inherited {
 public:
  explicit Inherited(std::array<HANDLE, 3> handles) : handles_(handles) {
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    made_ = InitializeProcThreadAttributeList(list(), 1, 0, &size) != 0;
    if (made_) {
      made_ = UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                        sizeof handles_, nullptr, nullptr) != 0;
    }
  }
  Inherited(const Inherited&) = delete;
  Inherited& operator=(const Inherited&) = delete;
  ~Inherited() {
    if (made_) DeleteProcThreadAttributeList(list());
  }
  bool made() const { return made_; }
  LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }

 private:
  std::array<HANDLE, 3> handles_;
  std::vector<std::byte> memory_;
  bool made_ = false;
};

// Reads to the end of the stream, which comes when the last process of the job has closed it.
void drain(HANDLE from, std::string& to, std::size_t most) {
  std::array<char, 16384> chunk;
  DWORD count = 0;
  while (ReadFile(from, chunk.data(), chunk.size(), &count, nullptr) && count != 0)
    to.append(chunk.data(), std::min<std::size_t>(count, most - to.size()));
}

// True where the process ended before the deadline.
bool ends_before(HANDLE process, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::min<Deadline::Clock::duration>(deadline.left(), std::chrono::hours(1)));
    if (WaitForSingleObject(process, static_cast<DWORD>(left.count())) == WAIT_OBJECT_0) return true;
    if (deadline.passed()) return false;
  }
}

// An exit code that only the system gives: an error's number, severity bits set.
bool is_exception(DWORD code) { return code >= 0xC0000000 || code == kAborted; }

// What the child is given at its start.
struct Start {
  Pipe output, errors;
  Handle input, job;
};

Result<Start> prepare() {
  COLLET_TRY(output, make_pipe());
  COLLET_TRY(errors, make_pipe());
  COLLET_TRY(job, make_job());
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  Handle input(CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable,
                           OPEN_EXISTING, 0, nullptr));
  if (!input) return system_error("Opening NUL");
  return Start{std::move(output), std::move(errors), std::move(input), std::move(job)};
}

struct Child {
  Handle process, ask;
};

// Runs from its first instruction on inside the job.
Result<Child> start_child(const std::string& program, std::wstring line, std::wstring block,
                          const Start& given) {
  Inherited inherited({given.input.get(), given.output.write.get(), given.errors.write.get()});
  if (!inherited.made()) return system_error("Preparing the start of " + program);
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = given.input.get();
  start.StartupInfo.hStdOutput = given.output.write.get();
  start.StartupInfo.hStdError = given.errors.write.get();
  start.lpAttributeList = inherited.list();
  PROCESS_INFORMATION made{};
  constexpr DWORD kFlags =
      CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT;
  if (!CreateProcessW(wide(program).c_str(), line.data(), nullptr, nullptr, TRUE, kFlags, block.data(),
                      nullptr, &start.StartupInfo, &made))
    return system_error("Starting " + program);
  Handle process(made.hProcess);
  const Handle thread(made.hThread);
  Handle ask(CreateEventW(nullptr, TRUE, FALSE, ask_event(made.dwProcessId).c_str()));
  if (!AssignProcessToJobObject(given.job.get(), process.get()) ||
      ResumeThread(thread.get()) == static_cast<DWORD>(-1)) {
    const Error error = system_error("Starting " + program);
    TerminateProcess(process.get(), 1);
    return error;
  }
  return Child{std::move(process), std::move(ask)};
}

}  // namespace

std::wstring ask_event(DWORD process) { return L"Local\\collet-where-" + std::to_wstring(process); }

const char* exception_name(DWORD code) {
  switch (code) {
    case EXCEPTION_ACCESS_VIOLATION: return "ACCESS_VIOLATION";
    case EXCEPTION_IN_PAGE_ERROR: return "IN_PAGE_ERROR";
    case EXCEPTION_ILLEGAL_INSTRUCTION: return "ILLEGAL_INSTRUCTION";
    case EXCEPTION_PRIV_INSTRUCTION: return "PRIVILEGED_INSTRUCTION";
    case EXCEPTION_INT_DIVIDE_BY_ZERO: return "INTEGER_DIVIDE_BY_ZERO";
    case EXCEPTION_STACK_OVERFLOW: return "STACK_OVERFLOW";
    case EXCEPTION_DATATYPE_MISALIGNMENT: return "DATATYPE_MISALIGNMENT";
    case EXCEPTION_BREAKPOINT: return "BREAKPOINT";
    case kAborted: return "abort";
    case 0xC0000135: return "DLL_NOT_FOUND";
    case 0xC0000374: return "HEAP_CORRUPTION";
    case 0xC0000409: return "STACK_BUFFER_OVERRUN";  // also what a fast fail ends with
    default: return "an exception";
  }
}

Result<Ended> run_child(const std::string& program, std::span<const std::string> arguments,
                        std::span<const std::pair<std::string, std::string>> variables, Deadline deadline,
                        std::size_t most_output) {
  COLLET_TRY(given, prepare());
  std::wstring line;
  add_quoted(line, wide(program));
  for (const std::string& argument : arguments) add_quoted(line, wide(argument));
  COLLET_TRY(child, start_child(program, std::move(line), environment_block(variables), given));
  given.output.write = Handle();
  given.errors.write = Handle();

  Ended ended;
  auto output =
      start_thread("collet-output", [&] { drain(given.output.read.get(), ended.output, most_output); });
  auto errors =
      start_thread("collet-errors", [&] { drain(given.errors.read.get(), ended.errors, most_output); });
  if (!output || !errors) {
    TerminateJobObject(given.job.get(), 1);
    if (output) output->join();
    if (errors) errors->join();
    return (output ? errors : output).error().during("reading what " + program + " writes");
  }
  const bool late = !ends_before(child.process.get(), deadline);
  if (late) {
    SetEvent(child.ask.get());
    ends_before(child.process.get(), Deadline::in(kTimeToAnswer));
  }
  TerminateJobObject(given.job.get(), 1);  // also what it may have started itself
  WaitForSingleObject(child.process.get(), INFINITE);
  output->join();
  errors->join();

  DWORD code = 0;
  GetExitCodeProcess(child.process.get(), &code);
  ended.code = static_cast<int>(code);
  if (late) {
    ended.how = Ended::How::timed_out;
  } else if (is_exception(code)) {
    ended.how = Ended::How::crashed;
    ended.name = exception_name(code);
  }
  return ended;
}

}  // namespace collet::platform
