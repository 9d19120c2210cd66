// A queue of ours: records commands and gives them to a VkQueue.
#pragma once

#include "backends/vulkan/counter.hpp"

namespace collet::backend::vulkan {

inline constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
inline constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;

// What one submission needs, used again when its signal was reached.
struct Slot {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  Counter* counter = nullptr;  // with a reference; null where nothing is in flight
  std::uint64_t value = 0;
  Slot* next = nullptr;  // submitted after this one
  Stamps stamps;
  std::vector<VkDescriptorPool> pools;
  std::size_t pools_used = 0;  // all but the last of these are full
};

// What Queue points at.
//
// Threads: one at a time.
class QueueState {
 public:
  static Result<std::unique_ptr<QueueState>> create(VulkanDevice& device, NativeQueue& queue, bool computes,
                                                    std::string_view label);
  ~QueueState();
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;

  Result<void> submit(const Submission& submission);

 private:
  QueueState(VulkanDevice& device, NativeQueue& queue, bool computes);

  // Slots: queue.cpp.
  Result<Slot*> acquire();
  Result<bool> free(Slot& slot);
  Result<Slot*> create_slot();
  Result<void> recycle(Slot& slot);
  Result<void> record(Slot& slot, std::span<const Command> commands);
  Result<void> prepare_stamps(Slot& slot, std::span<const Command> commands);
  Result<void> enqueue(VkCommandBuffer commands, const Submission& submission);

  // Commands: record.cpp.
  Result<void> add(const Command& command);
  Result<void> add_dispatch(const Dispatch& dispatch);
  void add_copy(const Copy& copy);
  void add_fill(const Fill& fill);
  void add_timestamp(const Timestamp& timestamp);
  Result<void> bind(const Layout& layout, std::span<const Slice> slices);
  Result<VkDescriptorSet> allocate_set(const Layout& layout);
  void order(bool ordered, VkPipelineStageFlags stage);
  void publish();
  void note_write(const Slice& slice);

  VulkanDevice& device_;
  const VolkDeviceTable& vk_;
  NativeQueue& queue_;
  const VkPipelineStageFlags stages_;  // that this queue's family has
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<std::unique_ptr<Slot>> slots_;
  Slot* oldest_ = nullptr;
  Slot* newest_ = nullptr;
  std::vector<VkSemaphore> wait_semaphores_;
  std::vector<std::uint64_t> wait_values_;
  std::vector<VkPipelineStageFlags> wait_stages_;

  VkPipelineStageFlags used_ = 0;  // stages that ever did something in this queue
  bool unordered_ = false;         // something ran since the last barrier that orders all that follows
  bool host_write_ = false;        // this submission writes memory that the host can see

  // What the command buffer being recorded has bound.
  Slot* slot_ = nullptr;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  const Layout* layout_ = nullptr;
  const Layout* constants_layout_ = nullptr;
  std::array<VkDescriptorBufferInfo, kMaxBindings> buffers_{};
  std::vector<std::byte> constants_;
};

}  // namespace collet::backend::vulkan
