// An opened device above the waist: its memory, its compiled kernels, its streams, its service thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/lifetime.hpp"
#include "collet/backend.hpp"
#include "collet/detail/ref.hpp"
#include "collet/receipt.hpp"
#include "core/initialiser.hpp"
#include "core/kernel_state.hpp"
#include "core/service.hpp"
#include "core/tier_up.hpp"
#include "core/turns.hpp"
#include "memory/pool.hpp"

namespace collet::detail {

// Threads: thread-safe.
class DeviceState final : public Counted {
 public:
  DeviceState(std::unique_ptr<backend::Device> opened, OpenOptions asked,
              std::uint32_t made_in = platform::epoch.load());
  ~DeviceState() override;

  // An error where the device must not be touched any more.
  Result<void> usable() const;
  bool is_abandoned() const { return base::abandoned(epoch.load(std::memory_order_relaxed)); }
  // Behind handles that were moved from: abandoned from the beginning, and without a driver.
  bool is_moved_from() const { return epoch.load(std::memory_order_relaxed) == base::kMovedFrom; }

  // The kernel compiled for this device: from the cache, or built now. Takes long; different kernels are
  // built side by side, and one that another thread builds is waited for.
  Result<CompiledKernel*> compiled(KernelState& kernel);
  // The same for launches of parts of a grid; of a traced kernel.
  Result<CompiledKernel*> compiled_in_parts(KernelState& kernel);
  // The same kernel for launches that do not keep to what the other trusts in: it checks every index.
  Result<CompiledKernel*> compiled_checked(KernelState& kernel);
  // The kernel's code built for this device, shared by kernels of one module.
  Result<Ref<CompiledProgram>> program(const KernelState& kernel, const Code* code);
  // Counts a launch towards a better program for the kernel, and asks for that once it is worth it.
  void count_work(KernelState& kernel, CompiledKernel& compiled, const std::array<std::uint64_t, 3>& extent);
  // Builds the better program; later launches take it. Takes long.
  void improve(KernelState& kernel);
  // Drops what was compiled for a kernel that is gone; work in flight keeps its own reference.
  void forget(std::uint64_t kernel_serial);

  void add_stream(StreamState* stream);
  void remove_stream(StreamState* stream);
  // References to every live stream.
  std::vector<Ref<StreamState>> live_streams();

  void add_pool(PoolState* another);
  void remove_pool(PoolState* another);
  void add_scratch(ScratchState* scratch);
  void remove_scratch(ScratchState* scratch);
  // Gives back what nobody uses: the idle scratch memory of streams, and what pools keep.
  void reclaim();

  // For exit: takes no more calls, ends the service thread, and gives work in flight until `deadline`.
  void quiesce(Deadline deadline);

  const std::uint64_t serial;  // of this process, never reused
  std::atomic<std::uint32_t> epoch;
  const OpenOptions options;
  const std::unique_ptr<backend::Device> native;
  const backend::Caps& caps;
  const std::shared_ptr<const DeviceFacts> facts;
  memory::Pool pool;
  core::Initialiser initialiser;
  core::Service service;
  core::TierUp tier_up;

 private:
  using Variants = std::map<std::uint64_t, Ref<CompiledKernel>>;  // by KernelState::serial

  void dispose() noexcept override;
  // Launches take it from now on.
  CompiledKernel* keep(KernelState& kernel, Ref<CompiledKernel> built);
  Result<CompiledKernel*> compiled_for(KernelState& kernel, Scope scope, Variants& variants);

  core::Turns<std::pair<std::uint64_t, Scope>> kernel_turns_;  // by KernelState::serial
  core::Turns<std::uint64_t> module_turns_;                    // by ModuleState::serial
  std::mutex compiled_mutex_;                                  // of what follows; never held during a build
  // By KernelState::serial. What was improved stays: another thread may be about to launch it.
  std::multimap<std::uint64_t, Ref<CompiledKernel>> compiled_;
  Variants in_parts_, checked_;
  struct Built {
    std::uint64_t module;
    CompileOptions options;
    Ref<CompiledProgram> program;
  };
  std::vector<Built> programs_;
  std::mutex streams_mutex_;
  std::vector<StreamState*> streams_;
  std::mutex keepers_mutex_;  // of what follows; taken before their own locks
  std::vector<PoolState*> pools_;
  std::vector<ScratchState*> scratches_;
};

}  // namespace collet::detail
