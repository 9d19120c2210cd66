// Reads hidden buffers, and delivers what they hold.

#include "core/messages.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "base/log.hpp"
#include "core/thrown.hpp"
#include "kernel/emit/messages.hpp"
#include "kernel/emit/shadow.hpp"
#include "kernel/ir/message.hpp"

namespace collet::core {
namespace {

using Words = std::span<const std::uint32_t>;

struct Record {
  const ir::Message* message = nullptr;
  std::array<std::uint32_t, 3> item{};
  std::string text = {};
  std::uint32_t words = 0;
};

// What `words` begins with; nothing where that is no message of the kind.
std::optional<Record> record(const Messages& of, Words words, bool line) {
  if (words.empty() || words[0] == 0 || words[0] > of.all.size()) return std::nullopt;
  Record made{.message = &of.all[words[0] - 1]};
  made.words = emit::record_words(*made.message);
  if ((made.message->kind == ir::Message::Kind::print) != line || made.words > words.size())
    return std::nullopt;
  std::copy_n(words.begin() + 1, 3, made.item.begin());
  std::size_t at = emit::kRecordHead;
  std::vector<std::uint64_t> values;
  for (const ir::Scalar scalar : made.message->values) {
    std::uint64_t bits = words[at++];
    if (emit::words_of(scalar) == 2) bits |= std::uint64_t{words[at++]} << 32;
    values.push_back(bits);
  }
  made.text = ir::tell(*made.message, values);
  return made;
}

std::string place(const ir::Message& message) { return message.file + ":" + std::to_string(message.line); }

std::string listed(const std::array<std::uint32_t, 3>& item) {
  return "(" + std::to_string(item[0]) + ", " + std::to_string(item[1]) + ", " + std::to_string(item[2]) +
         ")";
}

// What an index is of: "[Buffer "x"] (buffer 1 of the kernel)", "shared memory".
std::string memory_name(const Messages& of, std::uint32_t memory, std::span<const std::string> bound) {
  if (memory < bound.size()) return bound[memory] + " (buffer " + std::to_string(memory) + " of the kernel)";
  if (memory >= of.memories.size()) return "memory";
  switch (of.memories[memory]) {
    case ir::Space::buffer: return "buffer " + std::to_string(memory) + " of the kernel";
    case ir::Space::workgroup: return "shared memory";
    case ir::Space::item: return "an array of the item";
    default: return "a table";
  }
}

Error index_failure(const Messages& of, const Record& first, Words words,
                    std::span<const std::string> bound) {
  const std::uint32_t index = words[emit::kFailureWord + emit::kRecordHead];
  std::string text = "An index of [Kernel \"" + of.kernel + "\"] is out of range at " +
                     place(*first.message) + ", in item " + listed(first.item) + ": " +
                     memory_name(of, first.message->memory, bound) + ", " + first.text;
  const auto negative = static_cast<std::int32_t>(index);
  if (negative < 0)
    text += " (" + std::to_string(index) + " is " + std::to_string(negative) + " as a signed number)";
  return Error(ErrorCode::kernel_failed, Category::kernel, Cause::index_out_of_range, text + ".");
}

// Where another one did what it did; nothing where nobody knows.
std::string other_place(const Messages& of, std::uint32_t number) {
  if (number >= of.places.size()) return "";
  return " at " + of.places[number].file + ":" + std::to_string(of.places[number].line);
}

std::array<std::uint32_t, 3> spread(std::uint32_t number, std::uint32_t width, std::uint32_t height) {
  width = std::max(width, 1u);
  height = std::max(height, 1u);
  return {number % width, number / width % height, number / width / height};
}

// Who left a mark in workgroup memory: an item of the group that `item` is of.
std::string other_item(const Messages& of, const std::array<std::uint32_t, 3>& item, std::uint32_t mark) {
  const std::uint32_t number = mark & emit::kManyItems;
  if (number == emit::kManyItems) return "other items";
  std::array<std::uint32_t, 3> at = spread(number, of.group[0], of.group[1]);
  for (std::size_t d = 0; d < at.size(); ++d) at[d] += item[d] - item[d] % of.group[d];
  return "item " + listed(at);
}

Error race_failure(const Messages& of, const Record& first, Words words, std::span<const std::string> bound) {
  const Words values = words.subspan(emit::kFailureWord + emit::kRecordHead + 1);
  const std::uint32_t mark = values[0], place_number = values[2];
  const auto touch = static_cast<emit::Touch>(values[1]);
  const bool buffer = first.message->values.size() > 4;
  std::string who = other_item(of, first.item, mark);
  if (buffer)
    who = mark == emit::kManyGroups ? "other groups"
                                    : "group " + listed(spread(mark - 1, values[3], values[4]));
  const std::string_view did = touch == emit::Touch::write    ? " wrote it"
                               : touch == emit::Touch::atomic ? " changed it by an atomic operation"
                                                              : " read it";
  return Error(ErrorCode::kernel_failed, Category::kernel, Cause::data_race,
               "A data race of [Kernel \"" + of.kernel + "\"] in " +
                   memory_name(of, first.message->memory, bound) + ": item " + listed(first.item) + " " +
                   first.text + " at " + place(*first.message) + ", and " + who + std::string(did) +
                   other_place(of, place_number) +
                   (buffer ? " in the same launch." : " with no barrier between."))
      .with_hint(buffer ? "Groups of a launch have no order. Let one group do it, use atomic operations, or "
                          "launch twice."
                        : "Put barrier() between the two, or use atomic operations for both.");
}

Error unwritten_failure(const Messages& of, const Record& first, std::span<const std::string> bound) {
  return Error(ErrorCode::kernel_failed, Category::kernel, Cause::uninitialised_read,
               "Item " + listed(first.item) + " of [Kernel \"" + of.kernel + "\"] " + first.text + " of " +
                   memory_name(of, first.message->memory, bound) + " at " + place(*first.message) +
                   ", which nobody has written so far.")
      .with_hint(
          "What shared memory and arrays hold at the beginning differs from device to device. In shared "
          "memory a barrier() may be missing.");
}

std::optional<Error> failure(const Messages& of, Words words, std::span<const std::string> bound) {
  const std::uint32_t count = words[emit::kFailedWord];
  if (count == 0) return std::nullopt;
  const auto first = record(of, words.subspan(emit::kFailureWord), false);
  using Kind = ir::Message::Kind;
  const Kind kind = first ? first->message->kind : Kind::assertion;
  if (kind == Kind::index) return index_failure(of, *first, words, bound);
  if (kind == Kind::race) return race_failure(of, *first, words, bound);
  if (kind == Kind::unwritten) return unwritten_failure(of, *first, bound);
  std::string text = "An assert_ of [Kernel \"" + of.kernel + "\"] failed";
  if (first) {
    text += " at " + place(*first->message) + ", in item " + listed(first->item) +
            (first->text.empty() ? "" : ": " + first->text);
  }
  text += ".";
  if (count > 1)
    text += " In this launch " + std::to_string(count) + (count >= emit::kMostFailures ? " or more" : "") +
            " failed.";
  return Error(ErrorCode::kernel_failed, Category::kernel, Cause::assertion_failed, std::move(text))
      .with_hint("What the launch wrote is not to be relied on: items go on behind a failed assert_.");
}

// By item; lines of one item stay in their order.
void sort_by_item(std::vector<PrintedLine>& lines) {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const auto& [x, y, z] = lines[i].item;
    return std::tuple(z, y, x, i);
  });
  std::vector<PrintedLine> sorted;
  sorted.reserve(lines.size());
  for (const std::size_t i : order) sorted.push_back(std::move(lines[i]));
  lines = std::move(sorted);
}

}  // namespace

Told tell(const Messages& messages, Words words, bool in_order, std::span<const std::string> bound) {
  Told told{.printed = {.kernel = messages.kernel}, .failure = std::nullopt};
  if (words.size() < emit::least_words(messages.all)) return told;
  told.failure = failure(messages, words, bound);
  told.printed.lost = std::uint64_t{words[emit::kLostHighWord]} << 32 | words[emit::kLostWord];
  const Words lines = words.subspan(emit::first_line_word(messages.all));
  // A line that had no room took the words behind the last one all the same.
  Words rest = lines.subspan(0, std::min<std::size_t>(words[emit::kTakenWord], lines.size()));
  while (auto found = record(messages, rest, true)) {
    told.printed.lines.push_back({.item = found->item,
                                  .text = std::move(found->text),
                                  .file = found->message->file,
                                  .line = found->message->line});
    rest = rest.subspan(found->words);
  }
  if (in_order) sort_by_item(told.printed.lines);
  return told;
}

void deliver(const Printed& printed, const OpenOptions& options) {
  if (options.print) {
    try {
      options.print(printed);
    } catch (...) {
      base::log(LogLevel::error, "print", "OpenOptions::print " + thrown());
    }
    return;
  }
  for (const PrintedLine& line : printed.lines) base::log(LogLevel::warn, "print", line.text);
  if (printed.lost != 0) {
    base::log(LogLevel::warn, "print",
              std::to_string(printed.lost) + " lines of [Kernel \"" + printed.kernel +
                  "\"] had no room; OpenOptions::print_bytes is " + std::to_string(options.print_bytes) +
                  ".");
  }
}

}  // namespace collet::core
