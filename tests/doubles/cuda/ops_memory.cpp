// Loads, stores, moves, and conversions of addresses.

#include <chrono>
#include <cstring>

#include "abi.hpp"
#include "fault.hpp"
#include "lane_loops.hpp"
#include "spaces.hpp"

namespace collet::cuda_double {

Space take_space(Decoder& decoder) {
  switch (decoder.take_one_of({"global", "const", "shared", "shared::cta", "local", "param"})) {
    case 0:
    case 1: return Space::global;
    case 2:
    case 3: return Space::shared;
    case 4: return Space::local;
    case 5: return Space::parameter;
    default: return Space::generic;
  }
}

void take_hints(Decoder& decoder) {
  while (decoder.take_one_of({"nc",
                              "volatile",
                              "weak",
                              "relaxed",
                              "acquire",
                              "release",
                              "acq_rel",
                              "cta",
                              "gpu",
                              "sys",
                              "ca",
                              "cg",
                              "cs",
                              "lu",
                              "cv",
                              "wb",
                              "wt",
                              "L1::evict_normal",
                              "L1::evict_unchanged",
                              "L1::evict_first",
                              "L1::evict_last",
                              "L1::no_allocate",
                              "L2::64B",
                              "L2::128B",
                              "L2::256B"}) >= 0) {
  }
}

u8* local_bytes(Warp& warp, unsigned lane, u64 address, u32 size) {
  u8* bytes = warp.local(lane, address, size);
  if (bytes == nullptr) throw Fault{kErrorIllegalAddress, "Access outside of a thread's local memory."};
  if (address % size != 0) throw Fault{kErrorMisalignedAddress, "Access of local memory is not aligned."};
  return bytes;
}

u8* generic_bytes(Warp& warp, unsigned lane, u64 address, u32 size) {
  const u64 window = address & ~kWindowMask;
  if (window == kSharedWindow) return warp.block().shared(address & kWindowMask, size);
  if (window == kLocalWindow) return local_bytes(warp, lane, address & kWindowMask, size);
  return warp.block().global(address, size);
}

u8* parameter_bytes(Warp& warp, unsigned lane, u64 address, u32 size) {
  const Function& function = *warp.frame().function;
  if (address > function.parameter_space || size > function.parameter_space - address) {
    throw Fault{kErrorIllegalAddress, "Access outside of a function's parameters."};
  }
  // A kernel's parameters are the same for all threads.
  if (function.is_kernel && address < function.parameter_bytes) {
    return const_cast<u8*>(warp.block().grid().arguments.data()) + address;
  }
  return warp.parameters(lane) + address;
}

namespace {

template <class Unsigned, Space kSpace>
Unsigned load_element(const u8* bytes) {
  Unsigned value = 0;
  if constexpr (kSpace == Space::local || kSpace == Space::parameter) {
    std::memcpy(&value, bytes, sizeof value);
  } else {
    value = __atomic_load_n(reinterpret_cast<const Unsigned*>(bytes), __ATOMIC_ACQUIRE);
  }
  return value;
}

template <class Unsigned, Space kSpace>
void store_element(u8* bytes, Unsigned value) {
  if constexpr (kSpace == Space::local || kSpace == Space::parameter) {
    std::memcpy(bytes, &value, sizeof value);
  } else {
    __atomic_store_n(reinterpret_cast<Unsigned*>(bytes), value, __ATOMIC_RELEASE);
  }
}

template <class T, Space kSpace>
void load(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const auto offset = static_cast<u64>(instruction.offset);
  const u32 count = instruction.count;
  for_lanes(lanes, [&](unsigned lane) {
    const u8* bytes = bytes_at<kSpace>(warp, lane, a[lane] + offset, count * static_cast<u32>(sizeof(T)));
    for (u32 i = 0; i < count; ++i) {
      const auto value = load_element<std::make_unsigned_t<T>, kSpace>(bytes + i * sizeof(T));
      warp.write(instruction.vector[i])[lane] = to_register(static_cast<T>(value));
    }
  });
}

template <class T, Space kSpace>
void store(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* d = warp.read(instruction.d);
  const auto offset = static_cast<u64>(instruction.offset);
  const u32 count = instruction.count;
  for_lanes(lanes, [&](unsigned lane) {
    u8* bytes = bytes_at<kSpace>(warp, lane, d[lane] + offset, count * static_cast<u32>(sizeof(T)));
    for (u32 i = 0; i < count; ++i) {
      store_element<T, kSpace>(bytes + i * sizeof(T), static_cast<T>(warp.read(instruction.vector[i])[lane]));
    }
  });
}

u8 take_count(Decoder& decoder) {
  const int vector = decoder.take_one_of({"v2", "v4"});
  return vector < 0 ? 1 : vector == 0 ? 2 : 4;
}

void check_list(Decoder& decoder, const OperandText& text, u8 count) {
  if (text.kind != OperandText::Kind::list || text.parts.size() != count) {
    decoder.refuse("has a vector of another length.");
  }
}

void ld(Decoder& decoder) {
  const Space space = take_space(decoder);
  take_hints(decoder);
  const Type type = decoder.take_type();
  Instruction& made = decoder.instruction;
  made.count = take_count(decoder);
  decoder.expect(2);
  const OperandText& results = decoder.operand(0);
  if (made.count == 1) {
    made.vector[0] = decoder.output(0);
  } else {
    check_list(decoder, results, made.count);
    for (u8 i = 0; i < made.count; ++i) made.vector[i] = decoder.write(results.parts[i]);
  }
  made.a = decoder.address(1);
  made.handler = for_space(space, [type]<Space kSpace>() -> Handler {
    switch (type) {
      case Type::b8:
      case Type::u8: return load<u8, kSpace>;
      case Type::s8: return load<s8, kSpace>;
      case Type::s16: return load<s16, kSpace>;
      case Type::s32: return load<s32, kSpace>;
      case Type::pred:
      case Type::none: return nullptr;
      default: break;
    }
    switch (size_of(type)) {
      case 2: return load<u16, kSpace>;
      case 4: return load<u32, kSpace>;
      default: return load<u64, kSpace>;
    }
  });
}

void st(Decoder& decoder) {
  const Space space = take_space(decoder);
  take_hints(decoder);
  const Type type = decoder.take_type();
  Instruction& made = decoder.instruction;
  made.count = take_count(decoder);
  decoder.expect(2);
  made.d = decoder.address(0);
  const OperandText& values = decoder.operand(1);
  if (made.count == 1) {
    made.vector[0] = decoder.input(1, type);
  } else {
    check_list(decoder, values, made.count);
    for (u8 i = 0; i < made.count; ++i) made.vector[i] = decoder.read(values.parts[i], type);
  }
  made.handler = for_space(space, [type]<Space kSpace>() -> Handler {
    if (type == Type::pred) return nullptr;
    switch (size_of(type)) {
      case 1: return store<u8, kSpace>;
      case 2: return store<u16, kSpace>;
      case 4: return store<u32, kSpace>;
      default: return store<u64, kSpace>;
    }
  });
}

template <class T>
void move(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = static_cast<T>(a[lane]); });
}

void move_predicate(Warp& warp, const Instruction& instruction, Lanes lanes) {
  warp.set_predicate(instruction.d, lanes,
                     warp.predicate(instruction.p) ^ (instruction.predicate_negated ? kAllLanes : 0));
}

// `size` bytes of each element, the first one lowest.
void pack(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const unsigned bits = 8U * instruction.size;
  for_lanes(lanes, [&](unsigned lane) {
    u64 value = 0;
    for (u8 i = 0; i < instruction.count; ++i) {
      const u64 part = warp.read(instruction.vector[i])[lane] & ((u64{1} << bits) - 1);
      value |= part << bits * i;
    }
    warp.write(instruction.d)[lane] = value;
  });
}

void unpack(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const unsigned bits = 8U * instruction.size;
  for_lanes(lanes, [&](unsigned lane) {
    const u64 value = warp.read(instruction.a)[lane];
    for (u8 i = 0; i < instruction.count; ++i) {
      warp.write(instruction.vector[i])[lane] = value >> bits * i & ((u64{1} << bits) - 1);
    }
  });
}

// Nanoseconds stand for clock cycles.
void read_clock(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const auto now = static_cast<u64>(std::chrono::steady_clock::now().time_since_epoch().count());
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = now; });
}

u8 take_vector(Decoder& decoder, Type type, const OperandText& list) {
  const std::size_t count = list.parts.size();
  const std::size_t size = count == 2 || count == 4 ? size_of(type) / count : 0;
  if (size == 0) decoder.refuse("has a vector of a length that is not known.");
  decoder.instruction.size = static_cast<u8>(size);
  return static_cast<u8>(count);
}

void mov(Decoder& decoder) {
  const Type type = decoder.take_type();
  decoder.expect(2);
  Instruction& made = decoder.instruction;
  const OperandText &to = decoder.operand(0), &from = decoder.operand(1);
  if (type == Type::pred) {
    made.handler = move_predicate;
    made.d = decoder.predicate_output(0);
    decoder.predicate_input(1);
  } else if (to.kind == OperandText::Kind::list) {
    made.handler = unpack;
    made.count = take_vector(decoder, type, to);
    for (u8 i = 0; i < made.count; ++i) made.vector[i] = decoder.write(to.parts[i]);
    made.a = decoder.input(1, type);
  } else if (from.kind == OperandText::Kind::list) {
    made.handler = pack;
    made.count = take_vector(decoder, type, from);
    for (u8 i = 0; i < made.count; ++i) made.vector[i] = decoder.read(from.parts[i], type);
    made.d = decoder.output(0);
  } else {
    made.d = decoder.output(0);
    if (from.word == "%clock" || from.word == "%clock64" || from.word == "%globaltimer") {
      made.handler = read_clock;
      return;
    }
    made.a = decoder.input(1, type);
    switch (size_of(type)) {
      case 2: made.handler = move<u16>; break;
      case 4: made.handler = move<u32>; break;
      case 8: made.handler = move<u64>; break;
      default: break;
    }
  }
}

void add_constant(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  u64* d = warp.write(instruction.d);
  const auto added = static_cast<u64>(instruction.offset);
  for_lanes(lanes, [=](unsigned lane) { d[lane] = a[lane] + added; });
}

u64 window_of(Decoder& decoder) {
  switch (take_space(decoder)) {
    case Space::global: return 0;
    case Space::shared: return kSharedWindow;
    case Space::local: return kLocalWindow;
    default: decoder.refuse("names a space that is not known.");
  }
}

void cvta(Decoder& decoder) {
  const bool is_back = decoder.take("to");
  const u64 window = window_of(decoder);
  if (decoder.take_type() != Type::u64) decoder.refuse("has no addresses of 64 bits.");
  decoder.expect(2);
  Instruction& made = decoder.instruction;
  made.handler = add_constant;
  made.offset = static_cast<s64>(is_back ? 0 - window : window);
  made.d = decoder.output(0);
  made.a = decoder.input(1, Type::u64);
}

void is_in_window(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const u64* a = warp.read(instruction.a);
  const auto window = static_cast<u64>(instruction.offset);
  Lanes yes = 0;
  for_lanes(lanes, [&](unsigned lane) { yes |= Lanes{(a[lane] & ~kWindowMask) == window} << lane; });
  warp.set_predicate(instruction.d, lanes, yes);
}

void isspacep(Decoder& decoder) {
  decoder.expect(2);
  Instruction& made = decoder.instruction;
  made.offset = static_cast<s64>(window_of(decoder));
  made.handler = is_in_window;
  made.d = decoder.predicate_output(0);
  made.a = decoder.input(1, Type::u64);
}

}  // namespace

void add_memory_rules(Rules& rules) {
  rules["ld"] = ld;
  rules["ldu"] = ld;
  rules["st"] = st;
  rules["mov"] = mov;
  rules["cvta"] = cvta;
  rules["isspacep"] = isspacep;
}

}  // namespace collet::cuda_double
