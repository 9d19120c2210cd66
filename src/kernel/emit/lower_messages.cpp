// Messages become stores to a hidden buffer. The code stands in branches that are rarely or never taken.

#include <algorithm>

#include "kernel/emit/hidden_buffer.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/emit/messages.hpp"

namespace collet::emit {
namespace {

using ir::Message;

// Threads: one at a time.
class Messages : public HiddenBuffer {
 public:
  explicit Messages(const Kernel& from) : HiddenBuffer(from, "messages") { to_.messages.clear(); }

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    switch (node.op) {
      case Op::pass: passed_.push_back(now_[node.arguments[0]]); return;
      case Op::print: write(node.low()); return;
      case Op::call:
        for (const Id value : passed_) make(Op::pass, ir::kNothing, {value});
        passed_.clear();
        break;
      default: break;
    }
    Rewriter::visit(id);
  }

  void write(std::uint32_t number) {
    std::vector<Id> record{word(number + 1)};
    for (std::uint64_t dimension = 0; dimension < 3; ++dimension)
      record.push_back(make(Op::global_id, ir::kU32, {}, dimension));
    for (const Id value : passed_) add_words(record, value);
    passed_.clear();
    if (from_.messages[number].kind == Message::Kind::print)
      line(record);
    else
      failure(record);
  }

  // A line takes its words only where there seems to be room, so that their number does not wrap around.
  void line(const std::vector<Id>& record) {
    const auto size = static_cast<std::uint32_t>(record.size());
    const std::uint32_t lines = first_line_word(from_.messages);
    const Id most = with(Op::sub, make(Op::length, ir::kU32, {}, hidden()), lines + size);
    const Id begin = variable(word(~0u));
    if_then(compare(Op::le, at(Op::atomic_load, ir::kU32, {word(kTakenWord)}), most),
            [&] { set(begin, add_to(kTakenWord, size)); });
    if_else(
        compare(Op::le, get(begin), most), [&] { store(record, with(Op::add, get(begin), lines)); },
        [&] { if_then(compare_with(Op::eq, add_to(kLostWord, 1), ~0u), [&] { add_to(kLostHighWord, 1); }); });
  }

  void failure(const std::vector<Id>& record) {
    const Id failed = at(Op::atomic_load, ir::kU32, {word(kFailedWord)});
    if_then(compare_with(Op::lt, failed, kMostFailures), [&] {
      if_then(compare_with(Op::eq, add_to(kFailedWord, 1), 0), [&] { store(record, word(kFailureWord)); });
    });
  }

  void add_words(std::vector<Id>& record, Id value) {
    const Scalar scalar = type(value).scalar;
    if (scalar == Scalar::boolean) {
      record.push_back(select(value, word(1), word(0)));
    } else if (ir::bits(scalar) == 32) {
      record.push_back(bitcast(value, Scalar::u32));
    } else {
      const Id bits = bitcast(value, Scalar::u64);
      record.push_back(convert(bits, Scalar::u32));
      record.push_back(convert(with(Op::shr, bits, 32), Scalar::u32));
    }
  }

  Id word(std::uint32_t value) { return constant(ir::kU32, value); }
  Id add_to(std::uint32_t which, std::uint32_t count) {
    return at(Op::atomic_add, ir::kU32, {word(which), word(count)});
  }
  void store(const std::vector<Id>& record, Id begin) {
    for (std::uint32_t i = 0; i < record.size(); ++i)
      at(Op::store, ir::kNothing, {i == 0 ? begin : with(Op::add, begin, i), record[i]});
  }

  std::vector<Id> passed_;  // to the next call or message
};

bool prints(const Kernel& body) {
  return std::ranges::any_of(body.nodes, [](const Node& node) { return node.op == Op::print; });
}

}  // namespace

std::uint32_t words_of(Scalar scalar) { return ir::bits(scalar) == 64 ? 2 : 1; }

std::uint32_t record_words(const Message& message) {
  std::uint32_t words = kRecordHead;
  for (const Scalar scalar : message.values) words += words_of(scalar);
  return words;
}

namespace {

std::uint32_t largest(const std::vector<Message>& messages, bool lines) {
  std::uint32_t words = 0;
  for (const Message& message : messages) {
    if ((message.kind == Message::Kind::print) == lines) words = std::max(words, record_words(message));
  }
  return words;
}

}  // namespace

std::uint32_t first_line_word(const std::vector<Message>& messages) {
  return kFailureWord + largest(messages, false);
}

std::uint32_t least_words(const std::vector<Message>& messages) {
  return first_line_word(messages) + largest(messages, true);
}

Result<Kernel> lower_messages(const Kernel& kernel) {
  COLLET_TRY(plain, lower_calls(kernel, ir::kMostNodes, [](const Kernel& body) { return !prints(body); }));
  return Messages(plain).run();
}

}  // namespace collet::emit
