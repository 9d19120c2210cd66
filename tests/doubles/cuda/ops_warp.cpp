// Functions of warps: what threads read of each other's registers.
//
// Each thread has a mask of its own, whose lanes take part as far as they have not ended. What a mask names
// and who is not there is waited for.

#include <algorithm>

#include "lane_loops.hpp"
#include "ptx_decoder.hpp"

namespace collet::cuda_double {
namespace {

enum class Shuffle : u8 { up, down, bfly, idx };

// Operands: a the value, b the distance or lane, c how a warp is divided, f the mask.
template <Shuffle kShuffle>
void shuffle(Warp& warp, const Instruction& instruction, Lanes arrived) {
  const Lanes lanes = warp.meet(arrived, instruction.f);
  if (lanes == 0) return;
  std::array<u64, kWarpSize> values{};
  std::copy_n(warp.read(instruction.a), kWarpSize, values.begin());
  const u64* b = warp.read(instruction.b);
  const u64* c = warp.read(instruction.c);
  u64* d = warp.write(instruction.d);
  Lanes in_range = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const int self = static_cast<int>(lane), by = static_cast<int>(b[lane] & 31);
    const int clamp = static_cast<int>(c[lane] & 31), segment = static_cast<int>(c[lane] >> 8 & 31);
    const int last = (self & segment) | (clamp & ~segment);
    int from = 0;
    bool is_in = false;
    switch (kShuffle) {
      case Shuffle::up:
        from = self - by;
        is_in = from >= last;
        break;
      case Shuffle::down:
        from = self + by;
        is_in = from <= last;
        break;
      case Shuffle::bfly:
        from = self ^ by;
        is_in = from <= last;
        break;
      case Shuffle::idx:
        from = (self & segment) | (by & ~segment);
        is_in = from <= last;
        break;
    }
    if (!is_in) from = self;
    in_range |= Lanes{is_in} << lane;
    d[lane] = static_cast<u32>(values[static_cast<std::size_t>(from)]);
  });
  warp.set_predicate(instruction.e, lanes, in_range);
}

void shfl(Decoder& decoder) {
  if (!decoder.take("sync")) decoder.refuse("is not .sync.");
  decoder.take("b32");
  Instruction& made = decoder.instruction;
  switch (decoder.take_one_of({"up", "down", "bfly", "idx"})) {
    case 0: made.handler = shuffle<Shuffle::up>; break;
    case 1: made.handler = shuffle<Shuffle::down>; break;
    case 2: made.handler = shuffle<Shuffle::bfly>; break;
    case 3: made.handler = shuffle<Shuffle::idx>; break;
    default: break;
  }
  decoder.expect(5);
  const OperandText& results = decoder.operand(0);
  if (results.kind == OperandText::Kind::pair) {
    made.e = decoder.write_predicate(results.parts[1]);
    made.d = decoder.write(results.parts[0]);
  } else {
    made.d = decoder.output(0);
  }
  made.a = decoder.input(1, Type::b32);
  made.b = decoder.input(2, Type::b32);
  made.c = decoder.input(3, Type::b32);
  made.f = decoder.input(4, Type::b32);
}

enum class Vote : u8 { all, any, uni, ballot };

template <Vote kVote>
void vote_lanes(Warp& warp, const Instruction& instruction, Lanes arrived) {
  const Lanes lanes = warp.meet(arrived, instruction.f);
  if (lanes == 0) return;
  const Lanes yes = warp.predicate(instruction.p) ^ (instruction.predicate_negated ? kAllLanes : 0);
  const u64* masks = warp.read(instruction.f);
  u64* d = kVote == Vote::ballot ? warp.write(instruction.d) : nullptr;
  Lanes results = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const Lanes of = static_cast<Lanes>(masks[lane]) & lanes;
    const Lanes ballot = yes & of;
    bool result = false;
    switch (kVote) {
      case Vote::all: result = ballot == of; break;
      case Vote::any: result = ballot != 0; break;
      case Vote::uni: result = ballot == of || ballot == 0; break;
      case Vote::ballot: d[lane] = ballot; break;
    }
    results |= Lanes{result} << lane;
  });
  if (kVote != Vote::ballot) warp.set_predicate(instruction.d, lanes, results);
}

void vote(Decoder& decoder) {
  if (!decoder.take("sync")) decoder.refuse("is not .sync.");
  const int what = decoder.take_one_of({"all", "any", "uni", "ballot"});
  if (what < 0) decoder.refuse("says not what it asks.");
  decoder.take(what == 3 ? "b32" : "pred");
  decoder.expect(3);
  Instruction& made = decoder.instruction;
  static constexpr Handler kHandlers[] = {vote_lanes<Vote::all>, vote_lanes<Vote::any>, vote_lanes<Vote::uni>,
                                          vote_lanes<Vote::ballot>};
  made.handler = kHandlers[what];
  made.d = what == 3 ? decoder.output(0) : decoder.predicate_output(0);
  decoder.predicate_input(1);
  made.f = decoder.input(2, Type::b32);
}

// Which lanes have the same value.
template <class T, bool kAll>
void match_lanes(Warp& warp, const Instruction& instruction, Lanes arrived) {
  const Lanes lanes = warp.meet(arrived, instruction.f);
  if (lanes == 0) return;
  std::array<u64, kWarpSize> values{};
  std::copy_n(warp.read(instruction.a), kWarpSize, values.begin());
  const u64* masks = warp.read(instruction.f);
  u64* d = warp.write(instruction.d);
  Lanes agreed = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const Lanes of = static_cast<Lanes>(masks[lane]) & lanes;
    Lanes same = 0;
    for_lanes(of, [&](unsigned other) {
      same |= Lanes{static_cast<T>(values[other]) == static_cast<T>(values[lane])} << other;
    });
    agreed |= Lanes{same == of} << lane;
    d[lane] = kAll && same != of ? 0 : same;
  });
  warp.set_predicate(instruction.e, lanes, agreed);
}

void match(Decoder& decoder) {
  const bool is_all = decoder.take("all");
  if (!is_all && !decoder.take("any")) decoder.refuse("says not what it matches.");
  if (!decoder.take("sync")) decoder.refuse("is not .sync.");
  const Type type = decoder.take_type();
  decoder.expect(3);
  Instruction& made = decoder.instruction;
  if (type == Type::b32) made.handler = is_all ? match_lanes<u32, true> : match_lanes<u32, false>;
  if (type == Type::b64) made.handler = is_all ? match_lanes<u64, true> : match_lanes<u64, false>;
  const OperandText& results = decoder.operand(0);
  if (results.kind == OperandText::Kind::pair) {
    if (!is_all) decoder.refuse("has two results.");
    made.e = decoder.write_predicate(results.parts[1]);
    made.d = decoder.write(results.parts[0]);
  } else {
    made.d = decoder.output(0);
  }
  made.a = decoder.input(1, type);
  made.f = decoder.input(2, Type::b32);
}

void active_lanes(Warp& warp, const Instruction& instruction, Lanes lanes) {
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = lanes; });
}
void activemask(Decoder& decoder) {
  decoder.take("b32");
  decoder.expect(1);
  decoder.instruction.handler = active_lanes;
  decoder.instruction.d = decoder.output(0);
}

enum class Reduction : u8 { add, min, max, and_, or_, xor_ };
template <class T, Reduction kReduction>
void reduce_lanes(Warp& warp, const Instruction& instruction, Lanes arrived) {
  const Lanes lanes = warp.meet(arrived, instruction.f);
  if (lanes == 0) return;
  std::array<u64, kWarpSize> values{};
  std::copy_n(warp.read(instruction.a), kWarpSize, values.begin());
  const u64* masks = warp.read(instruction.f);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [&](unsigned lane) {
    T result = from_register<T>(values[lane]);
    for_lanes(static_cast<Lanes>(masks[lane]) & lanes & ~(Lanes{1} << lane), [&](unsigned other) {
      const T value = from_register<T>(values[other]);
      switch (kReduction) {
        case Reduction::add:
          result = static_cast<T>(static_cast<u32>(result) + static_cast<u32>(value));
          break;
        case Reduction::min: result = std::min(result, value); break;
        case Reduction::max: result = std::max(result, value); break;
        case Reduction::and_: result = result & value; break;
        case Reduction::or_: result = result | value; break;
        case Reduction::xor_: result = result ^ value; break;
      }
    });
    d[lane] = to_register(result);
  });
}

void redux(Decoder& decoder) {
  if (!decoder.take("sync")) decoder.refuse("is not .sync.");
  const Type type = decoder.take_type();
  const int what = decoder.take_one_of({"add", "min", "max", "and", "or", "xor"});
  const bool on_bits = what > 2;
  const bool is_right = what >= 0 && (on_bits ? type == Type::b32 : type == Type::u32 || type == Type::s32);
  if (!is_right) decoder.refuse("is not known for this type.");
  static constexpr Handler kUnsigned[] = {
      reduce_lanes<u32, Reduction::add>, reduce_lanes<u32, Reduction::min>,
      reduce_lanes<u32, Reduction::max>, reduce_lanes<u32, Reduction::and_>,
      reduce_lanes<u32, Reduction::or_>, reduce_lanes<u32, Reduction::xor_>};
  static constexpr Handler kSigned[] = {reduce_lanes<s32, Reduction::add>, reduce_lanes<s32, Reduction::min>,
                                        reduce_lanes<s32, Reduction::max>};
  decoder.expect(3);
  Instruction& made = decoder.instruction;
  made.handler = type == Type::s32 ? kSigned[what] : kUnsigned[what];
  made.d = decoder.output(0);
  made.a = decoder.input(1, type);
  made.f = decoder.input(2, Type::b32);
}

}  // namespace

void add_warp_rules(Rules& rules) {
  rules["shfl"] = shfl;
  rules["vote"] = vote;
  rules["match"] = match;
  rules["activemask"] = activemask;
  rules["redux"] = redux;
}

}  // namespace collet::cuda_double
