#include "backends/opengl/context.hpp"

#include <optional>
#include <utility>

namespace collet::backend::opengl {
namespace {

// A context needs one where EGL knows no contexts without.
Result<egl::Config> choose_config(const Egl& egl, const Display& display, Flavour flavour) {
  if (display.is_listed("EGL_KHR_no_config_context") || display.is_listed("EGL_MESA_configless_context"))
    return nullptr;
  const egl::Int wanted[] = {egl::kSurfaceType, egl::kPbufferBit, egl::kRenderableType,
                             flavour == Flavour::es ? egl::kOpenGlEs3Bit : egl::kOpenGlBit, egl::kNone};
  egl::Config config = nullptr;
  egl::Int count = 0;
  if (egl.ChooseConfig(display.handle, wanted, &config, 1, &count) == 0) return egl_error(egl, kMakeContext);
  if (count > 0) return config;
  return Error(ErrorCode::unavailable, Category::device, Cause::device_open_failed,
               "EGL has no configuration for " + std::string(name_of(flavour)) + ".");
}

// With what makes a context robust first, and without it.
std::vector<std::vector<egl::Int>> attribute_lists(const Display& display, Flavour flavour) {
  const bool es = flavour == Flavour::es;
  const std::vector<egl::Int> version{egl::kMajorVersion, es ? 3 : 4, egl::kMinorVersion, es ? 1 : 3};
  std::vector<std::vector<egl::Int>> lists{version};
  std::vector<egl::Int> robust = version;
  if (std::pair(display.major, display.minor) >= std::pair(1, 5)) {
    robust.insert(robust.end(), {egl::kRobustAccess, 1, egl::kResetStrategy, egl::kLoseContextOnReset});
  } else if (display.is_listed("EGL_EXT_create_context_robustness")) {
    robust.insert(robust.end(), {egl::kRobustAccessExt, 1, egl::kResetStrategyExt, egl::kLoseContextOnReset});
  }
  if (robust.size() != version.size()) lists.insert(lists.begin(), std::move(robust));
  for (auto& list : lists) list.push_back(egl::kNone);
  return lists;
}

}  // namespace

Result<std::unique_ptr<Context>> Context::create(const Egl& egl, const Display& display, Flavour flavour,
                                                 const Context* shared) {
  const egl::Enum api = flavour == Flavour::es ? egl::kOpenGlEsApi : egl::kOpenGlApi;
  std::unique_ptr<Context> made(new Context(egl, display.handle, api));
  if (!display.is_listed("EGL_KHR_surfaceless_context")) {
    return Error(ErrorCode::unavailable, Category::device, Cause::device_open_failed,
                 "EGL makes no context without a window here: it has no EGL_KHR_surfaceless_context.");
  }
  if (egl.BindAPI(api) == 0) return egl_error(egl, kMakeContext);
  if (shared != nullptr) {
    made->config_ = shared->config_;
    made->attributes_ = shared->attributes_;
    made->handle_ =
        egl.CreateContext(display.handle, made->config_, shared->handle_, made->attributes_.data());
    if (made->handle_ == nullptr) return egl_error(egl, kMakeContext);
    return made;
  }
  COLLET_TRY(config, choose_config(egl, display, flavour));
  made->config_ = config;
  std::optional<Error> refused;
  for (auto& attributes : attribute_lists(display, flavour)) {
    made->handle_ = egl.CreateContext(display.handle, config, nullptr, attributes.data());
    made->attributes_ = std::move(attributes);
    if (made->handle_ != nullptr) return made;
    refused = egl_error(egl, kMakeContext);
  }
  return *refused;
}

Context::~Context() {
  if (handle_ != nullptr) egl_.DestroyContext(display_, handle_);
}

Result<void> Context::take() {
  if (egl_.BindAPI(api_) == 0 || egl_.MakeCurrent(display_, nullptr, nullptr, handle_) == 0)
    return egl_error(egl_, kTakeContext);
  return {};
}

void Context::leave() {
  egl_.MakeCurrent(display_, nullptr, nullptr, nullptr);
  egl_.ReleaseThread();
}

Result<std::unique_ptr<Owner>> Owner::start(std::unique_ptr<Context> context) {
  std::unique_ptr<Owner> owner(new Owner(std::move(context)));
  COLLET_TRY(thread, platform::start_thread("collet-gl", [self = owner.get()] { self->work(); }));
  owner->thread_ = std::move(thread);
  Result<void> taken;
  owner->run([&] { taken = owner->context_->take(); });
  COLLET_CHECK(taken);
  return owner;
}

Owner::~Owner() {
  if (!thread_.joinable()) return;
  post([this] { context_->leave(); });
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  posted_.notify_one();
  thread_.join();
}

void Owner::run(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  const std::uint64_t number = ++taken_;
  queued_.push_back([&work] { work(); });
  posted_.notify_one();
  done_.wait(lock, [&] { return ended_ >= number; });
}

void Owner::post(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    ++taken_;
    queued_.push_back(std::move(work));
  }
  posted_.notify_one();
}

void Owner::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    posted_.wait(lock, [&] { return !queued_.empty() || stopping_; });
    if (queued_.empty()) return;
    const auto next = std::move(queued_.front());
    queued_.pop_front();
    lock.unlock();
    next();
    lock.lock();
    ++ended_;
    done_.notify_all();
  }
}

}  // namespace collet::backend::opengl
