// One device of OpenGL or OpenGL ES, and what its handles point to.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "backends/common/health.hpp"
#include "backends/common/worked.hpp"
#include "backends/opengl/context.hpp"
#include "collet/backend.hpp"

namespace collet::backend::opengl {

// What is not in every version.
struct Features {
  bool storage = false;  // buffers that stay mapped
  bool clear = false;    // fills by a command
  bool timer = false;
  bool disjoint = false;  // times may have to be thrown away
  bool reset = false;     // the driver says when the device was lost
  bool labels = false;
};

struct Limits {
  std::uint32_t max_buffers = 0;
  std::uint64_t max_buffer_block = 0;
  std::uint32_t buffer_alignment = 16;
  std::uint32_t max_uniform_block = 0;
  std::uint32_t uniform_alignment = 256;
};

// What is known before a device is opened.
struct Candidate {
  Display display;
  Features features;
  Limits limits;
  DeviceInfo info{};
  std::string refusal;  // why it can't be opened; "" where it can
};

struct Candidates {
  std::vector<Candidate> all;
  std::string problems;  // as of Displays
};

// What each display says of itself. Takes a context, so it is for a thread of ours.
Result<Candidates> find_candidates(const Egl& egl, const Gl& gl, Flavour flavour);

Caps device_caps(const Candidate& candidate, Flavour flavour);

// Programs that the worker's context is to delete, for it alone has run them. Where another one deletes them,
// Mesa 22 frees their code and takes new code that comes to lie at the same address for the old.
//
// Threads: thread-safe.
class Discarded {
 public:
  void add(gl::Uint program) {
    const std::lock_guard lock(mutex_);
    programs_.push_back(program);
  }
  std::vector<gl::Uint> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(programs_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<gl::Uint> programs_;  // guarded by mutex_
};

// Threads: immutable; its functions are for threads with a current context.
struct Native {
  const Gl& gl;
  Flavour flavour;
  Features features;
  Limits limits;
  std::uint32_t max_groups;  // of the first dimension
  common::Health& health;
  Discarded& discarded;

  // Names an object for debuggers.
  void label(gl::Enum kind, gl::Uint object, std::string_view text) const;
};

struct MemoryState {
  gl::Uint buffer = 0;
  std::uint64_t size = 0;
};

struct ProgramState {
  std::string code;  // GLSL with the defines that were asked for
  gl::Uint shader = 0;
};

struct KernelState {
  gl::Uint program = 0;
  std::uint32_t constants_size = 0;  // a multiple of 16
};

// These are for threads with a current context.
Result<gl::Uint> compile_shader(const Gl& gl, std::string_view code, std::string& log);
Result<gl::Uint> link_program(const Gl& gl, gl::Uint shader);

// Gives commands to the driver, on the worker's thread: queue.cpp. The context is one that shares the
// device's objects.
std::unique_ptr<common::Executor> make_executor(const Native& native, std::unique_ptr<Context> context);

class OpenGlDevice final : public common::Worked<Device> {
 public:
  static Result<std::unique_ptr<Device>> open(const Egl& egl, const Gl& gl, Flavour flavour,
                                              const Candidate& candidate, WaitMode mode);
  ~OpenGlDevice() override;

  const DeviceInfo& info() const override { return info_; }
  const Caps& caps() const override { return caps_; }
  Result<MemoryInfo> memory_info() override { return MemoryInfo{}; }  // OpenGL does not say
  Result<void> health() override { return native_.health.check(); }
  void* extension(std::string_view) override { return nullptr; }

  Result<Allocation> create_memory(const MemoryDesc& desc) override;
  void destroy_memory(Memory memory) override;
  Result<void> sync_host_range(const Slice&, bool) override { return {}; }  // mappings are coherent

  Result<BuiltProgram> create_program(const ProgramDesc& desc) override;
  void destroy_program(Program program) override;
  Result<Kernel> create_kernel(Program program, const KernelDesc& desc) override;
  void destroy_kernel(Kernel kernel) override;

  Result<ClockSample> sample_clock() override;

 private:
  OpenGlDevice(const Gl& gl, Flavour flavour, const Candidate& candidate);

  common::Health health_;
  Discarded discarded_;
  const Native native_;
  const DeviceInfo info_;
  const Caps caps_;
  std::unique_ptr<Owner> owner_;  // makes and destroys objects
};

}  // namespace collet::backend::opengl
