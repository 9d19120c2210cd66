// An opened Vulkan device, and what its handles point at.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "backends/common/health.hpp"
#include "backends/common/spirv.hpp"
#include "backends/vulkan/api.hpp"
#include "backends/vulkan/errors.hpp"
#include "backends/vulkan/instance.hpp"
#include "backends/vulkan/physical.hpp"

namespace collet::backend::vulkan {

// What Memory points at. Immutable.
struct Block {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::uint64_t size = 0;
  std::byte* host = nullptr;
  bool coherent = false;
};

// What Program points at. Immutable.
struct Module {
  VkShaderModule handle = VK_NULL_HANDLE;
  common::SpirvModule declares;
  bool optimise = true;
};

// Kernels with equal counts of buffers and bytes of constants share one, so that switching between them keeps
// what is bound. Immutable; lives as long as the device.
struct Layout {
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  VkPipelineLayout pipeline = VK_NULL_HANDLE;
  std::uint32_t buffers = 0;
  std::uint32_t constants = 0;
  bool push = false;  // descriptors go into the command buffer, no set is needed
};

// What Kernel points at. Immutable.
struct Pipeline {
  VkPipeline handle = VK_NULL_HANDLE;
  const Layout* layout = nullptr;
};

// A VkQueue; several of our queues may share it. Its mutex guards vkQueueSubmit.
struct NativeQueue {
  VkQueue handle = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  std::atomic<std::uint32_t> users{0};
  std::mutex mutex;
};

// The allowed type with everything that the placement requires, then the most preferred and the least avoided
// properties. Types come sorted by the driver, so the first of equals is the best.
Result<std::uint32_t> memory_type(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t allowed,
                                  Placement placement, const std::string& device);

// The slice, widened to the atoms that memory which is not coherent is flushed in.
VkMappedMemoryRange mapped_range(const Block& where, const Slice& slice, std::uint64_t atom);

class QueueState;  // what Queue points at
class Counter;     // what Timeline points at

class VulkanDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> open(const Instance& vulkan, VkPhysicalDevice handle,
                                              std::uint32_t index, const OpenOptions& options);
  explicit VulkanDevice(const Instance& vulkan) : instance_(vulkan) {}
  ~VulkanDevice() override;

  const DeviceInfo& info() const override { return physical_.info; }
  const Caps& caps() const override { return physical_.caps; }
  Result<MemoryInfo> memory_info() override;
  Result<void> health() override;
  void* extension(std::string_view name) override;

  Result<Allocation> create_memory(const MemoryDesc& desc) override;
  void destroy_memory(Memory memory) override;
  Result<void> sync_host_range(const Slice& slice, bool to_device) override;

  Result<BuiltProgram> create_program(const ProgramDesc& desc) override;
  void destroy_program(Program program) override;
  Result<Kernel> create_kernel(Program program, const KernelDesc& desc) override;
  void destroy_kernel(Kernel kernel) override;

  Result<Timeline> create_timeline() override;
  void destroy_timeline(Timeline timeline) override;
  Result<std::uint64_t> query_timeline(Timeline timeline) override;
  Result<void> wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) override;

  Result<Queue> create_queue(QueueKind kind, std::string_view label) override;
  void destroy_queue(Queue queue) override;
  Result<void> submit(Queue queue, const Submission& submission) override;

  Result<ClockSample> sample_clock() override;

  // For the other files of this backend.
  VkDevice handle() const { return device_; }
  const VolkDeviceTable& vk() const { return vk_; }
  const Physical& physical() const { return physical_; }
  const Features& features() const { return features_; }
  // Remembers a lost device.
  Result<void> check(VkResult result, const Doing& doing) {
    auto done = vulkan::check(result, doing);
    if (!done) [[unlikely]]
      return health_.note(done.error());
    return done;
  }
  // Names an object for the driver's tools; does nothing without a label or without VK_EXT_debug_utils.
  void name(VkObjectType type, std::uint64_t object, std::string_view label) const;
  // Keeps an idle semaphore that stands at `value` for the next timeline.
  void recycle_semaphore(VkSemaphore semaphore, std::uint64_t value);
  // Keeps one whose value is not known until the device is closed.
  void retire_semaphore(VkSemaphore semaphore);
  // From a query's ticks to nanoseconds.
  std::uint64_t nanoseconds(std::uint64_t ticks) const;

 private:
  Result<void> create(const OpenOptions& options);
  void take_queues();
  Result<void> map(Block& block, Placement placement, std::uint32_t type);
  Result<const common::SpirvEntry*> find_entry(const Module& module, std::string_view name) const;
  Result<void> fit(const common::SpirvEntry& entry, const Module& module, const Signature& signature) const;
  Result<const Layout*> layout(std::uint32_t buffers, std::uint32_t constants);
  Result<void> create_layout(Layout& layout);
  void destroy_layout(const Layout& layout);
  Result<void> wait_for(std::span<const Point> points, WaitFor mode, Deadline deadline);
  // Waits until nothing runs any more, as the waist promises of a timeline that fails. Gives the error back.
  Error settled(Error error);
  // Looks for a short while whether the wait is over.
  bool spin(const VkSemaphoreWaitInfo& info);

  const Instance& instance_;  // lives until the process ends
  Features features_;
  Physical physical_;
  VkDevice device_ = VK_NULL_HANDLE;
  VolkDeviceTable vk_{};
  std::vector<std::unique_ptr<NativeQueue>> compute_, transfer_;
  common::Health health_;
  bool scalar_layout_ = false;
  bool adaptive_ = false;

  std::mutex semaphores_mutex_;
  std::vector<std::pair<VkSemaphore, std::uint64_t>> spare_semaphores_;
  std::vector<VkSemaphore> retired_semaphores_;

  std::mutex layouts_mutex_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Layout> layouts_;  // by buffers and constants
};

// Vulkan's handles are pointers or 64-bit numbers, depending on the system.
template <class T>
std::uint64_t number(T handle) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uintptr_t>(handle);
  else
    return handle;
}

inline Block& block(Memory memory) { return *reinterpret_cast<Block*>(memory.id); }

}  // namespace collet::backend::vulkan
