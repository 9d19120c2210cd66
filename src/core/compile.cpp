// Building a kernel for a device: which of its codes, checked against what the device can do, and what of the
// options was honoured.

#include <algorithm>

#include "base/hash.hpp"
#include "core/device_state.hpp"
#include "core/emission.hpp"
#include "core/messages.hpp"
#include "kernel/emit/messages.hpp"
#include "kernel/ir/sizes.hpp"
#include "kernel/ir/text.hpp"

namespace collet::detail {
namespace {

Error compile_error(ErrorCode code, Cause cause, std::string message) {
  return Error(code, Category::compilation, cause, std::move(message));
}

bool is_text(Format format) {
  switch (format) {
    case Format::opencl_c:
    case Format::cuda:
    case Format::hip:
    case Format::glsl:
    case Format::glsl_es:
    case Format::glsl_vulkan:
    case Format::wgsl:
    case Format::msl: return true;
    default: return false;
  }
}

// "PTX for sm_75"
std::string described_code(const Code& code) {
  return std::string(to_string(code.format)) + (code.architecture.empty() ? "" : " for " + code.architecture);
}

std::string listed(const std::vector<Format>& formats) {
  std::string list;
  for (const Format format : formats) list += (list.empty() ? "" : ", ") + std::string(to_string(format));
  return list;
}

// Given at launch, and declared by a traced kernel.
std::uint64_t shared_of(const KernelState& kernel) {
  const bool traced = kernel.traced != nullptr && *kernel.traced;
  return kernel.signature.shared_bytes + (traced ? ir::workgroup_bytes(**kernel.traced) : 0);
}

Result<void> check_shared(const DeviceState& device, const KernelState& kernel, std::uint64_t bytes) {
  if (bytes <= device.caps.max_shared_bytes) return {};
  return compile_error(ErrorCode::unsupported, Cause::shared_memory_unsupported,
                       described(kernel) + " has " + std::to_string(bytes) + " bytes of shared memory; " +
                           device.facts->name + " takes at most " +
                           std::to_string(device.caps.max_shared_bytes) + ".")
      .with_hint("Share less at a time, in smaller groups, or choose a device with more shared memory.");
}

Result<void> check_signature(const DeviceState& device, const KernelState& kernel) {
  const backend::Signature& signature = kernel.signature;
  const backend::Caps& caps = device.caps;
  const auto exceeds = [&](const std::string& what, std::uint64_t asked, std::uint64_t most) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::pipeline_failed,
                 described(kernel) + " has " + std::to_string(asked) + " " + what + "; " +
                     device.facts->name + " takes at most " + std::to_string(most) + ".");
  };
  const bool tells = kernel.traced != nullptr && !(*kernel.traced)->messages.empty();
  if (signature.buffer_count == 0 && !tells) {
    return compile_error(ErrorCode::invalid_argument, Cause::no_arguments,
                         described(kernel) + " takes no buffer, so it can have no effect.");
  }
  if (signature.parameters.size() > kMostArguments) {
    return exceeds("arguments", signature.parameters.size(), kMostArguments);
  }
  if (signature.buffer_count > caps.max_bindings) {
    return exceeds("buffers", signature.buffer_count, caps.max_bindings);
  }
  if (signature.constants_size > caps.max_constants_size) {
    return exceeds("bytes of scalars", signature.constants_size, caps.max_constants_size);
  }
  COLLET_CHECK(check_shared(device, kernel, shared_of(kernel)));
  std::uint64_t items = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint32_t size = signature.group_size[d];
    if (size == 0) {
      return compile_error(
          ErrorCode::invalid_argument, Cause::zero_size,
          described(kernel) + " has a group size of 0 in dimension " + std::to_string(d) + ".");
    }
    if (size > caps.max_group_size[d]) {
      return exceeds("items per group in dimension " + std::to_string(d), size, caps.max_group_size[d]);
    }
    items *= size;  // three factors within the limits above stay below 2^64
  }
  if (items > caps.max_group_items) return exceeds("items per group", items, caps.max_group_items);
  return {};
}

Result<void> check_options(const KernelState& kernel, Format format) {
  if (kernel.shape.options.defines.empty() || is_text(format)) return {};
  return compile_error(ErrorCode::unsupported, Cause::module_failed,
                       described(kernel) + " asks for " +
                           std::to_string(kernel.shape.options.defines.size()) + " defines, which " +
                           std::string(to_string(format)) + " can't take.")
      .with_hint("Give this device's code as text, or make the variants when it is built.");
}

// Identifies code, options and signature in receipts.
class Fingerprint {
 public:
  void add(std::string_view bytes) { hash_.add(bytes).add(std::uint64_t{bytes.size()}); }
  void add(std::uint64_t number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }
  std::uint64_t value() const { return hash_.value(); }

 private:
  base::Hash hash_;
};

std::uint64_t fingerprint(const KernelState& kernel, Format format, std::string_view code) {
  Fingerprint print;
  print.add(static_cast<std::uint64_t>(format));
  print.add(code);
  print.add(kernel.name);
  for (const std::uint32_t size : kernel.signature.group_size) print.add(size);
  print.add(kernel.signature.shared_bytes);
  for (const backend::Parameter& parameter : kernel.signature.parameters) {
    print.add(static_cast<std::uint64_t>(parameter.kind) << 8 | static_cast<std::uint64_t>(parameter.access));
    print.add(std::uint64_t{parameter.element_size} << 32 | parameter.size);
  }
  const CompileOptions& options = kernel.shape.options;
  print.add(static_cast<std::uint64_t>(options.optimise) << 2 | (options.debug_info ? 2u : 0u) |
            (options.fast_math ? 1u : 0u));
  print.add(std::uint64_t{options.register_limit} << 32 | options.min_groups_per_unit);
  for (const auto& [key, value] : options.defines) {
    print.add(key);
    print.add(value);
  }
  return print.value();
}

// Which of two codes in one language is meant, nobody could tell; and IR has a signature of its own, which
// may be another than the kernel's.
Result<void> check_codes(const KernelState& kernel) {
  const std::vector<Code>& codes = kernel.module->codes;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i].format == Format::ir) {
      return compile_error(ErrorCode::invalid_argument, Cause::argument_type,
                           described(kernel) + " has IR among its codes, which a module does not take.")
          .with_hint("Read it by AnyKernel::parse(), which takes the signature from the text.");
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (codes[k].format != codes[i].format || codes[k].architecture != codes[i].architecture) continue;
      return compile_error(ErrorCode::invalid_argument, Cause::duplicate_kernel,
                           described(kernel) + " has two codes in " + described_code(codes[i]) +
                               " (numbers " + std::to_string(k) + " and " + std::to_string(i) +
                               " of those that it was given).")
          .with_hint("Give a kernel or module each language once; kernels of one language share one text.");
    }
  }
  return {};
}

// The best of the kernel's codes for this device; null where its CPU function is what fits.
Result<const Code*> choose(const DeviceState& device, const KernelState& kernel) {
  for (const Format format : device.caps.formats) {
    if (format == Format::host_function && kernel.host.function != nullptr) return nullptr;
    for (const Code& code : kernel.module->codes) {
      if (code.format != format) continue;
      if (!code.architecture.empty() && code.architecture != device.caps.architecture) continue;
      return &code;
    }
  }
  return Error(ErrorCode::unsupported, Category::compilation, Cause::no_kernels,
               described(kernel) + " has nothing for " + device.facts->id + " (" + device.facts->name +
                   "). It has: " + listed_codes(kernel) +
                   ". The device takes: " + listed(device.caps.formats) + ".")
      .with_hint(kernel.host.function != nullptr
                     ? "Add code for this device, or allow its CPU function with kernel.with(cpu_stand_in())."
                     : "Add code for this device to the KernelSource.");
}

}  // namespace

std::string listed_codes(const KernelState& kernel) {
  std::string list;
  const auto add = [&](std::string_view item) { list += (list.empty() ? "" : ", ") + std::string(item); };
  for (const Code& code : kernel.module->codes) add(described_code(code));
  if (kernel.host.function != nullptr) add(to_string(Format::host_function));
  return list.empty() ? "nothing" : list;
}

CompiledProgram::~CompiledProgram() { device.native->destroy_program(built.program); }

void CompiledProgram::dispose() noexcept {
  if (!device.is_abandoned()) delete this;
}

CompiledKernel::CompiledKernel(DeviceState& owner, KernelState& kernel)
    : device(owner), signature(kernel.signature), host(kernel.host), name(kernel.name) {
  std::vector<backend::Parameter> declared;  // the buffers
  std::uint32_t passed = 0;
  for (const Declared& one : kernel.declared) {
    const backend::Parameter& parameter = one.parameter;
    if (parameter.kind == backend::Parameter::Kind::buffer) {
      buffers.push_back({passed++, parameter.access, parameter.element_size});
      declared.push_back(parameter);
    } else if (one.counted >= 0) {
      takes_count = true;
      constants.push_back({-1 - one.counted, parameter.offset, parameter.size});
    } else {
      constants.push_back({static_cast<int>(passed++), parameter.offset, parameter.size});
    }
  }
  for (std::size_t a = 0; a < declared.size(); ++a) {
    for (std::size_t b = a + 1; b < declared.size(); ++b) {
      if (declared[a].may_alias || declared[b].may_alias) continue;
      const bool second = declared[b].access != backend::Access::read;
      if (!second && declared[a].access == backend::Access::read) continue;
      disjoint.push_back({static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b),
                          static_cast<std::uint16_t>(second ? b : a)});
    }
  }
}

void CompiledKernel::add_constant(int argument) {
  const backend::Parameter parameter{.kind = backend::Parameter::Kind::constant,
                                     .element_size = sizeof(std::uint32_t),
                                     .offset = signature.constants_size,
                                     .size = sizeof(std::uint32_t)};
  signature.parameters.push_back(parameter);
  signature.constants_size += parameter.size;
  constants.push_back({argument, parameter.offset, parameter.size});
}

void CompiledKernel::add_hidden_buffer() {
  signature.parameters.push_back({.kind = backend::Parameter::Kind::buffer,
                                  .access = backend::Access::read_write,
                                  .element_size = sizeof(std::uint32_t)});
  ++signature.buffer_count;
  needs_slow_path = true;
}

void CompiledKernel::add_part_word(const emit::PartWord& word) {
  part_words.push_back({word, signature.constants_size});
  add_constant(0);
  constants.pop_back();
}

CompiledKernel::~CompiledKernel() {
  if (handle.id != 0) device.native->destroy_kernel(handle);
}

void CompiledKernel::dispose() noexcept {
  if (!device.is_abandoned()) delete this;
}

namespace {

std::shared_ptr<KernelFacts> facts_of(const DeviceState& device, const KernelState& kernel) {
  auto facts = std::make_shared<KernelFacts>();
  facts->kernel = kernel.name;
  facts->group_size = kernel.signature.group_size;
  facts->executed = device.caps.executes;
  return facts;
}

// Makes the kernel of a built program, and its facts.
Result<void> finish(CompiledKernel& compiled, const KernelState& kernel, const Ref<CompiledProgram>& program,
                    std::shared_ptr<KernelFacts> facts, std::string_view code, std::string_view entry) {
  auto handle = compiled.device.native->create_kernel(program->built.program,
                                                      {.entry = entry,
                                                       .signature = &compiled.signature,
                                                       .host_function = kernel.host.function,
                                                       .host_closure = kernel.host.closure.get(),
                                                       .label = kernel.name});
  if (!handle) return handle.error();
  compiled.handle = *handle;
  compiled.program = program;
  facts->format = program->format;
  facts->hash = fingerprint(kernel, program->format, code);
  facts->tier = program->built.tier;
  facts->build_log = program->built.log;
  facts->ignored_options = program->built.ignored;
  compiled.facts = std::move(facts);
  return {};
}

Result<Ref<CompiledProgram>> build_with(DeviceState& device, const KernelState& kernel, const Code* code,
                                        const CompileOptions& options, backend::BuildEffort effort,
                                        const ir::Kernel* as_ir = nullptr) {
  const backend::ProgramDesc desc{
      .format = code != nullptr ? code->format : Format::host_function,
      .code = code != nullptr ? std::as_bytes(std::span(code->bytes)) : std::span<const std::byte>(),
      .ir = as_ir,
      .architecture = code != nullptr ? std::string_view(code->architecture) : std::string_view(),
      .options = &options,
      .label = kernel.module->label.empty() ? std::string_view(kernel.name)
                                            : std::string_view(kernel.module->label),
      .effort = effort};
  auto built = device.native->create_program(desc);
  if (!built) return built.error();
  return Ref(new CompiledProgram(device, std::move(*built), desc.format));
}

std::shared_ptr<const core::Messages> messages_of(const DeviceState& device, const KernelState& kernel,
                                                  std::vector<ir::Message> messages) {
  const std::uint64_t most =
      std::min<std::uint64_t>(device.options.print_bytes, device.caps.max_binding_range);
  const std::uint32_t words =
      std::max(static_cast<std::uint32_t>(most / sizeof(std::uint32_t)), emit::least_words(messages));
  std::vector<ir::Space> memories;
  for (const ir::Memory& memory : (*kernel.traced)->memories) memories.push_back(memory.space);
  return std::make_shared<const core::Messages>(core::Messages{.kernel = kernel.name,
                                                               .all = std::move(messages),
                                                               .words = words,
                                                               .memories = memories,
                                                               .places = (*kernel.traced)->places,
                                                               .group = kernel.shape.group.size});
}

// Each variant is a program of its own: its group size is part of the code.
Result<Ref<CompiledKernel>> compile_traced(DeviceState& device, KernelState& kernel, Scope scope,
                                           backend::BuildEffort effort) {
  COLLET_TRY(emitted, emit_for(device, kernel, scope));
  COLLET_CHECK(check_shared(device, kernel, emitted.shared_bytes));  // emitters add to it
  Ref<CompiledKernel> compiled(new CompiledKernel(device, kernel));
  compiled->takes_count = true;  // the code itself stops at the last element
  compiled->has_parts = true;
  compiled->trusts = std::move(emitted.trusts);
  compiled->terms = std::move(emitted.terms);
  compiled->shadow_units = std::move(emitted.shadow_units);
  if (!compiled->shadow_units.empty()) compiled->add_hidden_buffer();
  if (!emitted.messages.empty()) {
    compiled->messages = messages_of(device, kernel, std::move(emitted.messages));
    compiled->add_hidden_buffer();
  }
  for (const emit::PartWord& word : emitted.words) compiled->add_part_word(word);
  compiled->watched = emitted.watched;
  if (emitted.watched) compiled->add_hidden_buffer();
  if (compiled->signature.buffer_count > device.caps.max_bindings) {
    return compile_error(ErrorCode::unsupported, Cause::pipeline_failed,
                         described(kernel) + " has " + std::to_string(compiled->signature.buffer_count) +
                             " buffers with those that Collet adds; " + device.facts->name +
                             " takes at most " + std::to_string(device.caps.max_bindings) + ".");
  }
  for (const std::uint32_t dimension : emitted.counts)
    compiled->add_constant(-1 - static_cast<int>(dimension));
  for (const std::uint32_t buffer : emitted.lengths) {
    compiled->add_constant(CompiledKernel::kLength - static_cast<int>(buffer));
  }
  if (compiled->signature.constants_size > device.caps.max_constants_size) {
    return compile_error(ErrorCode::unsupported, Cause::pipeline_failed,
                         described(kernel) + " has " + std::to_string(compiled->signature.constants_size) +
                             " bytes of scalars with the counts and lengths that Collet adds; " +
                             device.facts->name + " takes at most " +
                             std::to_string(device.caps.max_constants_size) + ".")
        .with_hint("Pass some of them in a buffer.");
  }
  COLLET_CHECK(check_options(kernel, emitted.code.format));
  CompileOptions options = kernel.shape.options;
  if (emitted.unoptimised) options.optimise = CompileOptions::Optimise::none;
  const ir::Kernel* const as_ir = emitted.ir ? &*emitted.ir : nullptr;
  COLLET_TRY(program, build_with(device, kernel, &emitted.code, options, effort, as_ir));
  compiled->needs_slow_path |= program->built.item_cost != 0 && scope == Scope::grid;
  auto facts = facts_of(device, kernel);
  facts->quirks = std::move(emitted.quirks);
  facts->emulated = std::move(emitted.emulated);
  const std::string text = as_ir != nullptr ? ir::print(*as_ir) : std::move(emitted.code.bytes);
  COLLET_CHECK(finish(*compiled, kernel, program, std::move(facts), text, emitted.entry));
  return compiled;
}

}  // namespace

Result<Ref<CompiledKernel>> compile(DeviceState& device, KernelState& kernel, Scope scope,
                                    backend::BuildEffort effort) {
  if (kernel.traced != nullptr && !*kernel.traced) return kernel.traced->error();
  COLLET_CHECK(check_signature(device, kernel));
  if (kernel.traced != nullptr) return compile_traced(device, kernel, scope, effort);
  COLLET_CHECK(check_codes(kernel));
  Ref<CompiledKernel> compiled(new CompiledKernel(device, kernel));
  auto facts = facts_of(device, kernel);
  const Result<const Code*> chosen = choose(device, kernel);
  if (!chosen) {
    if (!kernel.shape.cpu_stand_in || kernel.host.function == nullptr) return chosen.error();
    if (device.options.strict) {
      return chosen.error().with_hint("Strict mode does not let the CPU function stand in.");
    }
    facts->format = Format::host_function;
    facts->hash = fingerprint(kernel, Format::host_function, {});
    facts->executed = true;
    facts->substitution = "the CPU function ran on the host: " + chosen.error().message();
    compiled->facts = std::move(facts);
    return compiled;
  }

  const Format format = *chosen != nullptr ? (*chosen)->format : Format::host_function;
  COLLET_CHECK(check_options(kernel, format));
  COLLET_TRY(program, device.program(kernel, *chosen));
  COLLET_CHECK(finish(*compiled, kernel, program, std::move(facts),
                      *chosen != nullptr ? std::string_view((*chosen)->bytes) : std::string_view(),
                      kernel.name));
  return compiled;
}

Result<Ref<CompiledProgram>> build(DeviceState& device, const KernelState& kernel, const Code* code,
                                   backend::BuildEffort effort) {
  return build_with(device, kernel, code, kernel.shape.options, effort);
}

}  // namespace collet::detail
