// The device above the waist: caches, lists, end of life.

#include "core/device_state.hpp"

#include <algorithm>

#include "base/lifetime.hpp"
#include "base/log.hpp"
#include "core/live_devices.hpp"
#include "core/pool_state.hpp"
#include "core/scratch_state.hpp"
#include "core/stream_state.hpp"
#include "platform/platform.hpp"

namespace collet::detail {
namespace {

// Operations of all items after which a kernel deserves a better program: some milliseconds of a slow one's
// time.
constexpr std::uint64_t kWorthIt = std::uint64_t{1} << 25;
// At exit: compilers can't be stopped, and what they use must not end before them.
constexpr auto kCompilerPatience = std::chrono::seconds(30);

}  // namespace

DeviceState::DeviceState(std::unique_ptr<backend::Device> opened, OpenOptions asked, std::uint32_t made_in)
    : serial(ModuleState::next_serial()),
      epoch(made_in),
      options(std::move(asked)),
      native(std::move(opened)),
      caps(native->caps()),
      facts(std::make_shared<const DeviceFacts>(
          DeviceFacts{native->info().id(), native->info().name, native->info().driver})),
      pool(*native,
           {.limit = options.memory.limit, .trace = options.memory.trace, .reclaim = [this] { reclaim(); }}),
      initialiser(*native, pool),
      service(*native),
      tier_up(*this) {
  if (!is_abandoned()) core::enlist(this);
}

DeviceState::~DeviceState() { core::delist(this); }

void DeviceState::dispose() noexcept {
  if (is_abandoned()) return;
  service.stop(kForever);
  tier_up.stop(kForever);
  delete this;
}

Result<void> DeviceState::usable() const {
  if (is_abandoned()) [[unlikely]]
    return is_moved_from() ? native->health() : Result<void>(base::abandoned_error(epoch));
  return {};
}

Result<CompiledKernel*> DeviceState::compiled(KernelState& kernel) {
  const decltype(kernel_turns_)::Turn turn(kernel_turns_, {kernel.serial, Scope::grid});
  if (CompiledKernel* known = kernel.find(serial)) return known;
  COLLET_TRY(built, compile(*this, kernel));
  return keep(kernel, std::move(built));
}

CompiledKernel* DeviceState::keep(KernelState& kernel, Ref<CompiledKernel> built) {
  const std::lock_guard lock(compiled_mutex_);
  CompiledKernel* raw = built.get();
  compiled_.emplace(kernel.serial, std::move(built));
  kernel.remember(serial, raw);
  return raw;
}

Result<CompiledKernel*> DeviceState::compiled_for(KernelState& kernel, Scope scope, Variants& variants) {
  const decltype(kernel_turns_)::Turn turn(kernel_turns_, {kernel.serial, scope});
  {
    const std::lock_guard lock(compiled_mutex_);
    if (const auto known = variants.find(kernel.serial); known != variants.end()) return known->second.get();
  }
  COLLET_TRY(built, compile(*this, kernel, scope));
  const std::lock_guard lock(compiled_mutex_);
  return variants.emplace(kernel.serial, built).first->second.get();
}

Result<CompiledKernel*> DeviceState::compiled_in_parts(KernelState& kernel) {
  return compiled_for(kernel, Scope::parts, in_parts_);
}

Result<CompiledKernel*> DeviceState::compiled_checked(KernelState& kernel) {
  return compiled_for(kernel, Scope::checked, checked_);
}

void DeviceState::count_work(KernelState& kernel, CompiledKernel& compiled,
                             const std::array<std::uint64_t, 3>& extent) {
  auto operations = static_cast<double>(compiled.program->built.item_cost);
  for (const std::uint64_t items : extent) operations *= static_cast<double>(items);
  const auto work = static_cast<std::uint64_t>(std::min(operations, static_cast<double>(kWorthIt)));
  const std::uint64_t before = compiled.operations.fetch_add(work, std::memory_order_relaxed);
  if (before < kWorthIt && before + work >= kWorthIt) tier_up.add(Ref(&kernel));
}

void DeviceState::improve(KernelState& kernel) {
  auto better = compile(*this, kernel, Scope::grid, backend::BuildEffort::best);
  if (!better) {
    if (better.error().code() == ErrorCode::device_lost) return;  // the process exits
    base::log(LogLevel::warn, facts->id, described(kernel) + " stays as it is: " + better.error().message());
    return;
  }
  keep(kernel, *std::move(better));
}

Result<Ref<CompiledProgram>> DeviceState::program(const KernelState& kernel, const Code* code) {
  if (code == nullptr) return build(*this, kernel, code);
  const decltype(module_turns_)::Turn turn(module_turns_, kernel.module->serial);
  {
    const std::lock_guard lock(compiled_mutex_);
    for (const Built& built : programs_) {
      if (built.module == kernel.module->serial && built.options == kernel.shape.options)
        return built.program;
    }
  }
  COLLET_TRY(built, build(*this, kernel, code));
  const std::lock_guard lock(compiled_mutex_);
  programs_.push_back({kernel.module->serial, kernel.shape.options, built});
  return built;
}

void DeviceState::forget(std::uint64_t kernel_serial) {
  const std::lock_guard lock(compiled_mutex_);
  compiled_.erase(kernel_serial);
  in_parts_.erase(kernel_serial);
  checked_.erase(kernel_serial);
  std::erase_if(programs_, [](const Built& built) { return built.program->unique(); });
}

void DeviceState::add_stream(StreamState* stream) {
  const std::lock_guard lock(streams_mutex_);
  streams_.push_back(stream);
}

void DeviceState::remove_stream(StreamState* stream) {
  const std::lock_guard lock(streams_mutex_);
  std::erase(streams_, stream);
}

std::vector<Ref<StreamState>> DeviceState::live_streams() {
  const std::lock_guard lock(streams_mutex_);
  std::vector<Ref<StreamState>> live;
  for (StreamState* stream : streams_) {
    if (stream->try_retain()) live.push_back(Ref<StreamState>::adopt(stream));
  }
  return live;
}

void DeviceState::add_pool(PoolState* another) {
  const std::lock_guard lock(keepers_mutex_);
  pools_.push_back(another);
}

void DeviceState::remove_pool(PoolState* another) {
  const std::lock_guard lock(keepers_mutex_);
  std::erase(pools_, another);
}

void DeviceState::add_scratch(ScratchState* scratch) {
  const std::lock_guard lock(keepers_mutex_);
  scratches_.push_back(scratch);
}

void DeviceState::remove_scratch(ScratchState* scratch) {
  const std::lock_guard lock(keepers_mutex_);
  std::erase(scratches_, scratch);
}

void DeviceState::reclaim() {
  initialiser.collect();
  const std::lock_guard lock(keepers_mutex_);
  for (ScratchState* scratch : scratches_) scratch->release_idle();
  for (PoolState* one : pools_) one->memory.trim();
  pool.trim();
}

void DeviceState::quiesce(Deadline deadline) {
  const std::vector<Ref<StreamState>> streams = live_streams();
  epoch.store(base::kNoEpoch);
  service.stop(deadline);
  tier_up.stop(Deadline::in(kCompilerPatience));
  for (const Ref<StreamState>& stream : streams) stream->quiesce(deadline);
}

}  // namespace collet::detail
