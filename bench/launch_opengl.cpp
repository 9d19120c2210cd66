// The launch work on bare OpenGL: a context on the calling thread, constants in a uniform block.

#include "launch.hpp"

#include <collet_backends.hpp>

#if COLLET_HAS_OPENGL

#include <collet_embedded/opengl_kernels.hpp>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "backends/opengl/context.hpp"
#include "backends/opengl/device.hpp"

namespace collet::bench {
namespace bare_opengl {

namespace opengl = backend::opengl;
namespace gl = backend::opengl::gl;

constexpr std::uint32_t kStride = 256;  // of constants: what every driver allows

// Threads: the one that made it.
class Program {
 public:
  explicit Program(const DeviceInfo& info);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void single() { run(1); }
  void batch() { run(kBatch); }

  void check_results(Report& report);

 private:
  void run(std::uint32_t launches);

  opengl::Egl egl_;
  opengl::Gl gl_;
  std::unique_ptr<opengl::Context> context_;
  gl::Uint y_ = 0;
  gl::Uint constants_ = 0;
  gl::Uint program_ = 0;
  std::vector<std::uint32_t> words_;  // of the constants
  Tally tally_;
};

Program::Program(const DeviceInfo& info)
    : egl_(opengl::load_egl().value()),
      gl_(opengl::load_gl(egl_, opengl::Flavour::desktop).value()),
      words_(kBatch * kStride / sizeof(std::uint32_t)) {
  const auto displays = opengl::find_displays(egl_).value();
  context_ = opengl::Context::create(egl_, displays.all.at(info.index), opengl::Flavour::desktop).value();
  context_->take().value();
  gl_.GenBuffers(1, &y_);
  gl_.BindBuffer(gl::kCopyReadBuffer, y_);
  const std::vector<std::uint32_t> zeros(1024);
  gl_.BufferData(gl::kCopyReadBuffer, 4096, zeros.data(), gl::kDynamicCopy);
  gl_.GenBuffers(1, &constants_);
  gl_.BindBuffer(gl::kUniformBuffer, constants_);
  gl_.BufferData(gl::kUniformBuffer, kBatch * kStride, nullptr, gl::kStreamDraw);
  std::string log;
  const gl::Uint shader = opengl::compile_shader(gl_, collet_embedded::count_glsl, log).value();
  program_ = opengl::link_program(gl_, shader).value();
  gl_.DeleteShader(shader);
}

Program::~Program() {
  gl_.DeleteProgram(program_);
  gl_.DeleteBuffers(1, &y_);
  gl_.DeleteBuffers(1, &constants_);
  context_->leave();
}

void Program::run(std::uint32_t launches) {
  for (std::uint32_t i = 0; i < launches; ++i) {
    words_[i * kStride / 4] = 1;
    words_[i * kStride / 4 + 1] = tally_.next_tag();
  }
  gl_.BufferSubData(gl::kUniformBuffer, 0, (launches - 1) * kStride + 16, words_.data());
  gl_.UseProgram(program_);
  gl_.BindBufferRange(gl::kStorageBuffer, 0, y_, 0, 4096);
  for (std::uint32_t i = 0; i < launches; ++i) {
    gl_.BindBufferRange(gl::kUniformBuffer, 0, constants_, i * kStride, 16);
    gl_.DispatchCompute(1, 1, 1);
    gl_.MemoryBarrier(gl::kStorageBarrier);
  }
  const gl::Sync fence = gl_.FenceSync(gl::kCommandsComplete, 0);
  while (gl_.ClientWaitSync(fence, gl::kFlushCommands, 1'000'000'000) == gl::kTimeoutExpired) {
  }
  gl_.DeleteSync(fence);
}

void Program::check_results(Report& report) {
  std::array<std::uint32_t, 2> y{};
  gl_.MemoryBarrier(gl::kBufferUpdateBarrier);
  gl_.BindBuffer(gl::kCopyReadBuffer, y_);
  const void* mapped = gl_.MapBufferRange(gl::kCopyReadBuffer, 0, sizeof y, gl::kMapRead);
  if (mapped == nullptr) throw std::runtime_error("The bare OpenGL program can't map its buffer.");
  std::memcpy(y.data(), mapped, sizeof y);
  gl_.UnmapBuffer(gl::kCopyReadBuffer);
  check_tally("Bare OpenGL", tally_, y, report);
}

}  // namespace bare_opengl

void launch_opengl(const DeviceInfo& info, const Settings& settings, Report& report) {
  const auto open = [&] {
    const auto bare = std::make_shared<bare_opengl::Program>(info);
    return Bare{
        .single = {{"glClientWaitSync", [=] { bare->single(); }}},
        .single_information = {},
        .batch = {{"one flush", [=] { bare->batch(); }}},
        .check = [=](Report& to) { bare->check_results(to); },
        .adaptive_counts = true,
    };
  };
  compare_launches(info, settings, open, report);
}

}  // namespace collet::bench

#else

namespace collet::bench {

void launch_opengl(const DeviceInfo&, const Settings&, Report&) {}

}  // namespace collet::bench

#endif
