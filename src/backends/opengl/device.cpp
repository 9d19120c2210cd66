// OpenGL: opening and closing a device.

#include "backends/opengl/device.hpp"

#include "backends/common/clock.hpp"
#include "backends/common/listing.hpp"

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
  COLLET_CHECK(common::check_not_refused(candidate.info, candidate.refusal));
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
  Result<ClockSample> sample = ClockSample{};
  owner_->run([&] {
    sample = common::sample_clocks([&]() -> Result<std::uint64_t> {
      std::int64_t now = 0;
      native_.gl.GetInteger64v(gl::kTimestamp, &now);
      COLLET_CHECK(check(native_.gl, kReadClock));
      return static_cast<std::uint64_t>(now);
    });
  });
  return sample;
}

}  // namespace collet::backend::opengl
