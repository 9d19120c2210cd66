// OpenGL: the library, its devices, and opening one.

#include "backends/opengl/backend.hpp"

#include "backends/common/listing.hpp"
#include "backends/opengl/device.hpp"
#include "backends/opengl/files.hpp"
#include "base/log.hpp"

namespace collet::backend::opengl {
namespace {

struct Loaded {
  Egl egl;
  Gl gl;
};

class OpenGlBackend final : public Backend {
 public:
  explicit OpenGlBackend(Flavour flavour) : flavour_(flavour) {}

  std::string_view id() const override { return flavour_ == Flavour::es ? "opengles" : "opengl"; }
  std::vector<DriverFile> files() const override { return driver_files(); }
  std::vector<std::string> variables() const override { return driver_variables(); }
  ProbeResult probe() override;
  Result<std::unique_ptr<Device>> open(std::uint32_t index, const OpenOptions& options) override;

 private:
  // The address is good until the process ends. A library that was not found is looked for again at each
  // call.
  Result<const Loaded*> load();
  // On a thread of its own: the calling one may have a context.
  Result<Candidates> look(const Loaded& loaded) const;

  const Flavour flavour_;
  std::mutex mutex_;
  std::unique_ptr<const Loaded> loaded_;  // guarded by mutex_; set once
};

Result<const Loaded*> OpenGlBackend::load() {
  const std::lock_guard lock(mutex_);
  if (loaded_ == nullptr) {
    COLLET_TRY(egl, load_egl());
    COLLET_TRY(gl, load_gl(egl, flavour_));
    loaded_ = std::make_unique<const Loaded>(Loaded{egl, gl});
  }
  return loaded_.get();
}

Result<Candidates> OpenGlBackend::look(const Loaded& loaded) const {
  Result<Candidates> found = Candidates{};
  COLLET_TRY(thread, platform::start_thread("collet-gl", [&] {
               found = find_candidates(loaded.egl, loaded.gl, flavour_);
               loaded.egl.ReleaseThread();
             }));
  thread.join();
  return found;
}

ProbeResult OpenGlBackend::probe() {
  const auto loaded = load();
  if (!loaded) {
    const bool opened = loaded.error().cause() == Cause::symbol_missing;
    return common::not_loaded(loaded.error(), opened);
  }
  ProbeResult result{
      .rung = Rung::loaded, .message = {}, .library = (*loaded)->egl.path, .version = {}, .devices = {}};
  const auto candidates = look(**loaded);
  if (!candidates) {
    result.message = candidates.error().message();
    return result;
  }
  result.message = candidates->problems;
  if (!candidates->all.empty()) {
    const Display& first = candidates->all.front().display;
    result.version = "EGL " + std::to_string(first.major) + "." + std::to_string(first.minor);
  }
  common::list_candidates(candidates->all, result);
  if (candidates->all.empty())
    result.message += (result.message.empty() ? "" : " ") + std::string("EGL finds no device.");
  return result;
}

Result<std::unique_ptr<Device>> OpenGlBackend::open(std::uint32_t index, const OpenOptions& options) {
  if (options.validation)
    base::log(LogLevel::info, id(),
              "Validation was asked for; " + std::string(name_of(flavour_)) + " has no layer.");
  COLLET_TRY(loaded, load());
  COLLET_TRY(candidates, look(*loaded));
  if (index >= candidates.all.size()) return common::no_device(id(), index, "EGL", candidates.all.size());
  return OpenGlDevice::open(loaded->egl, loaded->gl, flavour_, candidates.all[index], options.wait);
}

}  // namespace

std::unique_ptr<Backend> make_desktop_backend() { return std::make_unique<OpenGlBackend>(Flavour::desktop); }
std::unique_ptr<Backend> make_es_backend() { return std::make_unique<OpenGlBackend>(Flavour::es); }

}  // namespace collet::backend::opengl
