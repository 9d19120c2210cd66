// Loads and stores over lanes. An index beyond its memory loads 0 and stores nothing; what lies in a row is
// checked once, by its ends.

#include <cstring>

#include "backends/cpu/interpreter/handlers.hpp"
#include "backends/cpu/interpreter/loops.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T>
void write(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

// The memory that an instruction reaches.
struct Place {
  Place(const Frame& frame, const Instruction& i)
      : data(frame.views[i.memory].data + i.offset), count(frame.views[i.memory].count), stride(i.stride) {}

  std::byte* at(std::uint64_t index) const { return data + index * stride; }

  template <class T>
  T load(std::uint32_t index) const {
    return index < count ? read<T>(at(index)) : T{0};
  }
  template <class T>
  void store(std::uint32_t index, T value) const {
    if (index < count) write(at(index), value);
  }
  // Whether index, index + step, ... are all inside, `n` of them, without going round.
  bool holds(std::uint32_t index, std::uint32_t step, std::uint32_t n) const {
    const std::int64_t last = std::int64_t{index} + std::int64_t{static_cast<std::int32_t>(step)} * (n - 1);
    return index < count && static_cast<std::uint64_t>(last) < count;  // a negative one is not
  }

  std::byte* data;
  std::uint64_t count;
  std::uint64_t stride;
};

// memcpy() without the call for the short rows of groups in two dimensions.
template <class T>
COLLET_INLINE void copy_row(void* to, const void* from, std::uint32_t n) {
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  for (; n >= kBlock; n -= kBlock, out += kBlock * sizeof(T), in += kBlock * sizeof(T)) {
    std::memcpy(out, in, kBlock * sizeof(T));
  }
  std::memcpy(out, in, n * sizeof(T));
}

template <class T>
COLLET_INLINE void fill_row(T* to, T value, std::uint32_t n) {
  for (; n >= kBlock; n -= kBlock, to += kBlock) {
    for (std::uint32_t l = 0; l < kBlock; ++l) to[l] = value;
  }
  for (std::uint32_t l = 0; l < n; ++l) to[l] = value;
}

// Calls body(first lane, index, step) for every row of a linear index.
template <class Body>
COLLET_INLINE void for_rows(const Frame& frame, const Instruction& i, const Body& body) {
  const auto sx = uniform<std::uint32_t>(frame, i.strides[0]);
  const auto base = uniform<std::uint32_t>(frame, i.a) + sx * frame.first_x;
  if (frame.rows == 1 && frame.first_row == 0) return body(0, base, sx);
  const auto sy = uniform<std::uint32_t>(frame, i.strides[1]);
  const auto sz = uniform<std::uint32_t>(frame, i.strides[2]);
  std::uint32_t y = frame.first_row % frame.height;
  std::uint32_t z = frame.first_row / frame.height;
  for (std::uint32_t row = 0; row < frame.rows; ++row) {
    body(row * frame.run, base + sy * y + sz * z, sx);
    if (++y == frame.height) {
      y = 0;
      ++z;
    }
  }
}

template <class T>
void load_uniform(Frame& frame, const Instruction& i) {
  set_uniform(frame, i.to, Place(frame, i).load<T>(uniform<std::uint32_t>(frame, i.a)));
}

template <class T>
struct LoadLinear {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    const Place place(frame, i);
    T* all = lanes<T>(frame, i.to);
    const bool masked = i.careful && !frame.full(i.mask);
    const std::uint8_t* mask = frame.mask(i.mask);
    for_rows(frame, i, [&](std::uint32_t first, std::uint32_t index, std::uint32_t step) {
      T* to = all + first;
      const std::uint32_t n = frame.run;
      if (masked) {
        for (std::uint32_t l = 0; l < n; ++l) {
          to[l] = mask[first + l] != 0 ? place.load<T>(index + l * step) : T{0};
        }
      } else if (step == 0) {
        fill_row(to, place.load<T>(index), n);
      } else if (!place.holds(index, step, n)) {
        for (std::uint32_t l = 0; l < n; ++l) to[l] = place.load<T>(index + l * step);
      } else if (step == 1 && place.stride == sizeof(T)) {
        copy_row<T>(to, place.at(index), n);
      } else {
        const std::byte* from = place.at(index);
        const std::int64_t bytes =
            std::int64_t{static_cast<std::int32_t>(step)} * static_cast<std::int64_t>(place.stride);
        for (std::uint32_t l = 0; l < n; ++l) to[l] = read<T>(from + bytes * l);
      }
    });
  }
};

// Whether the lanes' indices follow one another.
COLLET_INLINE bool in_sequence(const std::uint32_t* index, std::uint32_t count) {
  const std::uint32_t first = index[0];
  if (index[count - 1] != first + (count - 1) || index[count / 2] != first + count / 2) return false;
  std::uint32_t wrong = 0;
  for (std::uint32_t l = 0; l < count; ++l) wrong |= index[l] ^ (first + l);
  return wrong == 0;
}

template <class T>
struct LoadLanes {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    const Place place(frame, i);
    T* to = lanes<T>(frame, i.to);
    const std::uint32_t* index = lanes<const std::uint32_t>(frame, i.a);
    const std::uint32_t n = frame.count;
    if (!frame.full(i.mask)) {
      const std::uint8_t* mask = frame.mask(i.mask);
      for (std::uint32_t l = 0; l < n; ++l) to[l] = mask[l] != 0 ? place.load<T>(index[l]) : T{0};
      return;
    }
    const bool packed = place.stride == sizeof(T);
    if (packed && in_sequence(index, n) && place.holds(index[0], 1, n)) {
      std::memcpy(to, place.at(index[0]), n * sizeof(T));
      return;
    }
    std::uint32_t most = 0;
    for (std::uint32_t l = 0; l < n; ++l) most = index[l] > most ? index[l] : most;
    if (most >= place.count) {
      for (std::uint32_t l = 0; l < n; ++l) to[l] = place.load<T>(index[l]);
    } else if (packed) {
      const T* from = reinterpret_cast<const T*>(place.data);
      COLLET_LANES
      for (std::uint32_t l = 0; l < n; ++l) to[l] = from[index[l]];
    } else {
      for (std::uint32_t l = 0; l < n; ++l) to[l] = read<T>(place.at(index[l]));
    }
  }
};

// Of all lanes that store to one place, the last one's value stays.
template <class T>
void store_uniform(Frame& frame, const Instruction& i) {
  const T* value = lanes<const T>(frame, i.b);
  std::uint32_t last = 0;
  if (step_of(i, Instruction::kB) != 0) {
    last = frame.count - 1;
    if (!frame.full(i.mask)) {
      const std::uint8_t* mask = frame.mask(i.mask);
      while (last != 0 && mask[last] == 0) --last;
    }
  }
  Place(frame, i).store(uniform<std::uint32_t>(frame, i.a), value[last]);
}

template <class T>
void store_linear(Frame& frame, const Instruction& i) {
  const Place place(frame, i);
  const T* value = lanes<const T>(frame, i.b);
  const std::size_t each = step_of(i, Instruction::kB);
  const bool masked = !frame.full(i.mask);
  const std::uint8_t* mask = frame.mask(i.mask);
  for_rows(frame, i, [&](std::uint32_t first, std::uint32_t index, std::uint32_t step) {
    const T* from = value + first * each;
    const std::uint32_t n = frame.run;
    if (masked) {
      for (std::uint32_t l = 0; l < n; ++l) {
        if (mask[first + l] != 0) place.store(index + l * step, from[l * each]);
      }
    } else if (!place.holds(index, step, n)) {
      for (std::uint32_t l = 0; l < n; ++l) place.store(index + l * step, from[l * each]);
    } else if (step == 1 && each == 1 && place.stride == sizeof(T)) {
      copy_row<T>(place.at(index), from, n);
    } else {
      std::byte* to = place.at(index);
      const std::int64_t bytes =
          std::int64_t{static_cast<std::int32_t>(step)} * static_cast<std::int64_t>(place.stride);
      for (std::uint32_t l = 0; l < n; ++l) write(to + bytes * l, from[l * each]);
    }
  });
}

template <class T>
void store_lanes(Frame& frame, const Instruction& i) {
  const Place place(frame, i);
  const std::uint32_t* index = lanes<const std::uint32_t>(frame, i.a);
  const T* value = lanes<const T>(frame, i.b);
  const std::size_t each = step_of(i, Instruction::kB);
  const std::uint32_t n = frame.count;
  if (!frame.full(i.mask)) {
    const std::uint8_t* mask = frame.mask(i.mask);
    for (std::uint32_t l = 0; l < n; ++l) {
      if (mask[l] != 0) place.store(index[l], value[l * each]);
    }
  } else if (each == 1 && place.stride == sizeof(T) && in_sequence(index, n) && place.holds(index[0], 1, n)) {
    std::memcpy(place.at(index[0]), value, n * sizeof(T));
  } else {
    for (std::uint32_t l = 0; l < n; ++l) place.store(index[l], value[l * each]);
  }
}

// Private arrays: every lane has its own bytes, so lanes that are masked off may load.
template <class T>
void load_item(Frame& frame, const Instruction& i) {
  Place place(frame, i);
  T* to = lanes<T>(frame, i.to);
  const std::uint32_t* index = lanes<const std::uint32_t>(frame, i.a);
  const std::size_t each = step_of(i, Instruction::kA);
  for (std::uint32_t l = 0; l < frame.count; ++l, place.data += frame.item_bytes) {
    to[l] = place.load<T>(index[l * each]);
  }
}

template <class T>
void store_item(Frame& frame, const Instruction& i) {
  Place place(frame, i);
  const std::uint32_t* index = lanes<const std::uint32_t>(frame, i.a);
  const T* value = lanes<const T>(frame, i.b);
  const std::uint8_t* mask = frame.mask(i.mask);
  const std::size_t each = step_of(i, Instruction::kA);
  const std::size_t each_value = step_of(i, Instruction::kB);
  for (std::uint32_t l = 0; l < frame.count; ++l, place.data += frame.item_bytes) {
    if (mask[l] != 0) place.store(index[l * each], value[l * each_value]);
  }
}

template <class T>
Handler sized_load(Reach reach, bool item, Isa isa) {
  if (item) return load_item<T>;
  switch (reach) {
    case Reach::uniform: return load_uniform<T>;
    case Reach::linear: return Compiled<LoadLinear<T>>::pick(isa);
    case Reach::lanes: return Compiled<LoadLanes<T>>::pick(isa);
  }
  return nullptr;
}

template <class T>
Handler sized_store(Reach reach, bool item) {
  if (item) return store_item<T>;
  switch (reach) {
    case Reach::uniform: return store_uniform<T>;
    case Reach::linear: return store_linear<T>;
    case Reach::lanes: return store_lanes<T>;
  }
  return nullptr;
}

}  // namespace

Handler find_load(std::uint32_t bytes, Reach reach, bool item, Isa isa) {
  switch (bytes) {
    case 1: return sized_load<std::uint8_t>(reach, item, isa);
    case 2: return sized_load<std::uint16_t>(reach, item, isa);
    case 4: return sized_load<std::uint32_t>(reach, item, isa);
    case 8: return sized_load<std::uint64_t>(reach, item, isa);
    default: return nullptr;
  }
}

Handler find_store(std::uint32_t bytes, Reach reach, bool item) {
  switch (bytes) {
    case 1: return sized_store<std::uint8_t>(reach, item);
    case 2: return sized_store<std::uint16_t>(reach, item);
    case 4: return sized_store<std::uint32_t>(reach, item);
    case 8: return sized_store<std::uint64_t>(reach, item);
    default: return nullptr;
  }
}

}  // namespace collet::backend::cpu::interpreter
