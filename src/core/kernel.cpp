// Kernels: their code, their signature, and how one is built for a device.

#include <atomic>
#include <cstring>

#include "core/device_state.hpp"
#include "core/live_devices.hpp"

namespace collet {

Module::Module() : Module(std::string()) {}
Module::Module(std::string label) : state_(new detail::ModuleState) { state_->label = std::move(label); }
Module::Module(const Module&) = default;
Module& Module::operator=(const Module&) = default;
Module::~Module() = default;

Module& Module::add(Format format, std::string_view code, std::string_view architecture) {
  // Kernels made before keep the code that they were made from.
  if (state_->used || !state_->unique()) {
    detail::Ref<detail::ModuleState> changed(new detail::ModuleState);
    changed->label = state_->label;
    changed->codes = state_->codes;
    state_ = std::move(changed);
  }
  state_->codes.push_back({format, std::string(code), std::string(architecture)});
  return *this;
}

namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// OpCapability Kernel makes it an OpenCL module. Anything unreadable counts as a shader: the backend's
// validator says what is wrong with it.
bool is_kernel_flavour(std::span<const std::byte> bytes) {
  constexpr std::uint32_t kHeaderWords = 5;
  constexpr std::uint32_t kOpCapability = 17;
  constexpr std::uint32_t kKernel = 6;
  const auto word = [&](std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + index * 4, sizeof value);
    return value;
  };
  const std::size_t words = bytes.size() / 4;
  for (std::size_t at = kHeaderWords; at + 1 < words && word(at) == (2u << 16 | kOpCapability); at += 2) {
    if (word(at + 1) == kKernel) return true;
  }
  return false;
}

}  // namespace

Module& Module::spirv(std::span<const std::byte> bytes) {
  return add(is_kernel_flavour(bytes) ? Format::spirv_kernel : Format::spirv_shader, as_text(bytes));
}
Module& Module::spirv(std::span<const std::uint32_t> words) { return spirv(std::as_bytes(words)); }
Module& Module::cubin(std::span<const std::byte> bytes, std::string_view architecture) {
  return add(Format::cubin, as_text(bytes), architecture);
}
Module& Module::hsaco(std::span<const std::byte> bytes, std::string_view architecture) {
  return add(Format::hsaco, as_text(bytes), architecture);
}
Module& Module::metallib(std::span<const std::byte> bytes, std::string_view architecture) {
  return add(Format::metallib, as_text(bytes), architecture);
}

}  // namespace collet

namespace collet::detail {

std::uint64_t ModuleState::next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

KernelState::KernelState(std::string kernel_name, Ref<ModuleState> code, std::vector<Declared> parameters,
                         HostCode host_code, Shape kernel_shape,
                         std::shared_ptr<const TracedCode> traced_code)
    : name(std::move(kernel_name)),
      module(std::move(code)),
      declared(std::move(parameters)),
      host(std::move(host_code)),
      traced(std::move(traced_code)),
      shape(std::move(kernel_shape)) {
  module->used = true;
  signature.group_size = shape.group.size;
  signature.shared_bytes = shape.shared_bytes;
  for (const Declared& one : declared) {
    signature.parameters.push_back(one.parameter);
    if (one.parameter.kind == backend::Parameter::Kind::buffer) {
      ++signature.buffer_count;
    } else {
      signature.constants_size = (one.parameter.offset + one.parameter.size + 3) & ~3u;
    }
  }
}

KernelState::~KernelState() {
  for (Entry* entry = entries_.load(std::memory_order_acquire); entry != nullptr;) {
    core::with_device(
        entry->device_serial, [](DeviceState& device, std::uint64_t kernel) { device.forget(kernel); },
        serial);
    delete std::exchange(entry, entry->next);
  }
}

void KernelState::remember(std::uint64_t device_serial, CompiledKernel* compiled) {
  auto* entry = new Entry{device_serial, compiled, entries_.load(std::memory_order_relaxed)};
  while (!entries_.compare_exchange_weak(entry->next, entry, std::memory_order_release)) {
  }
}

std::string described(const KernelState& kernel) { return "[Kernel \"" + kernel.name + "\"]"; }

Ref<KernelState> make_kernel(std::string kernel_name, Ref<ModuleState> module, std::vector<Declared> declared,
                             HostCode host, Shape kernel_shape) {
  return Ref(new KernelState(std::move(kernel_name), std::move(module), std::move(declared), std::move(host),
                             std::move(kernel_shape)));
}

Ref<KernelState> vary(const KernelState& kernel, Shape changed) {
  return Ref(new KernelState(kernel.name, kernel.module, kernel.declared, kernel.host, std::move(changed),
                             kernel.traced));
}

const Shape& shape(const KernelState& kernel) { return kernel.shape; }
const std::string& name(const KernelState& kernel) { return kernel.name; }

}  // namespace collet::detail
