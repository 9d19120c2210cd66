// A launch: every argument checked, one command added.

#include <algorithm>

#include "base/checked.hpp"
#include "core/buffer_state.hpp"
#include "core/byte_copy.hpp"
#include "core/messages.hpp"
#include "core/stand_in.hpp"
#include "core/stream_state.hpp"

namespace collet::detail {
namespace {

constexpr std::uint64_t kMostGroups = std::uint64_t{1} << 48;

std::string sized(const std::array<std::uint64_t, 3>& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

Error launch_error(ErrorCode code, Cause cause, std::string message) {
  return Error(code, Category::launch, cause, std::move(message));
}

Error no_launches(const std::string& stream) {
  return launch_error(ErrorCode::invalid_argument, Cause::queue_failed, stream + " is for transfers only.");
}

Error launching(const Error& error, const KernelState& kernel, const StreamState& stream) {
  return error.during("launching " + described(kernel) + " in " + stream.name());
}

Error too_many_groups(const CompiledKernel& kernel, const Grid& grid, std::size_t dimension,
                      std::uint64_t groups) {
  const std::uint64_t most = kernel.device.caps.max_groups[dimension];
  return launch_error(ErrorCode::unsupported, Cause::other,
                      "The grid " + sized(grid.size()) + " of [Kernel \"" + kernel.name + "\"] needs " +
                          std::to_string(groups) + " groups in dimension " + std::to_string(dimension) +
                          "; " + kernel.device.facts->name + " runs at most " + std::to_string(most) + ".")
      .with_hint("Launch in parts, or use more dimensions or larger groups.");
}

Error ragged(const CompiledKernel& kernel, std::uint64_t size, std::size_t dimension) {
  return launch_error(ErrorCode::invalid_argument, Cause::other,
                      std::to_string(size) + " elements are no multiple of the group size " +
                          std::to_string(kernel.signature.group_size[dimension]) + " in dimension " +
                          std::to_string(dimension) + ", and [Kernel \"" + kernel.name +
                          "\"] takes no Count to stop at.")
      .with_hint("Declare a Count argument and compare with it, or launch whole groups.");
}

Error too_large(const CompiledKernel& kernel, const Grid& grid, std::string_view why) {
  return launch_error(
      ErrorCode::unsupported, Cause::other,
      "The grid " + sized(grid.size()) + " of [Kernel \"" + kernel.name + "\"] " + std::string(why) + ".");
}

// How many groups, and how many items of them exist.
[[gnu::always_inline]] inline Result<void> resolve(const CompiledKernel& kernel, const Grid& grid,
                                                   Launch& launch) {
  const bool by_elements = grid.unit() == Grid::Unit::elements;
  std::uint64_t total = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t group = kernel.signature.group_size[d];
    const std::uint64_t size = grid.size()[d];
    if (size == 1 && group == 1) {  // most launches have one dimension
      launch.groups[d] = 1;
      launch.extent[d] = 1;
      continue;
    }
    std::uint64_t groups = size;
    if (by_elements && group != 1) {
      groups = size / group;
      if (groups * group != size) {
        ++groups;
        if (!kernel.takes_count) return ragged(kernel, size, d);
      }
    }
    if (groups > kernel.device.caps.max_groups[d]) {
      if (!kernel.has_parts || groups > 0xffffffffu) return too_many_groups(kernel, grid, d, groups);
      launch.beyond = true;
    }
    launch.groups[d] = static_cast<std::uint32_t>(groups);
    launch.extent[d] = by_elements ? size : groups * group;
    if (kernel.takes_count && launch.extent[d] > 0xffffffffu) {
      return too_large(kernel, grid, "has more elements in a dimension than a Count of 32 bits can tell");
    }
    total = base::checked_mul(total, groups).value_or(kMostGroups + 1);
  }
  if (total > kMostGroups) return too_large(kernel, grid, "has more than 2^48 groups");
  return {};
}

std::string bytes_of(const Range& range) {
  return "bytes " + std::to_string(range.first * range.element_size) + "-" +
         std::to_string((range.first + range.count) * range.element_size);
}

// Why the device can't take a buffer argument that lies inside its buffer.
Error unbindable(const CompiledKernel& kernel, const Range& range, const backend::Slice& slice,
                 std::size_t argument) {
  const backend::Caps& caps = kernel.device.caps;
  const std::string which = "Argument " + std::to_string(argument) + " (" + bytes_of(range) + " of " +
                            range.buffer->name() + ") of [Kernel \"" + kernel.name + "\"]";
  if (slice.size == 0) {
    return launch_error(ErrorCode::invalid_argument, Cause::zero_size,
                        which + " is empty, but the launch is not.");
  }
  if (slice.size > caps.max_binding_range) {
    return launch_error(ErrorCode::unsupported, Cause::other,
                        which + " has " + std::to_string(slice.size) + " bytes; " +
                            kernel.device.facts->name + " lets a kernel see at most " +
                            std::to_string(caps.max_binding_range) + " bytes of a buffer.")
        .with_hint("Launch on slices of the buffer.");
  }
  return launch_error(ErrorCode::unsupported, Cause::other,
                      which + " begins at a byte that is no multiple of " +
                          std::to_string(caps.offset_alignment) + ", which " + kernel.device.facts->name +
                          " asks of kernel arguments.")
      .with_hint("Begin the slice at such a multiple, or pass the offset as a Value.");
}

Error overlap(const CompiledKernel& kernel, std::span<const Argument> arguments,
              const CompiledKernel::Pair& pair) {
  const auto described_buffer = [&](std::uint16_t buffer) {
    return std::to_string(kernel.buffers[buffer].argument) + " (" +
           bytes_of(arguments[kernel.buffers[buffer].argument].range) + ")";
  };
  return launch_error(ErrorCode::invalid_argument, Cause::other,
                      "Arguments " + described_buffer(pair.first) + " and " + described_buffer(pair.second) +
                          " of [Kernel \"" + kernel.name + "\"] overlap and argument " +
                          std::to_string(kernel.buffers[pair.written].argument) + " is written.")
      .with_hint("Declare the argument MayAlias, or copy one of them first.");
}

// Two parts of one memory, of which one is read and the other written: nothing where there are none.
std::optional<Error> mixed_access(const CompiledKernel& kernel, std::span<const Argument> arguments,
                                  std::span<const backend::Slice> slices) {
  const auto described_buffer = [&](std::size_t buffer) {
    const std::uint32_t argument = kernel.buffers[buffer].argument;
    return std::to_string(argument) + " (" + bytes_of(arguments[argument].range) + ")";
  };
  for (std::size_t a = 0; a < kernel.buffers.size(); ++a) {
    for (std::size_t b = a + 1; b < kernel.buffers.size(); ++b) {
      if (!(slices[a].memory == slices[b].memory)) continue;
      if ((slices[a].access == backend::Access::read) == (slices[b].access == backend::Access::read))
        continue;
      return launch_error(ErrorCode::unsupported, Cause::other,
                          "Arguments " + described_buffer(a) + " and " + described_buffer(b) +
                              " of [Kernel \"" + kernel.name + "\"] are parts of " +
                              arguments[kernel.buffers[a].argument].range.buffer->name() +
                              ", and only one of them is written; " + kernel.device.facts->name +
                              " takes no such pair.")
          .with_hint("Declare both arguments InOut, or copy one of them to another buffer.");
    }
  }
  return std::nullopt;
}

Error aliased_stand_in(const CompiledKernel& kernel, std::size_t a, std::size_t b) {
  return launch_error(ErrorCode::unsupported, Cause::other,
                      "Arguments " + std::to_string(kernel.buffers[a].argument) + " and " +
                          std::to_string(kernel.buffers[b].argument) + " of [Kernel \"" + kernel.name +
                          "\"] overlap. Its CPU function stands in here and works on copies, which would not "
                          "see each other.");
}

[[gnu::always_inline]] inline void bind_constants(const CompiledKernel& kernel,
                                                  const std::array<std::uint64_t, 3>& extent,
                                                  std::span<const backend::Slice> slices,
                                                  std::span<const Argument> arguments,
                                                  std::span<std::byte> constants) {
  for (const CompiledKernel::ConstantParameter& parameter : kernel.constants) {
    std::byte* const to = constants.data() + parameter.offset;
    if (parameter.argument < 0) {
      const auto buffer = static_cast<std::size_t>(CompiledKernel::kLength - parameter.argument);
      const std::uint64_t count = parameter.argument > CompiledKernel::kLength
                                      ? extent[static_cast<std::size_t>(-1 - parameter.argument)]
                                      : slices[buffer].size / kernel.element_size(buffer);
      const auto word = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xffffffffu));
      std::memcpy(to, &word, sizeof word);
    } else if (const void* from = arguments[static_cast<std::size_t>(parameter.argument)].value;
               parameter.size == 4) {
      std::memcpy(to, from, 4);  // most are, and this is one instruction
    } else {
      std::memcpy(to, from, parameter.size);
    }
  }
}

// Whether the launch keeps to what the code trusts in, so that no index of it needs a check.
bool keeps_trust(const CompiledKernel& kernel, const Launch& launch, std::span<const Argument> arguments) {
  const auto leaf = [&](const ir::Ceiling& term) -> std::uint64_t {
    using What = ir::Ceiling::What;
    if (term.what == What::element_count) return launch.extent[term.a];
    if (term.what == What::group_count) return launch.groups[term.a];
    if (term.what == What::length && term.a >= kernel.buffers.size()) return kernel.messages->words;
    if (term.what == What::length) {
      const CompiledKernel::BufferParameter& parameter = kernel.buffers[term.a];
      const Range& range = arguments[parameter.argument].range;
      return range.count * range.element_size / parameter.element_size;
    }
    const int argument = kernel.constants[term.a].argument;
    if (argument < 0) return launch.extent[static_cast<std::size_t>(-1 - argument)];
    const void* value = arguments[static_cast<std::size_t>(argument)].value;
    std::uint32_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(value) + term.b, sizeof word);
    return word;
  };
  return emit::are_kept(kernel.trusts, kernel.terms, leaf);
}

// What one dispatch runs: all of a grid, or as much of it as the device takes at once.
struct Part {
  std::array<std::uint32_t, 3> first;  // groups before it
  std::array<std::uint32_t, 3> groups;
  std::array<std::uint64_t, 3> extent;
};

// From `first` to the end of the grid or of what the device takes.
void measure(Part& part, const Launch& whole, const CompiledKernel& kernel) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t size = kernel.signature.group_size[d];
    part.groups[d] = std::min(whole.groups[d] - part.first[d], kernel.device.caps.max_groups[d]);
    part.extent[d] = std::min(whole.extent[d] - part.first[d] * size, part.groups[d] * size);
  }
}

Part first_part(const Launch& whole, const CompiledKernel& kernel) {
  Part part{.first = {}, .groups = whole.groups, .extent = whole.extent};
  if (whole.beyond) [[unlikely]]
    measure(part, whole, kernel);
  return part;
}

// Goes on to the next; false after the last.
bool advance(Part& part, const Launch& whole, const CompiledKernel& kernel) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t next = std::uint64_t{part.first[d]} + kernel.device.caps.max_groups[d];
    part.first[d] = next < whole.groups[d] ? static_cast<std::uint32_t>(next) : 0;
    if (part.first[d] == 0) continue;
    measure(part, whole, kernel);
    return true;
  }
  return false;
}

void bind_part(const CompiledKernel& kernel, const Part& part, const Launch& whole,
               std::span<std::byte> constants) {
  using What = emit::PartWord::What;
  for (const auto& [word, offset] : kernel.part_words) {
    const std::uint32_t d = word.dimension;
    const std::uint32_t value = word.what == What::first_group ? part.first[d]
                                : word.what == What::group_count
                                    ? whole.groups[d]
                                    : static_cast<std::uint32_t>(whole.extent[d]);
    std::memcpy(constants.data() + offset, &value, sizeof value);
  }
}

}  // namespace

void StreamState::launch(KernelState& kernel, const Grid& grid, std::span<const Argument> arguments) {
  if (is_over()) [[unlikely]]
    return;
  Launch prepared;
  prepared.kernel = kernel.find(device->serial);
  if (prepared.kernel == nullptr && !is_open()) [[unlikely]]
    return;  // nothing is built for a stream that has failed
  // A build takes long: it happens outside the lock, which the service and other threads take.
  if (const auto ready = prepare(kernel, grid, arguments, prepared); !ready) [[unlikely]]
    return refuse(launching(ready.error(), kernel, *this));
  if (prepared.groups[0] == 0) [[unlikely]]
    return;  // the grid is empty
  Lock lock(mutex_);
  if (!open_locked()) return;
  throttle_locked(lock);
  if (const auto added = dispatch_locked(lock, kernel, prepared, arguments); !added) [[unlikely]]
    return fail_locked(launching(added.error(), kernel, *this));
  receipt_locked(*prepared.kernel, prepared.groups);
}

Result<void> StreamState::prepare(KernelState& kernel, const Grid& grid, std::span<const Argument> arguments,
                                  Launch& launch) {
  if (launch.kernel == nullptr) [[unlikely]] {
    COLLET_TRY(built, device->compiled(kernel));
    launch.kernel = built;
    if (built->handle.id == 0) COLLET_CHECK(prepare_byte_copies());  // its CPU function stands in
  }
  if (options.transfer_only) [[unlikely]]
    return no_launches(name());
  if (grid.empty()) [[unlikely]] {
    launch.groups[0] = 0;
    return {};
  }
  COLLET_CHECK(resolve(*launch.kernel, grid, launch));
  if (launch.beyond) [[unlikely]] {
    COLLET_TRY(in_parts, device->compiled_in_parts(kernel));
    launch.kernel = in_parts;
  } else if (!launch.kernel->trusts.empty() && !keeps_trust(*launch.kernel, launch, arguments)) [[unlikely]] {
    COLLET_TRY(checked, device->compiled_checked(kernel));
    launch.kernel = checked;
  }
  return {};
}

Result<void> StreamState::dispatch_locked(Lock& lock, KernelState& kernel, const Launch& whole,
                                          std::span<const Argument> arguments) {
  CompiledKernel* const compiled = whole.kernel;
  Part part = first_part(whole, *compiled);
  do {
    const std::size_t slices_size = compiled->signature.buffer_count * sizeof(backend::Slice);
    std::byte* const memory = batch_->arena.allocate(slices_size + compiled->signature.constants_size);
    const std::span slices(reinterpret_cast<backend::Slice*>(memory), compiled->signature.buffer_count);
    const std::span constants(memory + slices_size, compiled->signature.constants_size);
    COLLET_CHECK(bind_buffers_locked(*compiled, arguments, slices));
    if (compiled->needs_slow_path) [[unlikely]]
      COLLET_CHECK(prepare_slow_path_locked(kernel, *compiled, part.extent, arguments, slices));
    bind_constants(*compiled, whole.extent, slices, arguments, constants);
    bind_part(*compiled, part, whole, constants);

    const backend::Dispatch dispatch{.kernel = compiled->handle,
                                     .groups = part.groups,
                                     .extent = part.extent,
                                     .slices = slices,
                                     .constants = constants,
                                     .label = compiled->name};
    if (compiled->handle.id == 0) [[unlikely]] {
      COLLET_CHECK(stand_in_locked(lock, Ref(compiled), dispatch, arguments));
      break;
    }
    batch_->keep_alive(compiled);
    add_locked(dispatch, slices);
    if (compiled->watched) [[unlikely]]
      COLLET_CHECK(read_watch_locked(batch_->watches.back()));
    if (compiled->messages != nullptr) [[unlikely]]
      COLLET_CHECK(read_messages_locked(batch_->messages.back()));
    maybe_submit_locked();
    // A part that could not be submitted is remembered, and those after it are left out.
  } while (whole.beyond && open_locked() && advance(part, whole, *compiled));
  return {};
}

Result<void> StreamState::bind_buffers_locked(const CompiledKernel& kernel,
                                              std::span<const Argument> arguments,
                                              std::span<backend::Slice> slices) {
  const std::uint64_t most = device->caps.max_binding_range;
  const std::uint64_t misaligned = device->caps.offset_alignment - 1;
  backend::Slice* slice = slices.data();
  for (const CompiledKernel::BufferParameter& parameter : kernel.buffers) {
    const Range& range = arguments[parameter.argument].range;
    if (!inside(range)) [[unlikely]]
      return outside_error(range);
    const BufferState& buffer = *range.buffer;
    const std::uint64_t offset = buffer.block.offset + range.first * range.element_size;
    const std::uint64_t size = range.count * range.element_size;
    slice->memory = buffer.block.memory;
    slice->offset = offset;
    slice->size = size;
    slice->access = parameter.access;
    if (size - 1 >= most || (offset & misaligned) != 0) [[unlikely]] {  // 0 wraps
      return unbindable(kernel, range, *slice, parameter.argument);
    }
    use_locked(buffer);
    ++slice;
  }
  for (const CompiledKernel::Pair& pair : kernel.disjoint) {
    const backend::Slice& a = slices[pair.first];
    const backend::Slice& b = slices[pair.second];
    if (core::overlapping(a, b)) [[unlikely]] {
      return overlap(kernel, arguments, pair);
    }
  }
  if (!device->caps.mixed_access) [[unlikely]] {
    if (const auto mixed = mixed_access(kernel, arguments, slices)) return *mixed;
  }
  return {};
}

// Byte by byte, from and to wherever they are in their memory.
Result<void> StreamState::copy_bytes_locked(const BufferState& from, std::uint64_t from_offset,
                                            const BufferState& to, std::uint64_t to_offset,
                                            std::uint64_t size) {
  const backend::Caps& caps = device->caps;
  const std::uint64_t mask = caps.offset_alignment - 1;
  const std::uint64_t most = std::min({std::uint64_t{1} << 31, caps.max_binding_range - mask,
                                       std::uint64_t{caps.max_groups[0]} * core::kByteCopyGroup});
  // A part that begins where a binding may.
  const auto bound = [&](const BufferState& buffer, std::uint64_t offset, std::uint64_t bytes) {
    const std::uint64_t begin = offset & ~mask;
    return backend::Slice{buffer.block.memory, begin, offset - begin + bytes, backend::Access::read_write};
  };
  COLLET_TRY(kernel, device->compiled_checked(core::byte_copy_kernel()));
  for (std::uint64_t at = 0; at < size && open_locked(); at += most) {
    const std::uint64_t piece = std::min(most, size - at);
    const std::array parts{bound(from, from_offset + at, piece), bound(to, to_offset + at, piece)};
    const std::array firsts{static_cast<std::uint32_t>((from_offset + at) & mask),
                            static_cast<std::uint32_t>((to_offset + at) & mask)};
    const std::array arguments{Argument{}, Argument{}, Argument{{}, &firsts[0]}, Argument{{}, &firsts[1]}};
    const std::array<std::uint64_t, 3> extent{piece, 1, 1};
    std::byte* const memory = batch_->arena.allocate(sizeof parts + kernel->signature.constants_size);
    std::memcpy(memory, parts.data(), sizeof parts);
    const std::span slices(reinterpret_cast<backend::Slice*>(memory), parts.size());
    const std::span constants(memory + sizeof parts, kernel->signature.constants_size);
    bind_constants(*kernel, extent, slices, arguments, constants);
    const auto groups = static_cast<std::uint32_t>((piece + core::kByteCopyGroup - 1) / core::kByteCopyGroup);
    use_locked(from);
    use_locked(to);
    batch_->keep_alive(kernel);
    add_locked(backend::Dispatch{.kernel = kernel->handle,
                                 .groups = {groups, 1, 1},
                                 .extent = extent,
                                 .slices = slices,
                                 .constants = constants,
                                 .label = kernel->name},
               slices);
    maybe_submit_locked();
  }
  return {};
}

// The kernel's CPU function in place of code for this device: its buffers come to the host, the function runs
// there once they have, and what it wrote goes back. Three batches: read, call, write.
Result<void> StreamState::stand_in_locked(Lock& lock, const Ref<CompiledKernel>& kernel,
                                          const backend::Dispatch& dispatch,
                                          std::span<const Argument> arguments) {
  for (std::size_t a = 0; a < dispatch.slices.size(); ++a) {
    for (std::size_t b = a + 1; b < dispatch.slices.size(); ++b) {
      const backend::Slice& first = dispatch.slices[a];
      const backend::Slice& second = dispatch.slices[b];
      const bool read_only = first.access == backend::Access::read && second.access == backend::Access::read;
      if (!read_only && core::overlapping(first, second)) return aliased_stand_in(*kernel, a, b);
    }
  }
  const Ref<core::StandIn> call(new core::StandIn(kernel, dispatch));
  std::size_t index = 0;
  for (const Argument& argument : arguments) {
    if (argument.range.buffer == nullptr) continue;
    backend::Slice from = dispatch.slices[index];
    from.access = backend::Access::read;
    COLLET_TRY(staged, upload_.allocate(rounded(from.size)));
    std::byte* host = staged.host;
    call->set_buffer(index++, std::move(staged));
    if (device->caps.host_commands && is_copyable(from, 0)) {
      use_locked(*argument.range.buffer);
      add_locked(backend::Read{.from = from, .to = host}, {&from, 1});
    } else {
      COLLET_CHECK(read_staged_locked(*argument.range.buffer, from, host));
    }
  }
  batch_->keep_alive(call.get());
  close_batch_locked();
  batch_->host_call = [call] { return call->run(); };
  close_batch_locked();

  index = 0;
  for (const Argument& argument : arguments) {
    if (argument.range.buffer == nullptr) continue;
    const backend::Slice& to = call->slice(index);
    const core::Staged& staged = call->buffer(index++);
    if (to.access == backend::Access::read) continue;
    COLLET_CHECK(deliver_locked(lock, staged, *argument.range.buffer, to));
  }
  batch_->keep_alive(call.get());
  close_batch_locked();
  pump_locked(lock);
  return {};
}

void StreamState::receipt_locked(const CompiledKernel& kernel, const std::array<std::uint32_t, 3>& groups) {
  LaunchRecord& record = launches_[launch_count_++ % kReceiptLaunches];
  if (record.facts != kernel.facts) [[unlikely]]
    record.facts = kernel.facts;
  record.groups = groups;
}

std::uint64_t StreamState::kept_launches_locked() const {
  return std::min<std::uint64_t>(launch_count_, kReceiptLaunches);
}

void StreamState::take_receipt_locked(Receipt& receipt) {
  const std::uint64_t kept = kept_launches_locked();
  receipt.device = device->facts;
  receipt.launch_count = std::exchange(launch_count_, 0);
  receipt.copy_count = std::exchange(copy_count_, 0);
  receipt.copied_bytes = std::exchange(copied_bytes_, 0);
  if (failed_callbacks_.load(std::memory_order_relaxed) != 0) [[unlikely]]
    receipt.failed_callbacks = failed_callbacks_.exchange(0, std::memory_order_relaxed);
  for (std::uint64_t i = receipt.launch_count - kept; i < receipt.launch_count; ++i) {
    receipt.launches.push_back(launches_[i % kReceiptLaunches]);
  }
}

}  // namespace collet::detail
