// Linux: child processes, as their parent sees them and as they explain their own end.

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "platform/platform.hpp"
#include "platform/thread.hpp"

extern char** environ;

namespace collet::platform {
namespace {

// "Where are you?" LLVM, which drivers bring along, takes the signals with names for itself.
int ask_signal() { return SIGRTMIN + 5; }

// The main thread is asked first, then the others, and then there is an end.
constexpr auto kTimeOfMain = std::chrono::milliseconds(50);
constexpr auto kTimeOfOthers = std::chrono::milliseconds(150);

// Async-signal-safe.
const char* name_of(int number) {
  switch (number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGILL: return "SIGILL";
    case SIGFPE: return "SIGFPE";
    case SIGABRT: return "SIGABRT";
    case SIGTRAP: return "SIGTRAP";
    case SIGSYS: return "SIGSYS";
    case SIGKILL: return "SIGKILL";
    case SIGTERM: return "SIGTERM";
    case SIGPIPE: return "SIGPIPE";
    case SIGINT: return "SIGINT";
    case SIGHUP: return "SIGHUP";
    default: return "a signal";
  }
}

// --- The parent's side ----------------------------------------------------------------------------------

// Closes itself. Threads: one at a time.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

struct Pipe {
  Descriptor read, write;
};

Error system_error(const std::string& what) {
  const bool is_full = errno == EMFILE || errno == ENFILE;
  return Error(is_full ? ErrorCode::out_of_memory : ErrorCode::internal, Category::runtime,
               what + " failed: " + std::system_category().message(errno) + ".")
      .with_hint(is_full ? "Raise the limit on open files (ulimit -n), or close some." : "");
}

Error no_child(const std::string& program) {
  const bool scarce = errno == EAGAIN || errno == ENOMEM;
  const Error error = system_error("Starting " + program);
  if (!scarce) return error;
  return Error(ErrorCode::out_of_memory, error.category(), error.message() + thread_limits())
      .with_hint(
          "Raise the limit on this user's processes (ulimit -u) or the container's (pids and memory).");
}

// The same file under a number above the three standard ones. A program that closed those gets their numbers
// for new files, and the child could not put one in the place of another.
Result<Descriptor> above_standard(Descriptor file) {
  if (file.get() < 0) return system_error("Opening a file for another program");
  if (file.get() > STDERR_FILENO) return file;
  Descriptor higher(fcntl(file.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (higher.get() < 0) return system_error("Moving a file out of the way of the standard streams");
  return higher;
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_error("Making a pipe");
  Descriptor read(ends[0]);
  Descriptor write(ends[1]);
  fcntl(read.get(), F_SETFL, O_NONBLOCK);
  COLLET_TRY(high_read, above_standard(std::move(read)));
  COLLET_TRY(high_write, above_standard(std::move(write)));
  return Pipe{std::move(high_read), std::move(high_write)};
}

// Everything that the child needs between its birth and exec, prepared before: there it may not allocate.
struct Start {
  const char* program = nullptr;
  std::vector<char*> arguments, variables;
  int input = -1, output = -1, errors = -1;
  pid_t parent = 0;
};

// The child shares our memory until exec: it calls the system and nothing else.
[[noreturn]] void become(const Start& start) {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != start.parent) _exit(127);  // it died before the line above
  setpgid(0, 0);
  if (dup2(start.input, 0) >= 0 && dup2(start.output, 1) >= 0 && dup2(start.errors, 2) >= 0)
    execve(start.program, start.arguments.data(), start.variables.data());
  _exit(127);
}

// The process number, or -1. Neither copies our memory nor runs what was registered for fork().
[[gnu::noinline]] pid_t start_child(const Start& start) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler of ours may run in the child
  const pid_t child = vfork();                  // NOLINT(*-insecureAPI.vfork,bugprone-unsafe-functions)
  if (child == 0) become(start);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

// Reads what is there; false at the end of the stream.
bool drain(const Descriptor& from, std::string& to, std::size_t most) {
  std::array<char, 16384> chunk;
  for (;;) {
    const ssize_t count = read(from.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
    to.append(chunk.data(), std::min(static_cast<std::size_t>(count), most - to.size()));
  }
}

enum class Child : std::uint8_t { running, ended, taken };

// Leaves the zombie there, so that its number, and its group's, stay ours. Taken: by a handler of the program
// that waits for every child, or because the program ignores SIGCHLD.
Child look(pid_t child) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return errno == EINTR ? Child::running : Child::taken;
  return info.si_pid == child ? Child::ended : Child::running;
}

void reap(pid_t child, Ended& ended) {
  kill(-child, SIGKILL);  // what it may have started itself
  int status = 0;
  pid_t got = 0;
  do {
    got = waitpid(child, &status, 0);
  } while (got < 0 && errno == EINTR);
  if (got != child) {
    ended.code = -1;
  } else if (WIFSIGNALED(status)) {
    ended.how = Ended::How::crashed;
    ended.code = WTERMSIG(status);
    ended.name = name_of(ended.code);
  } else {
    ended.code = WEXITSTATUS(status);
  }
}

void ask_every_thread(pid_t child) {
  std::error_code none;
  const std::string tasks = "/proc/" + std::to_string(child) + "/task";
  for (const auto& entry : std::filesystem::directory_iterator(tasks, none)) {
    const auto thread = static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10));
    if (thread > 0) syscall(SYS_tgkill, child, thread, ask_signal());
  }
}

// Past the deadline: asks, asks again, ends it. Returns when to come back.
Deadline press(pid_t child, int times) {
  if (times == 1) {
    syscall(SYS_tgkill, child, child, ask_signal());
    return Deadline::in(kTimeOfMain);
  }
  if (times == 2) {
    ask_every_thread(child);
    return Deadline::in(kTimeOfOthers);
  }
  kill(-child, SIGKILL);
  kill(child, SIGKILL);  // it may have left its group
  return kForever;
}

// Reads both streams until the child ends. True where that took longer than allowed.
bool attend(pid_t child, const Pipe& output, const Pipe& errors, Deadline deadline, std::size_t most,
            Ended& ended) {
  const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  int pressed = 0;
  bool output_open = true;
  bool errors_open = true;
  while (look(child) == Child::running) {
    if (deadline.passed()) deadline = press(child, ++pressed);
    // A negative number is passed over. Without a handle (before Linux 5.3) it is looked at every 5 ms.
    std::array<pollfd, 3> watched{pollfd{output_open ? output.read.get() : -1, POLLIN, 0},
                                  pollfd{errors_open ? errors.read.get() : -1, POLLIN, 0},
                                  pollfd{handle.get(), POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::min<Deadline::Clock::duration>(deadline.left(), std::chrono::hours(1)));
    const auto pause = handle.get() >= 0 ? left : std::min(left, std::chrono::milliseconds(5));
    poll(watched.data(), watched.size(), static_cast<int>(pause.count()));
    if (output_open) output_open = drain(output.read, ended.output, most);
    if (errors_open) errors_open = drain(errors.read, ended.errors, most);
  }
  return pressed != 0;
}

// This process's variables with `changes` over them, as text that outlives the child's start.
std::vector<std::string> merged(std::span<const std::pair<std::string, std::string>> changes) {
  std::vector<std::string> all;
  const auto add = [&](std::string name, const std::string& value) {
    all.push_back(std::move(name.append("=").append(value)));
  };
  for (const auto& [name, value] : environment()) {
    if (std::none_of(changes.begin(), changes.end(), [&](const auto& one) { return one.first == name; }))
      add(name, value);
  }
  for (const auto& [name, value] : changes) add(name, value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Result<Ended> run_child(const std::string& program, std::span<const std::string> arguments,
                        std::span<const std::pair<std::string, std::string>> variables, Deadline deadline,
                        std::size_t most_output) {
  if (access(program.c_str(), X_OK) != 0) return system_error("Starting " + program);
  COLLET_TRY(output, make_pipe());
  COLLET_TRY(errors, make_pipe());
  COLLET_TRY(nothing, above_standard(Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))));
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings = merged(variables);
  Start start{.program = program.c_str(),
              .arguments = pointers(words),
              .variables = pointers(settings),
              .input = nothing.get(),
              .output = output.write.get(),
              .errors = errors.write.get(),
              .parent = getpid()};
  const pid_t child = start_child(start);
  if (child < 0) return no_child(program);
  output.write = Descriptor();
  errors.write = Descriptor();

  Ended ended;
  const bool late = attend(child, output, errors, deadline, most_output, ended);
  reap(child, ended);
  drain(output.read, ended.output, most_output);
  drain(errors.read, ended.errors, most_output);
  if (late) ended.how = Ended::How::timed_out;
  if (!late && ended.how == Ended::How::exited && ended.code == 127) {
    return Error(ErrorCode::unavailable, Category::runtime, Cause::init_failed,
                 "The program " + program + " did not start (exit code 127).");
  }
  return ended;
}

// --- The child's side -----------------------------------------------------------------------------------

namespace {

std::atomic<bool> armed{false};
// Where code runs that carries out other people's mistakes: the C and C++ libraries, and we ourselves.
constexpr const char* kBystanders[] = {"libc.so",     "libpthread", "ld-linux", "libstdc++", "libc++",
                                       "libgcc_s.so", "libdl.so",   "libm.so",  "linux-vdso"};

struct Place {
  const char* library = nullptr;  // null where it is no library's, or a bystander's
  bool ours = false;
};

Place place_of(const void* code) {
  Dl_info facts{};
  link_map* map = nullptr;
  if (dladdr1(code, &facts, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr)
    return {};
  Dl_info own{};
  const bool found = dladdr(reinterpret_cast<const void*>(&explain_ends), &own) != 0;
  const char* path = map->l_name;
  if (path == nullptr || path[0] == '\0' || (found && own.dli_fbase == facts.dli_fbase))
    return {.library = nullptr, .ours = true};  // the program itself has no name here
  const char* slash = std::strrchr(path, '/');
  const char* file = slash == nullptr ? path : slash + 1;
  for (const char* one : kBystanders) {
    if (std::strncmp(file, one, std::strlen(one)) == 0) return {};
  }
  return {.library = path, .ours = false};
}

// The innermost library on the calling thread's stack that is no bystander. On a thread that is not the main
// one, only where we called it: a driver's own threads sleep there all the time.
const char* library_on_stack() {
  void* frames[128];
  const int count = backtrace(frames, static_cast<int>(std::size(frames)));
  const char* innermost = nullptr;
  for (int i = 0; i < count; ++i) {
    // A return address may already belong to the next function.
    const Place place = place_of(static_cast<const char*>(frames[i]) - 1);
    if (innermost == nullptr) innermost = place.library;
    if (innermost != nullptr && (place.ours || on_main_thread())) return innermost;
  }
  return nullptr;
}

// Where the interrupted code was, and who had called it: a jump to nowhere leaves only the latter.
const char* library_of(const ucontext_t& context) {
#if defined(__x86_64__)
  const auto code = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  const auto* stack = reinterpret_cast<const std::uintptr_t*>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const std::uintptr_t code = context.uc_mcontext.pc;
  const auto* stack = reinterpret_cast<const std::uintptr_t*>(&context.uc_mcontext.regs[30]);
#else
  const std::uintptr_t code = 0;
  const std::uintptr_t* stack = nullptr;
  (void)context;
#endif
  if (const char* path = place_of(reinterpret_cast<const void*>(code)).library) return path;
  if (const char* path = library_on_stack()) return path;
  Dl_info facts{};
  const bool nowhere = dladdr(reinterpret_cast<const void*>(code), &facts) == 0;
  return nowhere && stack != nullptr ? place_of(reinterpret_cast<const void*>(*stack)).library : nullptr;
}

// Begins with a newline: something may stand on the line already.
void say(const char* what, const char* library) {
  char line[4200] = "\nfault ";
  std::size_t length = std::strlen(line);
  const auto add = [&](const char* text) {
    for (; *text != '\0' && length < sizeof line - 2; ++text)
      line[length++] = static_cast<unsigned char>(*text) < 0x20 ? '?' : *text;
  };
  add(what);
  add(" ");
  if (library != nullptr) add(library);
  line[length++] = '\n';
  for (std::size_t written = 0; written < length;) {
    const ssize_t count = write(STDOUT_FILENO, line + written, length - written);
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

void on_signal(int number, siginfo_t* /*info*/, void* context) {
  if (number == ask_signal()) {  // the parent ends us, and asks every thread: one that knows may answer
    const char* library = library_on_stack();
    if (library != nullptr && armed.exchange(false)) say("hang", library);
    return;
  }
  // Once: a second thread, or a fault inside this very function, ends the process as if we were not here.
  if (armed.exchange(false)) say(name_of(number), library_of(*static_cast<const ucontext_t*>(context)));
  signal(number, SIG_DFL);
  raise(number);  // arrives when this function returns
}

void on_exit() {
  if (armed.exchange(false)) say("exit", library_on_stack());
}

}  // namespace

void explain_ends() {
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads the unwinder now, where that is safe

  // No core file, and nothing for a collector of crashes: 1 is the value that says so to both.
  const rlimit no_core{.rlim_cur = 1, .rlim_max = 1};
  setrlimit(RLIMIT_CORE, &no_core);

  static std::array<std::byte, 64 * 1024> stack;
  const stack_t alternate{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternate, nullptr);
  armed = true;
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, ask_signal()}) {
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(number, &action, nullptr);
  }
  std::atexit(on_exit);
}

void disarm_ends() { armed = false; }

}  // namespace collet::platform
