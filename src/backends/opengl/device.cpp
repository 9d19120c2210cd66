// OpenGL: opening and closing a device.

#include "backends/opengl/device.hpp"

namespace collet::backend::opengl {
namespace {

constexpr std::size_t kLongestLabel = 255;  // what every driver takes

}  // namespace

void Native::label(gl::Enum kind, gl::Uint object, std::string_view text) const {
  if (!features.labels || text.empty()) return;
  const std::string cut(text.substr(0, kLongestLabel));
  gl.ObjectLabel(kind, object, static_cast<gl::Size>(cut.size()), cut.c_str());
}

Result<std::unique_ptr<Device>> OpenGlDevice::open(const Egl& egl, const Gl& gl, Flavour flavour,
                                                   const Candidate& candidate, WaitMode mode) {
  if (!candidate.refusal.empty()) {
    return Error(
        ErrorCode::unsupported, Category::device, Cause::version_unsupported,
        candidate.info.id() + " (" + candidate.info.name + ") is refused: " + candidate.refusal + ".");
  }
  std::unique_ptr<OpenGlDevice> made(new OpenGlDevice(gl, flavour, candidate));
  COLLET_TRY(context, Context::create(egl, candidate.display, flavour));
  COLLET_TRY(owner, Owner::start(std::move(context)));
  made->owner_ = std::move(owner);
  COLLET_TRY(second, Context::create(egl, candidate.display, flavour, &made->owner_->context()));
  COLLET_TRY(worker,
             common::Worker::start("collet-gl-work", make_executor(made->native_, std::move(second)), mode));
  made->worker = std::move(worker);
  return std::unique_ptr<Device>(std::move(made));
}

OpenGlDevice::OpenGlDevice(const Gl& gl, Flavour flavour, const Candidate& candidate)
    : native_{.gl = gl,
              .flavour = flavour,
              .features = candidate.features,
              .limits = candidate.limits,
              .max_groups = (*candidate.info.max_groups)[0],
              .health = health_,
              .discarded = discarded_},
      info_(candidate.info),
      caps_(device_caps(candidate, flavour)) {}

OpenGlDevice::~OpenGlDevice() {
  worker.reset();
  owner_.reset();
}

Result<ClockSample> OpenGlDevice::sample_clock() {
  if (!native_.features.timer)
    return Error(ErrorCode::unsupported, Category::device, info_.id() + " has no clock.");
  ClockSample sample;
  Result<void> read;
  owner_->run([&] {
    std::int64_t now = 0;
    const auto before = Deadline::Clock::now();
    native_.gl.GetInteger64v(gl::kTimestamp, &now);
    const auto after = Deadline::Clock::now();
    read = check(native_.gl, kReadClock);
    const auto middle = before + (after - before) / 2;
    sample = {.device_ns = static_cast<std::uint64_t>(now),
              .host_ns = static_cast<std::uint64_t>(
                  std::chrono::duration_cast<std::chrono::nanoseconds>(middle.time_since_epoch()).count())};
  });
  COLLET_CHECK(read);
  return sample;
}

}  // namespace collet::backend::opengl
