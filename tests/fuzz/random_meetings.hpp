// What the items of a group do together: exchanges, sums, subgroups.
#pragma once

#include "fuzz/random_values.hpp"

namespace collet::fuzz {

// Threads: one at a time.
class RandomMeetings : public RandomValues {
 protected:
  using RandomValues::RandomValues;
  ~RandomMeetings() = default;

  Id local_place() {
    Id made = kNone;
    for (int d = 2; d >= 0; --d) {
      const Id id = op(Op::local_id, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id size = op(Op::group_size, ir::kU32, {}, static_cast<std::uint64_t>(d));
      made = made == kNone ? id : op(Op::add, ir::kU32, {op(Op::mul, ir::kU32, {made, size}), id});
    }
    return made;
  }
  void barrier() { op(Op::barrier, ir::kNothing, {}); }
  void fence() { op(Op::fence, ir::kNothing, {}, below(2)); }

  // Items of this group that exist; a ragged kernel has one dimension.
  Id existing() {
    const Id size = op(Op::group_size, ir::kU32, {}, 0);
    if (!ragged_) return u32(count(tile_));
    const Id all = op(Op::element_count, ir::kU32, {}, 0);
    const Id first = op(Op::mul, ir::kU32, {op(Op::group_id, ir::kU32, {}, 0), size});
    return op(Op::min, ir::kU32, {size, op(Op::sub, ir::kU32, {all, first})});
  }

  // The place in the group of an item that exists.
  Id existing_place() {
    Id made = kNone;
    for (int d = 2; d >= 0; --d) {
      const auto dimension = static_cast<std::uint64_t>(d);
      const Id size = op(Op::group_size, ir::kU32, {}, dimension);
      const Id first = op(Op::mul, ir::kU32, {op(Op::group_id, ir::kU32, {}, dimension), size});
      const Id rest = op(Op::sub, ir::kU32, {op(Op::element_count, ir::kU32, {}, dimension), first});
      const Id id = op(Op::rem, ir::kU32, {pick(ir::kU32), op(Op::min, ir::kU32, {size, rest})});
      made = made == kNone ? id : op(Op::add, ir::kU32, {op(Op::mul, ir::kU32, {made, size}), id});
    }
    return made;
  }

  // Everyone leaves a value and takes others'.
  void exchange() {
    const Type t = kernel_.memories[tile_].element;
    const Id mine = local_place();
    const Id value = pick(t);
    if (wide_ && ir::is_integer(t.scalar) && (ir::bits(t.scalar) == 32 || long_atomics_) &&
        ir::bits(t.scalar) >= 32 && chance(40)) {
      op(Op::atomic_store, ir::kNothing, {mine, value}, tile_);
    } else {
      store_to(tile_, mine, value);
    }
    barrier();
    if (wide_) {
      for (std::uint32_t left = 1 + below(3); left != 0; --left) op(Op::load, t, {existing_place()}, tile_);
      return barrier();
    }
    const Id size = existing();
    for (std::uint32_t left = 1 + below(3); left != 0; --left) {
      op(Op::load, t, {op(Op::rem, ir::kU32, {pick(ir::kU32), size})}, tile_);
    }
    barrier();
  }

  // Everyone counts together.
  void tally() {
    // In a ragged group, only the first item is sure to exist.
    const Id mine = op(Op::rem, ir::kU32, {local_place(), u32(count(counts_))});
    const Id first = op(Op::lt, ir::kBool, {local_place(), ragged_ ? u32(1) : u32(count(counts_))});
    const Id value = u32(below(100));
    only_if(first, [&] {
      if (!ragged_) return store_to(counts_, mine, value);
      for (std::uint32_t i = 0; i < count(counts_); ++i) store_to(counts_, u32(i), value);
    });
    barrier();
    op(atomics_[0], ir::kU32, {small(count(counts_)), pick(ir::kU32)}, counts_);
    visible_.pop_back();
    barrier();
    op(Op::load, ir::kU32, {small(count(counts_))}, counts_);
    barrier();
  }

  // ---- Subgroups, whose size differs by device: what shows is what every size gives.

  void subgroup() {
    switch (below(ragged_ ? 5 : 7)) {
      case 0: return subgroup_scan();
      case 1: return subgroup_vote();
      case 2: return subgroup_lanes();
      case 3: return subgroup_of_equals();
      case 4: return subgroup_ids();
      default: return subgroup_total();
    }
  }

  // What is true for every size.
  template <class Body>
  void show(const Body& body) {
    const Id slot = out_slot();
    const Id truth = hidden(body);
    store_to(kOut, slot, op(Op::convert, ir::kU32, {truth}));
  }
  Id lane() { return op(Op::subgroup_lane, ir::kU32, {}); }

  // What a lane adds is its sum less that of the lane before.
  void subgroup_scan() {
    const Type t{type_where(ir::is_integer).scalar, 1};
    const Id value = pick(t);
    show([&] {
      const Id sum = op(Op::subgroup_scan_add, t, {value});
      const Id mine = lane();
      const Id first = op(Op::eq, ir::kBool, {mine, u32(0)});
      const Id other = op(Op::select, ir::kU32, {first, mine, op(Op::sub, ir::kU32, {mine, u32(1)})});
      const Id before = op(Op::subgroup_shuffle, t, {sum, other});
      const Id begin = op(Op::select, t, {first, constant(t.scalar, 0), before});
      return op(Op::eq, ir::kBool, {op(Op::sub, t, {sum, begin}), value});
    });
  }

  void subgroup_vote() {
    const Id truth = pick(ir::kBool);
    const bool any = chance(50);
    show([&] {
      const Id vote = op(any ? Op::subgroup_any : Op::subgroup_all, ir::kBool, {truth});
      const Id number = op(Op::convert, ir::kU32, {truth});
      const Id most = op(any ? Op::subgroup_max : Op::subgroup_min, ir::kU32, {number});
      return op(Op::eq, ir::kBool, {vote, op(Op::eq, ir::kBool, {most, u32(1)})});
    });
  }

  // Values go to the next lane and back, and the first lane's to all.
  void subgroup_lanes() {
    const Type t{type_where(ir::is_number).scalar, static_cast<std::uint8_t>(1 + below(3))};
    const Id value = pick(t);
    show([&] {
      const Id mine = lane();
      const Id last = op(Op::subgroup_max, ir::kU32, {mine});
      const Id at_end = op(Op::eq, ir::kBool, {mine, last});
      const Id at_begin = op(Op::eq, ir::kBool, {mine, u32(0)});
      const Id next = op(Op::select, ir::kU32, {at_end, u32(0), op(Op::add, ir::kU32, {mine, u32(1)})});
      const Id previous = op(Op::select, ir::kU32, {at_begin, last, op(Op::sub, ir::kU32, {mine, u32(1)})});
      const Id there = op(Op::subgroup_shuffle, t, {value, next});
      const Id back = op(Op::eq, ir::mask_of(t), {op(Op::subgroup_shuffle, t, {there, previous}), value});
      const Id first = op(Op::subgroup_broadcast_first, t, {value});
      const Id same = op(Op::eq, ir::mask_of(t), {first, op(Op::subgroup_shuffle, t, {value, u32(0)})});
      const Id both = op(Op::bit_and, ir::mask_of(t), {back, same});
      return t.width == 1 ? both : op(Op::all, ir::kBool, {both});
    });
  }

  void subgroup_of_equals() {
    static constexpr std::array<Op, 5> kOps{Op::subgroup_min, Op::subgroup_max, Op::subgroup_and,
                                            Op::subgroup_or, Op::subgroup_broadcast_first};
    op(one_of(kOps), ir::kU32, {common()});
  }

  void subgroup_ids() {
    show([&] {
      const Id inside = op(Op::lt, ir::kBool, {lane(), op(Op::subgroup_size, ir::kU32, {})});
      const Id known = op(Op::lt, ir::kBool, {op(Op::subgroup_id, ir::kU32, {}), u32(count(tile_))});
      return op(Op::subgroup_all, ir::kBool, {op(Op::bit_and, ir::kBool, {inside, known})});
    });
  }

  // One lane of each adds up for all.
  void subgroup_total() {
    static constexpr std::array<Op, 6> kParts{Op::subgroup_add, Op::subgroup_add, Op::subgroup_min,
                                              Op::subgroup_max, Op::subgroup_and, Op::subgroup_or};
    const auto at = static_cast<std::size_t>(std::ranges::find(kAtomics, atomics_[0]) - kAtomics.begin());
    if (at >= kParts.size()) return subgroup_vote();  // subgroups have no xor
    const Id index = op(Op::rem, ir::kU32, {common(), u32(kCellCount)});
    const Id value = pick(ir::kU32);
    hidden([&] {
      const Id part = op(kParts[at], ir::kU32, {value});
      only_if(op(Op::eq, ir::kBool, {lane(), u32(0)}),
              [&] { op(atomics_[0], ir::kU32, {index, part}, kSums); });
      return part;
    });
  }

  // The same for the whole group, and known to be.
  Id common() {
    switch (below(5)) {
      case 0: return op(Op::group_id, ir::kU32, {}, below(3));
      case 1: return op(Op::group_count, ir::kU32, {}, below(3));
      case 2: return op(Op::parameter, ir::kU32, {}, 0);
      case 3: return op(Op::uniform, ir::kU32, {pick(ir::kU32)});
      default: return u32(below(4));
    }
  }
};

}  // namespace collet::fuzz
