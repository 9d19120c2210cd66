// The state of emit(): frame and loops over groups in emitter.cpp, regions in emit_regions.cpp, values in
// emit_values.cpp, memory in emit_memory.cpp, control flow in emit_flow.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/cpu/native/layout.hpp"
#include "backends/cpu/native/writer.hpp"
#include "kernel/ir/intervals.hpp"

namespace collet::backend::cpu::native {

// A value in one vector of lanes.
struct Lanes {
  enum class Form : std::uint8_t {
    scalar,  // the same in all lanes
    line,    // `name` in the first lane, and `step` more in each that follows; 32 bits
    vector,
  };
  Form form = Form::scalar;
  std::string name;
  std::string step{};

  friend bool operator==(const Lanes&, const Lanes&) = default;
};

// One for each part, or one for all of them. Of a variable: where it is kept.
using Value = std::vector<Lanes>;

// Of each part: "" where all lanes run, kNoLanes where none does, else a vector of booleans.
using Mask = std::vector<std::string>;
inline constexpr std::string_view kNoLanes = "zeroinitializer";

// Functions that several kernels' accesses call, and what the module declares; each once.
struct Module {
  std::map<std::string, std::string> functions;  // by name, the whole definition
  std::set<std::string> declared;
};

// Threads: one at a time; run() once.
class Emitter {
 public:
  // `partial`: for groups of which items may not exist, and none meet.
  Emitter(const ir::Kernel& kernel, const Shapes& shapes, const Layout& layout, bool partial, Module& module);

  // The definitions of the function and of its entry.
  std::string run();

 private:
  using Id = ir::Id;
  using Node = ir::Node;

  struct Loop {
    bool divergent = false;
    std::vector<std::string> live{};  // stack slots for the masks of the lanes that go on
    std::vector<std::string> turn{};  // and of those that are not through with this turn
    std::string end{};                // labels
    std::string next{};
  };

  // emitter.cpp
  void group_loop();
  void places_of(const std::string& turn);
  void root_mask();
  void group_body();
  bool rows_first() const;
  std::string row_in_reach(const std::string& groups);
  void items();
  // A loop that calls `body` with the number of the round, an i32, of at least one.
  template <class Body>
  void count_to(const std::string& count, const Body& body);
  // Calls `body` for every turn.
  template <class Body>
  void for_turns(const Body& body);
  // Calls `body`; all ways out of the turn come to what follows.
  template <class Body>
  void to_turn_end(const Body& body);
  void clear(const std::string& at, std::uint64_t bytes);
  std::string finished() const;
  std::string field(std::uint32_t offset, const char* type, std::uint32_t index = 0);

  // emit_regions.cpp
  void cut_body();
  void group_block(std::uint32_t index);
  void group_node(Id id);
  void between_items(Id id);
  void store_room(Id id, std::size_t part, const Lanes& lanes);
  std::string load_room(Id id, std::size_t part);
  void region(std::span<const Id> nodes);
  void open_rooms();
  void import_all(std::span<const Id> nodes);
  void import_arguments(const Node& node);
  void import(Id id);
  void leave();
  void keep(Id id);
  std::string kept_scalar(Id id);
  void import_variable(Id id);
  void put_back();
  std::string first_item(Id id);
  std::string room_address(std::uint64_t at, std::uint64_t bytes, std::size_t part);
  bool in_group(Id id) const { return layout_.regions && layout_.regions->home[id] == Regions::kGroup; }
  void control_block(Id id, std::uint32_t index) { in_group(id) ? group_block(index) : block(index); }

  // emit_subgroups.cpp
  std::string item_address(Writer& w, const char* base, const std::string& item, ir::Scalar scalar) const;
  std::string between_items_function(const Node& node);
  Value subgroup_place(ir::Op op);

  // emit_values.cpp
  void node(Id id);
  void value(Id id);
  Value builtin(const Node& node);
  Value local_id(std::uint32_t dimension) const;
  Value parameter(const Node& node);
  Lanes pure(const Node& node, const std::vector<Lanes>& arguments);
  std::optional<Lanes> line(const Node& node, const std::vector<Lanes>& arguments);
  std::optional<Lanes> known(const Node& node, const std::vector<Lanes>& arguments);
  std::string step(ir::Op op, const std::string& a, const std::string& b);
  std::string plus(const std::string& a, std::uint32_t more);
  void variable(Id id);
  void get(Id id);
  void set(Id id);
  std::string vector(const Lanes& lanes, ir::Scalar scalar);
  std::string splat(const std::string& value, ir::Scalar scalar);
  // The value of the last lane that runs; the mask is not empty.
  std::string last(const Lanes& lanes, ir::Scalar scalar, const std::string& mask);
  const Lanes& part(Id id, std::size_t part) const {
    const Value& value = values_[id];
    return value[value.size() == 1 ? 0 : part];
  }
  ir::Scalar scalar(Id id) const { return kernel_.nodes[id].type.scalar; }
  std::size_t parts() const { return layout_.parts; }

  // emit_memory.cpp
  struct Place {
    const ir::Memory* memory = nullptr;
    std::uint32_t number = 0;
    std::uint32_t offset = 0;
    ir::Scalar scalar = ir::Scalar::none;
    std::string base{};
    std::string count{};   // elements, an i64
    bool inside = false;   // no index needs a check
    bool reached = false;  // each row of it is inside
  };
  Place place(const Node& node, ir::Scalar scalar);
  std::string address(const Place& place, const std::string& index);
  std::string wide(const std::string& index) { return w_.define("zext i32 " + index + " to i64"); }
  bool in_row(const Place& place, const Lanes& index) const;
  // "true", or whether all lanes of all rows are inside.
  std::string rows_inside(const Place& place, const std::vector<std::string>& firsts);
  void load(Id id);
  Lanes load_scalar(const Place& place, const std::string& index);
  bool is_short_row(const Place& place, const Lanes& index, const std::string& mask) const;
  std::string load_short_row(const Place& place, const Lanes& index, std::uint32_t lanes);
  void store_short_row(const Place& place, const Lanes& index, const Lanes& value, std::uint32_t lanes);
  std::string count_without(const Place& at, std::int64_t few);
  std::uint64_t bytes_ahead(const Place& from);
  void prefetch(const std::string& address, std::uint64_t ahead);
  void load_rows(const Place& place, const Value& index, const std::vector<std::size_t>& rows, Value& made);
  void store(const Node& node);
  void store_scalar(const Place& place, const std::string& index, const Lanes& value,
                    const std::string& mask);
  void store_rows(const Place& place, const Node& node, const std::vector<std::size_t>& rows);
  void store_vector(const Place& place, const std::string& at, const std::string& value,
                    const std::string& mask);
  void load_item(Id id);
  void store_item(const Node& node);
  std::string gather(const Place& place, const Lanes& index, const std::string& mask);
  void scatter(const Place& place, const Lanes& index, const std::string& value, const std::string& mask);
  std::string item_address(const Place& place, const Lanes& index, std::string& ok);
  void atomic(Id id);

  // emit_functions.cpp
  std::pair<std::string, std::string> lane_addresses(Writer& w, const Place& at) const;
  std::string gather_function(const Place& place);
  std::string scatter_function(const Place& place);
  std::string gather_row_function(const Place& place);
  std::string scatter_row_function(const Place& place);
  static std::string atomic_lane(Writer& w, const Place& at, ir::Op op, const std::string& place,
                                 const std::string& a, const std::string& b);
  std::string atomic_function(const Place& place, ir::Op op, bool asked);

  // emit_flow.cpp
  void block(std::uint32_t index);
  void choose(Id id);
  std::string chosen_lanes(const Lanes& condition);
  void masked_block(std::uint32_t index, Mask mask);
  void loop(Id id);
  void range_begin(Id id, const std::string& body, const std::string& end);
  void range_next(Id id, const std::string& body, const std::string& end);
  void range_begin_lanes(Id id, const Loop& loop);
  void range_next_lanes(Id id, const Loop& loop);
  void jump(const Node& node);
  void rejoin(Id id);
  void drop(const std::vector<std::string>& rooms);
  std::vector<std::string> mask_rooms();
  Mask load_mask(const std::vector<std::string>& rooms);
  void store_mask(const std::vector<std::string>& rooms, const Mask& mask);
  std::string both(const std::string& a, const std::string& b);
  std::string both_hold(const std::string& a, const std::string& b);
  std::string any(const std::string& mask);
  std::string any(const Mask& mask);
  std::string all(const std::string& mask);
  std::string mask_vector(const std::string& mask) const;
  std::string inverted(const std::string& mask);

  const ir::Kernel& kernel_;
  const Shapes& shapes_;
  const Layout& layout_;
  const bool partial_;
  Module& module_;
  const std::vector<ir::Bounds> intervals_;
  const std::vector<bool> asked_;  // of each node: its value is used
  const bool returns_;             // items may return
  Writer w_;
  std::vector<Value> values_;
  std::map<Id, Value> rooms_;                     // where the counters of ranges are kept
  std::vector<std::vector<std::string>> arrays_;  // rooms of private arrays, for each part
  const std::vector<std::uint32_t> parameter_at_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> parameters_;  // by their bytes and type

  // Of the group and the turn that is emitted.
  std::array<std::string, 3> group_{};   // ids
  std::array<std::string, 3> exists_{};  // items along the axes, in partial groups
  std::vector<std::string> x_, y_, z_;   // of the first item of each part, along the axes
  std::string entry_;                    // loads that stand at the function's beginning
  // Of scalars: another one, and how much more than that it is.
  std::map<std::string, std::pair<std::string, std::uint32_t>> more_than_;

  Mask mask_;
  std::map<std::string, std::uint32_t>
      first_lanes_;                 // of masks that are known: how many lanes run, from the first on
  bool apart_ = false;              // inside a branch or loop whose lanes part
  std::vector<std::string> alive_;  // rooms for the masks of lanes that have not returned
  std::vector<Loop> loops_;
  std::set<Id> reached_;                // loads and stores of rows that are known to be inside
  std::set<std::uint32_t> prefetched_;  // buffers
  std::set<std::string> less_;          // names of counts that are less than a buffer's
  std::vector<std::string> block_ends_;
  std::string turn_end_;

  // Of the region that is emitted; where there is none, of the group.
  std::uint32_t region_ = Regions::kGroup;
  std::string turn_;                               // its number
  std::map<Id, std::string> kept_;                 // rooms of scalars that other regions need
  std::vector<std::pair<Id, Value>> overwritten_;  // by what was imported
  std::map<Id, Value> working_;                    // rooms of variables while a region uses them
  std::string group_end_;
  bool ended_ = false;  // a jump has ended the block; what follows in it is not reached
};

template <class Body>
void Emitter::count_to(const std::string& count, const Body& body) {
  const std::string room = w_.room("i32");
  const std::string top = w_.label();
  const std::string end = w_.label();
  w_.line({"store i32 0, ptr ", room});
  w_.jump(top);
  w_.begin(top);
  const std::string number = w_.define({"load i32, ptr ", room});
  body(number);
  const std::string next = w_.define({"add nuw i32 ", number, ", 1"});
  w_.line({"store i32 ", next, ", ptr ", room});
  w_.branch(w_.define({"icmp ult i32 ", next, ", ", count}), top, end);
  w_.begin(end);
}

template <class Body>
void Emitter::for_turns(const Body& body) {
  const auto take = [&](const std::string& turn) {
    turn_ = turn;
    places_of(turn);
    body();
  };
  if (layout_.turns == 1) return take("0");
  count_to(std::to_string(layout_.turns), take);
}

template <class Body>
void Emitter::to_turn_end(const Body& body) {
  turn_end_ = w_.label();
  body();
  w_.jump(turn_end_);
  w_.begin(turn_end_);
}

// A module that defines the function `kernel`, for whole groups or for partial ones. Needs a verified kernel
// without vectors, of which nothing is uncovered; where its items meet, partial groups run its guarded form
// as if they were whole.
std::string emit(const ir::Kernel& kernel, const Shapes& shapes, const Layout& layout, bool partial);

}  // namespace collet::backend::cpu::native
