// What surrounds the code: parameters, what the launch adds to them, and values that a group shares.

#include <algorithm>
#include <array>

#include "kernel/emit/lower.hpp"

namespace collet::emit {
namespace {

// Threads: one at a time.
class Frame : public Rewriter {
 public:
  Frame(const Kernel& from, const Language& language) : Rewriter(from), language_(language) {
    std::array<bool, 3> counted{};
    std::vector<bool> measured(from.memories.size());
    for (const Node& node : from.nodes) {
      if (node.op == Op::element_count) counted[node.immediate] = true;
      if (node.op == Op::length) measured[node.low()] = true;
    }
    for (std::uint32_t dimension = 0; dimension < 3; ++dimension) {
      if (counted[dimension]) counts_.push_back(dimension);
    }
    for (std::uint32_t buffer = 0; buffer < measured.size(); ++buffer) {
      if (measured[buffer] && !knows_length(buffer)) lengths_.push_back(buffer);
    }
    for (const std::uint32_t dimension : counts_) add_parameter("count" + std::to_string(dimension));
    for (const std::uint32_t buffer : lengths_) add_parameter("length" + std::to_string(buffer));
    place_parameters();
  }

  Plain plain() {
    Plain made{.kernel = run(), .counts = counts_, .lengths = lengths_};
    return made;
  }

 private:
  // A buffer's bytes are rounded up to 4 when it is bound.
  bool knows_length(std::uint32_t buffer) const {
    return language_.length_query && original_stride(buffer) % 4 == 0;
  }
  std::uint32_t original_stride(std::uint32_t buffer) const { return from_.memories[buffer].stride; }

  void add_parameter(std::string name) {
    to_.parameters.push_back({.name = std::move(name), .type = ir::kU32, .size = 4, .alignment = 4});
    to_.buffer_argument.push_back(false);
  }

  // Every parameter gets the scalar that it is read in, or all of them one block of words.
  void place_parameters() {
    detail::ConstantPlaces block;
    for (Parameter& parameter : to_.parameters) {
      const std::uint32_t offset = block.place(parameter.size, parameter.alignment);
      offsets_.push_back(language_.constant_block ? offset : 0);
      if (parameter.type.scalar != Scalar::none && parameter.type.width == 1) continue;
      parameter.type = {parameter.alignment == 1   ? Scalar::u8
                        : parameter.alignment == 2 ? Scalar::u16
                                                   : Scalar::u32};
    }
    if (!language_.constant_block || to_.parameters.empty()) return;
    to_.parameters = {
        {.name = "constants", .type = ir::kU32, .size = (block.end() + 3) / 4 * 4, .alignment = 4}};
    std::erase(to_.buffer_argument, false);
    to_.buffer_argument.push_back(false);
  }

  Id rewrite(const Node& node) override {
    switch (node.op) {
      case Op::parameter: return read(node.low(), node.high(), node.type.scalar);
      case Op::element_count: return extra(counts_, node.low(), 0);
      case Op::length:
        if (knows_length(node.low())) return append(node);
        return extra(lengths_, node.low(), counts_.size());
      case Op::uniform: return share(node.arguments[0]);
      default: return append(node);
    }
  }

  Id extra(const std::vector<std::uint32_t>& list, std::uint32_t which, std::size_t before) {
    const auto position = static_cast<std::size_t>(std::ranges::lower_bound(list, which) - list.begin());
    const std::size_t parameter = from_.parameters.size() + before + position;
    return read(static_cast<std::uint32_t>(parameter), 0, Scalar::u32);
  }

  Id read(std::uint32_t parameter, std::uint32_t offset, Scalar scalar) {
    const std::uint32_t holder = language_.constant_block ? 0 : parameter;
    const Scalar unit = to_.parameters[holder].type.scalar;
    const auto element = [&](std::uint32_t byte) {
      return make(Op::parameter, {unit}, {}, ir::pack(holder, byte));
    };
    const std::uint32_t step = ir::bits(unit) / 8;
    const std::uint32_t size = ir::bits(scalar) / 8;
    const std::uint32_t begin = offsets_[parameter] + offset;
    if (size == step) return bitcast(element(begin), scalar);
    // Small integers are not computed in any more.
    const auto widened = [&](std::uint32_t byte) {
      const Id bits = bitcast(element(byte), ir::unsigned_of(unit));
      return ir::bits(unit) < 32 ? convert(bits, Scalar::u32) : bits;
    };
    const Scalar whole = ir::bits(scalar) < 32 ? Scalar::u32 : ir::unsigned_of(scalar);
    Id value = kNone;
    if (size < step) {
      value = with(Op::shr, widened(begin / step * step), begin % step * 8);
    } else {
      value = convert(widened(begin), whole);
      for (std::uint32_t at = step; at < size; at += step)
        value = binary(Op::bit_or, value, with(Op::shl, convert(widened(begin + at), whole), at * 8));
    }
    return bitcast(convert(value, ir::unsigned_of(scalar)), scalar);
  }

  // The value of the group's first item. Barriers are where all items come by, and so is uniform().
  Id share(Id value) {
    const bool boolean = type(value).scalar == Scalar::boolean;
    const Id kept = boolean ? select(value, constant(ir::kU32, 1), constant(ir::kU32, 0)) : value;
    const Scalar scalar = type(kept).scalar;
    const Scalar held = ir::bits(scalar) < 32 ? Scalar::u32 : scalar;
    const Id word = held == scalar ? kept : convert(bitcast(kept, ir::unsigned_of(scalar)), held);
    const auto memory = static_cast<std::uint32_t>(to_.memories.size());
    to_.memories.push_back({.space = Space::workgroup,
                            .name = "shared" + std::to_string(memory),
                            .element = {held},
                            .stride = ir::bits(held) / 8,
                            .count = 1,
                            .broadcasts = true});
    const Id zero = constant(ir::kU32, 0);
    Id any = make(Op::local_id, ir::kU32, {}, 0);
    for (std::uint64_t dimension = 1; dimension < 3; ++dimension)
      any = binary(Op::bit_or, any, make(Op::local_id, ir::kU32, {}, dimension));
    make(Op::barrier, ir::kNothing, {});  // nobody still reads the last one
    if_then(compare(Op::eq, any, zero), [&] { make(Op::store, ir::kNothing, {zero, word}, memory); });
    make(Op::barrier, ir::kNothing, {});
    const Id found = make(Op::load, {held}, {zero}, memory);
    if (boolean) return compare(Op::ne, found, zero);
    return held == scalar ? found : bitcast(convert(found, ir::unsigned_of(scalar)), scalar);
  }

  const Language& language_;
  std::vector<std::uint32_t> counts_, lengths_;  // ascending
  std::vector<std::uint32_t> offsets_;           // of parameters, in the block
};

}  // namespace

Plain lower_frame(const Kernel& kernel, const Language& language) { return Frame(kernel, language).plain(); }

}  // namespace collet::emit
