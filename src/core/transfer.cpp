// Uploads, downloads, copies and fills: which path the bytes take.
//
// Mapped memory that nothing in flight uses is written and read in place. Otherwise bytes pass through
// staging memory, or, where the backend takes host pointers, by Write and Read.

#include <algorithm>

#include "base/checked.hpp"
#include "core/buffer_state.hpp"
#include "core/byte_copy.hpp"
#include "core/stream_state.hpp"

namespace collet::detail {
namespace {

Error null_pointer(std::uint64_t size, const std::string& buffer) {
  return Error(
      ErrorCode::invalid_argument, Category::memory, Cause::null_pointer,
      "The host pointer is null, but " + std::to_string(size) + " bytes are asked of " + buffer + ".");
}

Error size_mismatch(std::string_view what, std::uint64_t host, std::uint64_t device,
                    const std::string& buffer) {
  return Error(ErrorCode::invalid_argument, Category::memory,
               std::string(what) + " has " + std::to_string(host) + " bytes and the part of " + buffer +
                   " has " + std::to_string(device) + ".");
}

// The 32-bit word that repeats like `value` does, where there is one.
std::optional<std::uint32_t> repeating_word(const std::byte* value, std::uint32_t size) {
  if (size > 4 && size % 4 != 0) return std::nullopt;
  if (size < 4 && 4 % size != 0) return std::nullopt;
  std::array<std::byte, 4> word{};
  for (std::uint32_t i = 0; i < 4; ++i) word[i] = value[i % size];
  for (std::uint32_t i = 0; i < size; ++i) {
    if (value[i] != word[i % 4]) return std::nullopt;
  }
  std::uint32_t pattern = 0;
  std::memcpy(&pattern, word.data(), sizeof pattern);
  return pattern;
}

}  // namespace

Error StreamState::outside_error(const Range& range) const {
  const BufferState& buffer = *range.buffer;
  if (!buffer.device) return moved_buffer_error();
  if (buffer.device.get() != device.get()) {
    return Error(ErrorCode::invalid_argument, Category::memory,
                 buffer.name() + " belongs to " + buffer.device->facts->id + " (" +
                     buffer.device->facts->name + "), not to " + device->facts->id + " (" +
                     device->facts->name + ") that " + name() + " works on.")
        .with_hint("Download it there and upload it here.");
  }
  if (range.first == kNoElements && range.count != kNoElements) {
    return Error(ErrorCode::invalid_argument, Category::memory,
                 "A part of " + buffer.name() + " is used in rows that do not fit into its " +
                     std::to_string(range.count) + " elements, or that overlap.");
  }
  if (range.first == kNoElements) {
    return Error(ErrorCode::invalid_argument, Category::memory,
                 "A part of " + buffer.name() + " is used as elements of " +
                     std::to_string(range.element_size) + " bytes, and is no whole number of them.");
  }
  return Error(ErrorCode::invalid_argument, Category::memory,
               std::to_string(range.count) + " elements from number " + std::to_string(range.first) +
                   " on are asked of " + buffer.name() + ", which has " +
                   std::to_string(buffer.bytes / range.element_size) + ".");
}

Result<backend::Slice> StreamState::slice_of(const Range& range, backend::Access access) const {
  if (!inside(range)) return outside_error(range);
  return backend::Slice{.memory = range.buffer->block.memory,
                        .offset = range.buffer->block.offset + range.first * range.element_size,
                        .size = range.count * range.element_size,
                        .access = access};
}

void StreamState::wait_ready_locked(const BufferState& buffer) {
  if (device->initialiser.reached(buffer.ready)) return;
  const Result<backend::Point> ready = device->initialiser.point(buffer.ready);
  if (!ready) return break_locked(ready.error().during("using " + buffer.name() + " in " + name()));
  const backend::Point point = *ready;
  for (backend::Point& wait : batch_->waits) {
    if (wait.timeline == point.timeline) {
      wait.value = std::max(wait.value, point.value);
      return;
    }
  }
  batch_->waits.push_back(point);
}

void StreamState::count_copy_locked(std::uint64_t bytes) {
  ++copy_count_;
  copied_bytes_ += bytes;
}

template <class Add>
void StreamState::add_transfer(const Add& add, std::string_view doing, const BufferState& buffer,
                               bool ragged) {
  if (is_over()) return;
  Result<void> added = ragged ? prepare_byte_copies() : Result<void>();
  Lock lock(mutex_);
  if (!open_locked()) return;
  throttle_locked(lock);
  if (added) added = add(lock);
  if (!added) {
    return fail_locked(added.error().during(std::string(doing) + " " + buffer.name() + " in " + name()));
  }
  if (!batch_->empty()) maybe_submit_locked();
}

void StreamState::upload(const void* host, std::uint64_t size, const Range& to, bool borrowed,
                         Deadline deadline) {
  add_transfer(
      [&]([[maybe_unused]] Lock& lock) -> Result<void> {
        COLLET_TRY(slice, slice_of(to, backend::Access::write));
        if (size != slice.size) return size_mismatch("The host memory", size, slice.size, to.buffer->name());
        if (size == 0) return {};
        if (host == nullptr) return null_pointer(size, to.buffer->name());
        count_copy_locked(size);
        const auto* bytes = static_cast<const std::byte*>(host);
        if (write_direct_locked(*to.buffer, slice.offset - to.buffer->block.offset, bytes, size)) return {};
        if (borrowed && device->caps.host_commands && is_copyable(slice, 0)) {
          use_locked(*to.buffer);
          batch_->borrows = true;
          add_locked(backend::Write{.from = bytes, .to = slice}, {&slice, 1});
        } else {
          COLLET_CHECK(write_staged_locked(lock, *to.buffer, slice, bytes, deadline));
        }
        return {};
      },
      "uploading to", *to.buffer, is_ragged(to));
}

// Where nobody else holds the buffer, nothing gathered or in flight uses it.
bool StreamState::write_direct_locked(const BufferState& buffer, std::uint64_t offset, const void* host,
                                      std::uint64_t size) {
  if (buffer.block.host == nullptr) return false;
  if (!buffer.unique()) {
    if (in_flight_.empty()) return false;
    query_locked();
    retire_locked();
    if (!buffer.unique()) return false;
  }
  std::memcpy(buffer.block.host + offset, host, size);
  const backend::Slice written{buffer.block.memory, buffer.block.offset + offset, size,
                               backend::Access::write};
  return device->native->sync_host_range(written, true).has_value();
}

Result<void> StreamState::write_staged_locked(Lock& lock, const BufferState& buffer, const backend::Slice& to,
                                              const std::byte* host, Deadline deadline) {
  for (std::uint64_t at = 0; at < to.size; at += core::Staging::kPiece) {
    const std::uint64_t piece = std::min(core::Staging::kPiece, to.size - at);
    while (upload_.in_flight() + piece > core::Staging::kLimit && !(in_flight_.empty() && closed_.empty())) {
      submit_locked();
      upload_.reset();
      const std::uint64_t oldest = in_flight_.empty() ? closed_.front()->value : in_flight_.front()->value;
      COLLET_CHECK(reach_locked(lock, oldest, deadline));
      if (failure_) return *failure_;
    }
    const std::uint64_t whole = rounded(piece);
    COLLET_TRY(staged, upload_.allocate(whole));
    std::memcpy(staged.host, host + at, piece);
    std::memset(staged.host + piece, 0, whole - piece);
    const backend::Slice target{to.memory, to.offset + at, piece, backend::Access::write};
    COLLET_CHECK(deliver_locked(lock, staged, buffer, target));
  }
  return {};
}

std::uint64_t StreamState::rounded(std::uint64_t bytes) const {
  const std::uint64_t mask = device->caps.copy_alignment - 1;
  return (bytes + mask) & ~mask;
}

// `room` bytes behind the slice are nobody's.
bool StreamState::is_copyable(const backend::Slice& slice, std::uint64_t room) const {
  return rounded(slice.offset) == slice.offset && rounded(slice.size) <= slice.size + room;
}

std::uint64_t StreamState::room_behind(const BufferState& buffer, const backend::Slice& slice) {
  const bool last = slice.offset + slice.size == buffer.block.offset + buffer.bytes;
  return last ? buffer.block.size - buffer.bytes : 0;
}

// What is staged, rounded up, goes to a part of a buffer.
Result<void> StreamState::deliver_locked(Lock& lock, const core::Staged& staged, const BufferState& buffer,
                                         backend::Slice to) {
  if (!is_copyable(to, room_behind(buffer, to))) {
    COLLET_TRY(scratch, make_scratch(rounded(to.size)));
    COLLET_CHECK(deliver_locked(lock, staged, *scratch, slice_of_all(*scratch)));
    return copy_bytes_locked(*scratch, scratch->block.offset, buffer, to.offset, to.size);
  }
  to.size = rounded(to.size);
  batch_->keep_alive(staged.chunk.get());
  use_locked(buffer);
  if (device->caps.host_commands) {
    add_locked(backend::Write{.from = staged.host, .to = to}, {&to, 1});
    return {};
  }
  backend::Slice from = staged.slice;
  from.size = to.size;
  COLLET_CHECK(device->native->sync_host_range(from, true));
  const std::array slices{from, to};
  add_locked(backend::Copy{.from = from, .to = to}, slices);
  return {};
}

Result<Ref<BufferState>> StreamState::make_scratch(std::uint64_t bytes) {
  COLLET_TRY(block, device->pool.allocate(bytes, backend::Placement::device, "scratch"));
  return Ref(new BufferState(device, block, bytes, "scratch"));
}

backend::Slice StreamState::slice_of_all(const BufferState& buffer) {
  return {buffer.block.memory, buffer.block.offset, buffer.bytes, backend::Access::write};
}

bool StreamState::is_ragged(const Range& range) const {
  const std::uint64_t mask = device->caps.copy_alignment - 1;
  if (mask == 0) [[likely]]
    return false;
  const std::uint64_t begin = range.first * range.element_size;
  const std::uint64_t end = begin + range.count * range.element_size;
  return (begin & mask) != 0 || ((end & mask) != 0 && end != range.buffer->bytes);
}

Result<void> StreamState::prepare_byte_copies() {
  if (device->caps.copy_alignment == 1 || copies_bytes_.load(std::memory_order_relaxed) || !is_open())
    return {};
  COLLET_CHECK(device->compiled_checked(core::byte_copy_kernel()));
  copies_bytes_.store(true, std::memory_order_relaxed);
  return {};
}

void StreamState::download(const Range& from, void* host, std::uint64_t size) {
  add_transfer(
      [&]([[maybe_unused]] Lock& lock) -> Result<void> {
        COLLET_TRY(slice, slice_of(from, backend::Access::read));
        if (size != slice.size)
          return size_mismatch("The host memory", size, slice.size, from.buffer->name());
        if (size == 0) return {};
        if (host == nullptr) return null_pointer(size, from.buffer->name());
        count_copy_locked(size);
        auto* bytes = static_cast<std::byte*>(host);
        if (device->caps.host_commands && is_copyable(slice, 0)) {
          use_locked(*from.buffer);
          batch_->borrows = true;
          add_locked(backend::Read{.from = slice, .to = bytes}, {&slice, 1});
        } else if (from.buffer->block.host != nullptr) {
          direct_reads_.push_back({Ref<const BufferState>(from.buffer), slice, bytes});
        } else {
          COLLET_CHECK(read_staged_locked(*from.buffer, slice, bytes));
        }
        return {};
      },
      "downloading from", *from.buffer, false);
}

// Through memory that holds all the words that the part touches.
Result<void> StreamState::read_staged_locked(const BufferState& buffer, const backend::Slice& from,
                                             std::byte* host) {
  backend::Slice words = from;
  words.offset &= ~std::uint64_t{device->caps.copy_alignment - 1};
  const std::uint64_t before = from.offset - words.offset;
  words.size = rounded(before + from.size);
  COLLET_TRY(staged, readback_.allocate(words.size));
  batch_->keep_alive(staged.chunk.get());
  batch_->borrows = true;
  use_locked(buffer);
  core::HostRead read{.from = {}, .mapped = staged.host + before, .to = host, .size = from.size};
  if (device->caps.host_commands) {
    add_locked(backend::Read{.from = words, .to = staged.host}, {&words, 1});
  } else {
    staged.slice.access = backend::Access::write;
    const std::array slices{words, staged.slice};
    add_locked(backend::Copy{.from = words, .to = staged.slice}, slices);
    read.from = staged.slice;
  }
  batch_->reads.push_back(read);
  return {};
}

// Something is about to write what a download has yet to read: copy it aside first.
void StreamState::settle_reads_locked(std::span<const backend::Slice> written) {
  for (const backend::Slice& slice : written) {
    if (slice.access == backend::Access::read) continue;
    for (const DirectRead& read : direct_reads_) {
      if (core::overlapping(read.from, slice)) {
        return settle_all_reads_locked();
      }
    }
  }
}

void StreamState::settle_all_reads_locked() {
  const std::vector<DirectRead> reads = std::move(direct_reads_);
  direct_reads_.clear();
  for (const DirectRead& read : reads) {
    if (auto added = read_staged_locked(*read.buffer, read.from, read.to); !added) {
      fail_locked(added.error().during("downloading from " + read.buffer->name()));
    }
  }
}

void StreamState::finish_direct_reads_locked() {
  for (const DirectRead& read : direct_reads_) {
    if (auto visible = device->native->sync_host_range(read.from, false); !visible) {
      fail_locked(visible.error().during("downloading from " + read.buffer->name()));
      break;
    }
    const memory::Block& block = read.buffer->block;
    std::memcpy(read.to, block.host + (read.from.offset - block.offset), read.from.size);
  }
  direct_reads_.clear();
}

void StreamState::copy(const Range& from, const Range& to) {
  add_transfer(
      [&]([[maybe_unused]] Lock& lock) -> Result<void> {
        COLLET_TRY(source, slice_of(from, backend::Access::read));
        COLLET_TRY(target, slice_of(to, backend::Access::write));
        if (source.size != target.size) {
          return size_mismatch("The part of " + from.buffer->name(), source.size, target.size,
                               to.buffer->name());
        }
        if (source.size == 0) return {};
        if (core::overlapping(source, target)) {
          return Error(ErrorCode::invalid_argument, Category::memory,
                       "Source (elements " + std::to_string(from.first) + "-" +
                           std::to_string(from.first + from.count) + ") and target (elements " +
                           std::to_string(to.first) + "-" + std::to_string(to.first + to.count) +
                           ") of a copy inside " + from.buffer->name() + " overlap.");
        }
        count_copy_locked(source.size);
        const std::uint64_t room =
            std::min(room_behind(*from.buffer, source), room_behind(*to.buffer, target));
        if (!is_copyable(source, room) || !is_copyable(target, room)) {
          return copy_bytes_locked(*from.buffer, source.offset, *to.buffer, target.offset, target.size);
        }
        source.size = target.size = rounded(target.size);
        use_locked(*from.buffer);
        use_locked(*to.buffer);
        const std::array slices{source, target};
        add_locked(backend::Copy{.from = source, .to = target}, slices);
        return {};
      },
      "copying to", *to.buffer, is_ragged(from) || is_ragged(to));
}

void StreamState::fill(const Range& to, const void* value) {
  add_transfer(
      [&]([[maybe_unused]] Lock& lock) -> Result<void> {
        COLLET_TRY(slice, slice_of(to, backend::Access::write));
        if (slice.size == 0) return {};
        count_copy_locked(slice.size);
        const auto* bytes = static_cast<const std::byte*>(value);
        const std::optional<std::uint32_t> word = repeating_word(bytes, to.element_size);
        // The memory behind a buffer is rounded up, so a fill up to its end may be too.
        if (slice.offset + slice.size == to.buffer->block.offset + to.buffer->bytes) {
          slice.size = (slice.size + 3) & ~std::uint64_t{3};
        }
        if (!word || slice.offset % 4 != 0 || slice.size % 4 != 0) {
          slice.size = to.count * to.element_size;
          return fill_pattern_locked(lock, *to.buffer, slice, bytes, to.element_size);
        }
        use_locked(*to.buffer);
        add_locked(backend::Fill{.to = slice, .pattern = *word}, {&slice, 1});
        return {};
      },
      "filling", *to.buffer, is_ragged(to));
}

// A pattern that no 32-bit word repeats: written out once in staging memory and copied as often as needed.
Result<void> StreamState::fill_pattern_locked(Lock& lock, const BufferState& buffer, const backend::Slice& to,
                                              const std::byte* value, std::uint32_t size) {
  constexpr std::uint64_t kPattern = 256 << 10;
  // Pieces end where a copy may.
  const std::uint64_t repeats = rounded(std::max<std::uint64_t>(1, std::min(to.size, kPattern) / size));
  COLLET_TRY(staged, upload_.allocate(rounded(repeats * size)));
  for (std::uint64_t i = 0; i < repeats; ++i) std::memcpy(staged.host + i * size, value, size);

  for (std::uint64_t at = 0; at < to.size && open_locked(); at += repeats * size) {
    if (batch_->commands.size() >= device->caps.gather) submit_locked();
    const std::uint64_t piece = std::min(repeats * size, to.size - at);
    const backend::Slice target{to.memory, to.offset + at, piece, backend::Access::write};
    COLLET_CHECK(deliver_locked(lock, staged, buffer, target));
  }
  return {};
}

}  // namespace collet::detail
