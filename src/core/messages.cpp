// Reads hidden buffers, and delivers what they hold.

#include "core/messages.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "base/log.hpp"
#include "core/thrown.hpp"
#include "kernel/emit/messages.hpp"
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

std::optional<Error> failure(const Messages& of, Words words, std::span<const std::string> bound) {
  const std::uint32_t count = words[emit::kFailedWord];
  if (count == 0) return std::nullopt;
  const auto first = record(of, words.subspan(emit::kFailureWord), false);
  if (first && first->message->kind == ir::Message::Kind::index)
    return index_failure(of, *first, words, bound);
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
