// What Collet uses of webgpu.h: our own declarations, so that no header of a vendor is needed to build. A
// test proves them against the header that wgpu-native ships (tests/unit/backends/webgpu/abi_test.cpp).
//
// The meaning of each is in that header; names are the same without their prefix.
#pragma once

#include <cstddef>
#include <cstdint>

namespace collet::backend::webgpu::abi {

using Flags = std::uint64_t;
using Bool = std::uint32_t;

// Objects of the library.
using Instance = struct InstanceImpl*;
using Adapter = struct AdapterImpl*;
using Device = struct DeviceImpl*;
using Queue = struct QueueImpl*;
using Buffer = struct BufferImpl*;
using ShaderModule = struct ShaderModuleImpl*;
using BindGroupLayout = struct BindGroupLayoutImpl*;
using BindGroup = struct BindGroupImpl*;
using PipelineLayout = struct PipelineLayoutImpl*;
using ComputePipeline = struct ComputePipelineImpl*;
using CommandEncoder = struct CommandEncoderImpl*;
using ComputePassEncoder = struct ComputePassEncoderImpl*;
using CommandBuffer = struct CommandBufferImpl*;
using QuerySet = struct QuerySetImpl*;

enum class SType : std::uint32_t { shader_source_wgsl = 2 };
enum class Status : std::uint32_t { success = 1, error = 2 };
enum class CallbackMode : std::uint32_t {
  wait_any_only = 1,
  allow_process_events = 2,
  allow_spontaneous = 3
};
enum class ErrorType : std::uint32_t {
  no_error = 1,
  validation = 2,
  out_of_memory = 3,
  internal = 4,
  unknown = 5
};
enum class DeviceLostReason : std::uint32_t {
  unknown = 1,
  destroyed = 2,
  callback_cancelled = 3,
  failed_creation = 4
};
enum class RequestAdapterStatus : std::uint32_t {
  success = 1,
  callback_cancelled = 2,
  unavailable = 3,
  error = 4
};
enum class RequestDeviceStatus : std::uint32_t { success = 1, callback_cancelled = 2, error = 3 };
enum class MapAsyncStatus : std::uint32_t { success = 1, callback_cancelled = 2, error = 3, aborted = 4 };
enum class QueueWorkDoneStatus : std::uint32_t { success = 1, callback_cancelled = 2, error = 3 };
enum class FeatureLevel : std::uint32_t { undefined = 0, compatibility = 1, core = 2 };
enum class PowerPreference : std::uint32_t { undefined = 0, low_power = 1, high_performance = 2 };
enum class AdapterType : std::uint32_t { discrete_gpu = 1, integrated_gpu = 2, cpu = 3, unknown = 4 };
enum class FeatureName : std::uint32_t {
  timestamp_query = 9,
  shader_f16 = 11,
  subgroups = 18,
  implicit_device_synchronization = 0x50004  // Dawn's: without it only one thread at a time may use a device
};
enum class QueryType : std::uint32_t { timestamp = 2 };
enum class BackendType : std::uint32_t {
  undefined = 0,
  null = 1,
  webgpu = 2,
  d3d11 = 3,
  d3d12 = 4,
  metal = 5,
  vulkan = 6,
  opengl = 7,
  opengles = 8
};
enum class BufferBindingType : std::uint32_t {
  not_used = 0,
  undefined = 1,
  uniform = 2,
  storage = 3,
  read_only_storage = 4
};

namespace buffer_usage {
inline constexpr Flags map_read = 1, copy_src = 4, copy_dst = 8, uniform = 0x40, storage = 0x80,
                       query_resolve = 0x200;
}
inline constexpr Flags kMapModeRead = 1;
inline constexpr Flags kShaderStageCompute = 4;
inline constexpr std::size_t kUntilTerminator = ~std::size_t{0};  // a length of StringView
inline constexpr std::uint32_t kNoQuery = ~0u;                    // no time at this end of a pass
inline constexpr std::uint32_t kUndefinedLimit32 = ~0u;
inline constexpr std::uint64_t kUndefinedLimit64 = ~std::uint64_t{0};

struct StringView {
  const char* data = nullptr;
  std::size_t length = kUntilTerminator;
};

struct ChainedStruct {
  ChainedStruct* next = nullptr;
  SType type{};
};

struct Future {
  std::uint64_t id = 0;
};

struct InstanceDescriptor {
  ChainedStruct* next = nullptr;
  std::size_t feature_count = 0;
  const std::uint32_t* features = nullptr;
  const void* limits = nullptr;
};

struct RequestAdapterOptions {
  ChainedStruct* next = nullptr;
  FeatureLevel feature_level = FeatureLevel::undefined;
  PowerPreference power_preference = PowerPreference::undefined;
  Bool force_fallback = 0;
  BackendType backend = BackendType::undefined;
  void* surface = nullptr;
};

struct AdapterInfo {
  ChainedStruct* next = nullptr;
  StringView vendor{};
  StringView architecture{};
  StringView device{};
  StringView description{};
  BackendType backend{};
  AdapterType type{};
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  std::uint32_t subgroup_min_size = 0;
  std::uint32_t subgroup_max_size = 0;
};

// Those of textures and of drawing stand together as arrays.
struct Limits {
  ChainedStruct* next = nullptr;
  std::uint32_t textures[4] = {kUndefinedLimit32, kUndefinedLimit32, kUndefinedLimit32, kUndefinedLimit32};
  std::uint32_t max_bind_groups = kUndefinedLimit32;
  std::uint32_t max_bind_groups_plus_vertex_buffers = kUndefinedLimit32;
  std::uint32_t max_bindings_per_bind_group = kUndefinedLimit32;
  std::uint32_t max_dynamic_uniform_buffers = kUndefinedLimit32;
  std::uint32_t max_dynamic_storage_buffers = kUndefinedLimit32;
  std::uint32_t max_sampled_textures = kUndefinedLimit32;
  std::uint32_t max_samplers = kUndefinedLimit32;
  std::uint32_t max_storage_buffers = kUndefinedLimit32;  // of a shader
  std::uint32_t max_storage_textures = kUndefinedLimit32;
  std::uint32_t max_uniform_buffers = kUndefinedLimit32;
  std::uint64_t max_uniform_binding = kUndefinedLimit64;  // bytes
  std::uint64_t max_storage_binding = kUndefinedLimit64;
  std::uint32_t uniform_alignment = kUndefinedLimit32;  // of offsets
  std::uint32_t storage_alignment = kUndefinedLimit32;
  std::uint32_t max_vertex_buffers = kUndefinedLimit32;
  std::uint64_t max_buffer = kUndefinedLimit64;
  std::uint32_t drawing[5] = {kUndefinedLimit32, kUndefinedLimit32, kUndefinedLimit32, kUndefinedLimit32,
                              kUndefinedLimit32};
  std::uint32_t max_workgroup_bytes = kUndefinedLimit32;
  std::uint32_t max_workgroup_items = kUndefinedLimit32;
  std::uint32_t max_workgroup_size[3] = {kUndefinedLimit32, kUndefinedLimit32, kUndefinedLimit32};
  std::uint32_t max_workgroups = kUndefinedLimit32;  // in a dimension
  std::uint32_t max_immediates = kUndefinedLimit32;
};

struct SupportedFeatures {
  std::size_t count = 0;
  const FeatureName* features = nullptr;
};

// What a callback gets: its function, and two pointers that the library hands back.
using RequestAdapterCallback = void (*)(RequestAdapterStatus, Adapter, StringView message, void*, void*);
using RequestDeviceCallback = void (*)(RequestDeviceStatus, Device, StringView message, void*, void*);
using UncapturedErrorCallback = void (*)(const Device*, ErrorType, StringView message, void*, void*);
using DeviceLostCallback = void (*)(const Device*, DeviceLostReason, StringView message, void*, void*);
using BufferMapCallback = void (*)(MapAsyncStatus, StringView message, void*, void*);
using QueueWorkDoneCallback = void (*)(QueueWorkDoneStatus, StringView message, void*, void*);

template <class Function>
struct CallbackInfo {
  ChainedStruct* next = nullptr;
  CallbackMode mode = CallbackMode::allow_process_events;
  Function callback = nullptr;
  void* first = nullptr;
  void* second = nullptr;
};

struct UncapturedErrorCallbackInfo {
  ChainedStruct* next = nullptr;
  UncapturedErrorCallback callback = nullptr;
  void* first = nullptr;
  void* second = nullptr;
};

struct QueueDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
};

struct DeviceDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  std::size_t feature_count = 0;
  const FeatureName* features = nullptr;
  const Limits* limits = nullptr;
  QueueDescriptor queue{};
  CallbackInfo<DeviceLostCallback> lost{};
  UncapturedErrorCallbackInfo error{};
};

struct BufferDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  Flags usage = 0;
  std::uint64_t size = 0;
  Bool mapped = 0;
};

struct ShaderModuleDescriptor {
  const ChainedStruct* next = nullptr;
  StringView label{};
};

struct ShaderSourceWgsl {
  ChainedStruct chain{nullptr, SType::shader_source_wgsl};
  StringView code{};
};

struct BufferBindingLayout {
  ChainedStruct* next = nullptr;
  BufferBindingType type = BufferBindingType::not_used;
  Bool has_dynamic_offset = 0;
  std::uint64_t min_size = 0;
};

// Bindings of the kinds that a kernel has none of.
struct SamplerBindingLayout {
  ChainedStruct* next = nullptr;
  std::uint32_t type = 0;
};
struct TextureBindingLayout {
  ChainedStruct* next = nullptr;
  std::uint32_t sample_type = 0;
  std::uint32_t dimension = 0;
  Bool multisampled = 0;
};
struct StorageTextureBindingLayout {
  ChainedStruct* next = nullptr;
  std::uint32_t access = 0;
  std::uint32_t format = 0;
  std::uint32_t dimension = 0;
};

struct BindGroupLayoutEntry {
  ChainedStruct* next = nullptr;
  std::uint32_t binding = 0;
  Flags visibility = kShaderStageCompute;
  std::uint32_t array_size = 0;
  BufferBindingLayout buffer{};
  SamplerBindingLayout sampler{};
  TextureBindingLayout texture{};
  StorageTextureBindingLayout storage_texture{};
};

struct BindGroupLayoutDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  std::size_t entry_count = 0;
  const BindGroupLayoutEntry* entries = nullptr;
};

struct BindGroupEntry {
  ChainedStruct* next = nullptr;
  std::uint32_t binding = 0;
  Buffer buffer = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  void* sampler = nullptr;
  void* texture = nullptr;
};

struct BindGroupDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  BindGroupLayout layout = nullptr;
  std::size_t entry_count = 0;
  const BindGroupEntry* entries = nullptr;
};

struct PipelineLayoutDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  std::size_t layout_count = 0;
  const BindGroupLayout* layouts = nullptr;
  std::uint32_t immediate_size = 0;
};

// The value of an override: its name, or the number of its @id.
struct ConstantEntry {
  ChainedStruct* next = nullptr;
  StringView key{};
  double value = 0;
};

struct ComputeState {
  ChainedStruct* next = nullptr;
  ShaderModule module = nullptr;
  StringView entry{};
  std::size_t constant_count = 0;
  const ConstantEntry* constants = nullptr;
};

struct ComputePipelineDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  PipelineLayout layout = nullptr;
  ComputeState compute{};
};

struct CommandEncoderDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
};

struct CommandBufferDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
};

struct PassTimestampWrites {
  ChainedStruct* next = nullptr;
  QuerySet queries = nullptr;
  std::uint32_t begin = kNoQuery;
  std::uint32_t end = kNoQuery;
};

struct ComputePassDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  const PassTimestampWrites* timestamps = nullptr;
};

struct QuerySetDescriptor {
  ChainedStruct* next = nullptr;
  StringView label{};
  QueryType type = QueryType::timestamp;
  std::uint32_t count = 0;
};

// Of wgpu-native alone (wgpu.h).
struct EnumerateAdapterOptions {
  const ChainedStruct* next = nullptr;
  Flags backends = 0;  // 0: all
};

}  // namespace collet::backend::webgpu::abi
