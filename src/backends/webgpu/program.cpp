// WebGPU: programs are WGSL, kernels are compute pipelines whose layout comes from the signature.

#include <algorithm>
#include <charconv>
#include <memory>

#include "backends/common/misfit.hpp"
#include "backends/common/options.hpp"
#include "backends/webgpu/device.hpp"

namespace collet::backend::webgpu {
namespace {

// The whole numbers between commas at the start of `text`, up to a ")". Nothing where one is an expression.
std::optional<std::array<std::uint32_t, 3>> literal_size(std::string_view text) {
  std::array<std::uint32_t, 3> size{1, 1, 1};
  const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
  for (std::uint32_t& one : size) {
    skip();
    if (text.starts_with(')')) return size;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), one);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('u') || text.starts_with('i')) text.remove_prefix(1);
    skip();
    if (text.starts_with(',')) {
      text.remove_prefix(1);
    } else if (!text.starts_with(')')) {
      return std::nullopt;
    }
  }
  skip();
  if (!text.starts_with(')')) return std::nullopt;
  return size;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Entry {
  std::string_view name;
  std::size_t at = 0;  // of its "fn"
};

// The functions of WGSL text behind each @compute.
std::vector<Entry> entries_of(std::string_view code) {
  std::vector<Entry> entries;
  for (std::size_t at = code.find("@compute"); at != std::string_view::npos;
       at = code.find("@compute", at + 1)) {
    const std::size_t function = code.find("fn ", at);
    if (function == std::string_view::npos) break;
    const std::size_t name = code.find_first_not_of(" \t\r\n", function + 3);
    if (name == std::string_view::npos) break;
    std::size_t end = name;
    while (end < code.size() && is_word(code[end])) ++end;
    entries.push_back({code.substr(name, end - name), function});
  }
  return entries;
}

// The number behind the last "@binding(" plus one; of all functions.
std::uint64_t bindings_of(std::string_view code) {
  constexpr std::string_view kBinding = "@binding(";
  std::uint64_t count = 0;
  for (std::size_t at = code.find(kBinding); at != std::string_view::npos; at = code.find(kBinding, at + 1)) {
    std::uint32_t number = 0;
    const char* begin = code.data() + at + kBinding.size();
    if (std::from_chars(begin, code.data() + code.size(), number).ec == std::errc())
      count = std::max<std::uint64_t>(count, std::uint64_t{number} + 1);
  }
  return count;
}

// Where the group's size is written as numbers, it must be the signature's: WebGPU runs whatever stands
// there.
Result<void> check_group(std::string_view code, const KernelDesc& desc) {
  const std::vector<Entry> entries = entries_of(code);
  const auto found = std::ranges::find(entries, desc.entry, &Entry::name);
  if (found == entries.end())
    return common::no_such_kernel("The program has no kernel", desc.entry, common::names_of(entries));
  constexpr std::string_view kSize = "@workgroup_size(";
  const std::size_t at = code.substr(0, found->at).rfind(kSize);
  if (at == std::string_view::npos) return {};  // the compiler says it better
  const auto size = literal_size(code.substr(at + kSize.size()));
  if (!size || *size == desc.signature->group_size) return {};
  return common::other_group_size("The WGSL", desc.entry, *size, desc.signature->group_size);
}

// What the code takes as overrides: the three parts of the group's size and the bytes of workgroup memory.
std::vector<abi::ConstantEntry> overrides(std::string_view code, const Signature& signature) {
  constexpr std::array<std::string_view, 4> kIds{"@id(0)", "@id(1)", "@id(2)", "@id(3)"};
  const std::array<std::uint32_t, 4> values{signature.group_size[0], signature.group_size[1],
                                            signature.group_size[2], signature.shared_bytes};
  std::vector<abi::ConstantEntry> entries;
  for (std::size_t i = 0; i < kIds.size(); ++i) {
    const bool given = i < 3 || signature.shared_bytes != 0;
    if (given && code.find(kIds[i]) != std::string_view::npos)
      entries.push_back({.key = view(kIds[i].substr(4, 1)), .value = static_cast<double>(values[i])});
  }
  return entries;
}

Result<void> check_shared_bytes(std::string_view code, const KernelDesc& desc) {
  if (desc.signature->shared_bytes == 0 || code.find("@id(3)") != std::string_view::npos) return {};
  return common::misfit(Cause::shared_memory_unsupported,
                        "[Kernel \"" + std::string(desc.entry) + "\"] is given " +
                            std::to_string(desc.signature->shared_bytes) +
                            " bytes of workgroup memory, and its WGSL has no override for them.")
      .with_hint(
          "Write \"@id(3) override bytes: u32 = 4;\" and use it for the size of a var<workgroup> array.");
}

// What the library calls a mistake in a program is one of its author.
Error build_error(const Error& error) {
  if (error.native_name() != Codes::name_of(abi::ErrorType::validation)) return error;
  return Error(ErrorCode::build_failed, Category::compilation, error.cause(), error.message())
      .with_native(error.native_code(), std::string(error.native_name()));
}

abi::BindGroupLayout create_layout(const Native& native, const Signature& signature) {
  std::vector<abi::BindGroupLayoutEntry> entries;
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.kind != Parameter::Kind::buffer) continue;
    abi::BindGroupLayoutEntry& entry = entries.emplace_back();
    entry.binding = static_cast<std::uint32_t>(entries.size() - 1);
    entry.buffer.type = parameter.access == Access::read ? abi::BufferBindingType::read_only_storage
                                                         : abi::BufferBindingType::storage;
  }
  if (signature.constants_size != 0) {
    abi::BindGroupLayoutEntry& entry = entries.emplace_back();
    entry.binding = static_cast<std::uint32_t>(entries.size() - 1);
    entry.buffer = {.type = abi::BufferBindingType::uniform, .has_dynamic_offset = 1};
  }
  const abi::BindGroupLayoutDescriptor desc{.entry_count = entries.size(), .entries = entries.data()};
  return native.wgpu.DeviceCreateBindGroupLayout(native.device, &desc);
}

}  // namespace

Result<std::unique_ptr<ProgramState>> create_module(const Native& native, std::string_view code,
                                                    std::string_view label) {
  Listener listener;
  const abi::ShaderSourceWgsl source{.code = view(code)};
  const abi::ShaderModuleDescriptor desc{.next = &source.chain, .label = view(label)};
  auto program = std::make_unique<ProgramState>();
  program->module = native.wgpu.DeviceCreateShaderModule(native.device, &desc);
  program->code = code;
  if (auto done = listener.check(kMakeModule); !done) {
    if (program->module != nullptr) native.wgpu.ShaderModuleRelease(program->module);
    return build_error(done.error());
  }
  return program;
}

Result<std::unique_ptr<KernelState>> create_pipeline(const Native& native, const ProgramState& program,
                                                     const KernelDesc& desc) {
  const Api& wgpu = native.wgpu;
  Listener listener;
  auto kernel = std::make_unique<KernelState>();
  kernel->constants_size = (desc.signature->constants_size + 15) & ~15u;
  kernel->layout = create_layout(native, *desc.signature);
  const abi::PipelineLayoutDescriptor layout_desc{.layout_count = 1, .layouts = &kernel->layout};
  const abi::PipelineLayout layout = wgpu.DeviceCreatePipelineLayout(native.device, &layout_desc);
  const auto constants = overrides(program.code, *desc.signature);
  const abi::ComputePipelineDescriptor pipeline{.label = view(desc.label),
                                                .layout = layout,
                                                .compute = {.module = program.module,
                                                            .entry = view(desc.entry),
                                                            .constant_count = constants.size(),
                                                            .constants = constants.data()}};
  kernel->pipeline = wgpu.DeviceCreateComputePipeline(native.device, &pipeline);
  wgpu.PipelineLayoutRelease(layout);
  if (auto done = listener.check(kMakePipeline); !done) {
    destroy_pipeline(native, *kernel);
    return build_error(done.error());
  }
  return kernel;
}

void destroy_pipeline(const Native& native, KernelState& kernel) {
  for (const KernelState::Bound& bound : kernel.bound) {
    if (bound.group != nullptr) native.wgpu.BindGroupRelease(bound.group);
  }
  if (kernel.pipeline != nullptr) native.wgpu.ComputePipelineRelease(kernel.pipeline);
  if (kernel.layout != nullptr) native.wgpu.BindGroupLayoutRelease(kernel.layout);
}

Result<BuiltProgram> WebGpuDevice::create_program(const ProgramDesc& desc) {
  const std::string doing = "making [Program \"" + std::string(desc.label) + "\"] on " + info_.id();
  if (!desc.options->defines.empty()) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "WGSL knows no defines, and " + std::to_string(desc.options->defines.size()) + " are given.")
        .during(doing);
  }
  const std::string_view code(reinterpret_cast<const char*>(desc.code.data()), desc.code.size());
  auto program = create_module(native_, code, desc.label);
  if (!program) return native_.reports.note(program.error().during(doing));
  return BuiltProgram{.program = Program{reinterpret_cast<std::uintptr_t>(program->release())},
                      .log = {},
                      .ignored = common::ignored_options(*desc.options)};
}

void WebGpuDevice::destroy_program(Program program) {
  const std::unique_ptr<ProgramState> owned(reinterpret_cast<ProgramState*>(program.id));
  native_.wgpu.ShaderModuleRelease(owned->module);
}

Result<Kernel> WebGpuDevice::create_kernel(Program program, const KernelDesc& desc) {
  const auto& state = *reinterpret_cast<const ProgramState*>(program.id);
  COLLET_CHECK(check_group(state.code, desc));
  COLLET_CHECK(check_shared_bytes(state.code, desc));
  auto kernel = create_pipeline(native_, state, desc);
  if (!kernel) {
    const std::uint64_t given = desc.signature->buffer_count + (desc.signature->constants_size != 0 ? 1 : 0);
    if (const std::uint64_t used = bindings_of(state.code); used > given) {
      return common::misfit(Cause::argument_count,
                            "The WGSL of \"" + std::string(desc.entry) + "\" has " + std::to_string(used) +
                                " bindings, and its signature gives " + std::to_string(given) + ". " +
                                kernel.error().message());
    }
    return native_.reports.note(kernel.error());
  }
  return Kernel{reinterpret_cast<std::uintptr_t>(kernel->release())};
}

void WebGpuDevice::destroy_kernel(Kernel kernel) {
  const std::unique_ptr<KernelState> owned(reinterpret_cast<KernelState*>(kernel.id));
  destroy_pipeline(native_, *owned);
}

}  // namespace collet::backend::webgpu
