// Compiling and launching portable kernels on a device. All have one signature, which is written down here
// once.

#include "fuzz/target.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include "core/emission.hpp"
#include "core/kernel_state.hpp"
#include "fuzz/generator.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"

namespace collet::fuzz {
namespace {

struct Element32 {
  std::array<std::uint32_t, 8> words;
};
struct Element8 {
  std::array<std::uint32_t, 2> words;
};
struct Constants {
  std::array<std::uint32_t, 4> words;
};

using Portable = Kernel<In<Element32>, In<float>, InOut<Element32>, In<std::uint8_t>, InOut<std::int16_t>,
                        InOut<Element8>, InOut<std::uint32_t>, InOut<std::int32_t>, Value<std::uint32_t>,
                        Value<std::int32_t>, Value<float>, Value<Constants>>;

template <class... Args>
std::vector<detail::Declared> declared_by(const Kernel<Args...>*) {
  static constexpr auto kDeclared = detail::declare<Args...>();
  return {kDeclared.begin(), kDeclared.end()};
}
std::vector<detail::Declared> signature() { return declared_by(static_cast<const Portable*>(nullptr)); }

detail::Shape shape_of(const ir::Kernel& kernel) {
  detail::Shape shape;
  shape.group = {kernel.group};
  return shape;
}

Portable traced(const ir::Kernel& kernel) {
  auto code = std::make_shared<const detail::TracedCode>(kernel);
  return Portable(detail::Ref(new detail::KernelState(kernel.name, detail::Ref(new detail::ModuleState),
                                                      signature(), {}, shape_of(kernel), std::move(code))));
}

// A kernel of emitted code, with what the launch fills in behind its own constants.
Portable emitted(const ir::Kernel& kernel, const emit::Emitted& code, const Module& module) {
  std::vector<detail::Declared> declared = signature();
  std::uint32_t end = declared.back().parameter.offset + declared.back().parameter.size;
  const auto filled_in = [&](int what) {
    declared.push_back({.parameter = {.kind = backend::Parameter::Kind::constant,
                                      .element_size = 4,
                                      .offset = end,
                                      .size = 4},
                        .counted = what});
    end += 4;
  };
  for (const std::uint32_t dimension : code.counts) filled_in(static_cast<int>(dimension));
  // Behind the three dimensions, see CompiledKernel::kLength.
  for (const std::uint32_t buffer : code.lengths) filled_in(3 + static_cast<int>(buffer));
  detail::Shape shape = shape_of(kernel);
  if (code.applied.has(emit::Workaround::plain_build))
    shape.options.optimise = CompileOptions::Optimise::none;
  return Portable(detail::make_kernel(kernel.name, module.state(), std::move(declared), {}, shape));
}

// Bytes before and behind what a kernel is given, which nobody may change. Slices begin where every device
// lets them.
constexpr std::size_t kZone = 1024;
constexpr std::byte kUntouched{0xa7};

// A buffer of a launch between two zones.
template <class T>
class Zoned {
 public:
  static Result<Zoned> make(const Device& device, const Bytes& contents) {
    Zoned made;
    made.host_.assign(kZone + contents.size() + kZone, kUntouched);
    std::ranges::copy(contents, made.host_.begin() + kZone);
    COLLET_TRY(buffer, device.upload(made.elements()));
    made.buffer_ = std::move(buffer);
    return made;
  }

  View<T> slice() const { return buffer_->slice(kZone / sizeof(T), (host_.size() - 2 * kZone) / sizeof(T)); }
  void download(Stream& stream) { stream.download(*buffer_, elements()); }

  // The contents once they are downloaded.
  Result<void> take(Bytes& contents) const {
    const auto touched = [](std::byte byte) { return byte != kUntouched; };
    const std::span all(host_);
    if (std::ranges::any_of(all.first(kZone), touched) || std::ranges::any_of(all.last(kZone), touched))
      return Error(ErrorCode::internal, Category::kernel, Cause::other,
                   "A byte outside a slice has changed.");
    std::ranges::copy(all.subspan(kZone, contents.size()), contents.begin());
    return {};
  }

 private:
  std::span<T> elements() { return {reinterpret_cast<T*>(host_.data()), host_.size() / sizeof(T)}; }

  Bytes host_;
  std::optional<Buffer<T>> buffer_;
};

template <class T>
T constant(const Work& work, std::size_t at) {
  T value;
  std::memcpy(&value, work.constants.data() + at, sizeof value);
  return value;
}

// Code that stops at no element, having nothing to do with elements, takes whole groups.
Work whole_groups(const Work& work) {
  Work whole = work;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t size = work.kernel.group[d];
    whole.extent[d] = (work.extent[d] + size - 1) / size * size;
  }
  return whole;
}

Target::Outcome launch(const Device& device, const Portable& kernel, const Work& work) {
  std::vector<Bytes> after = work.buffers;
  COLLET_TRY(in, Zoned<Element32>::make(device, after[kIn]));
  COLLET_TRY(numbers, Zoned<float>::make(device, after[kNumbers]));
  COLLET_TRY(out, Zoned<Element32>::make(device, after[kOut]));
  COLLET_TRY(bytes, Zoned<std::uint8_t>::make(device, after[kBytes]));
  COLLET_TRY(shorts, Zoned<std::int16_t>::make(device, after[kShorts]));
  COLLET_TRY(pairs, Zoned<Element8>::make(device, after[kPairs]));
  COLLET_TRY(sums, Zoned<std::uint32_t>::make(device, after[kSums]));
  COLLET_TRY(marks, Zoned<std::int32_t>::make(device, after[kMarks]));
  Stream stream = device.stream();
  stream.launch(kernel, elements(work.extent[0], work.extent[1], work.extent[2]), in.slice(), numbers.slice(),
                out.slice(), bytes.slice(), shorts.slice(), pairs.slice(), sums.slice(), marks.slice(),
                constant<std::uint32_t>(work, 0), constant<std::int32_t>(work, 4), constant<float>(work, 8),
                constant<Constants>(work, 12));
  const auto all = [&](const auto& call) -> Result<void> {
    COLLET_CHECK(call(in, kIn));
    COLLET_CHECK(call(numbers, kNumbers));
    COLLET_CHECK(call(out, kOut));
    COLLET_CHECK(call(bytes, kBytes));
    COLLET_CHECK(call(shorts, kShorts));
    COLLET_CHECK(call(pairs, kPairs));
    COLLET_CHECK(call(sums, kSums));
    return call(marks, kMarks);
  };
  COLLET_CHECK(all([&](auto& buffer, PortableBuffer) -> Result<void> {
    buffer.download(stream);
    return {};
  }));
  COLLET_CHECK(stream.wait(Deadline::in(std::chrono::seconds(60))));
  COLLET_CHECK(all([&](const auto& buffer, PortableBuffer which) { return buffer.take(after[which]); }));
  return after;
}

Target::Outcome run_emitted(const Device& device, const Work& work, const emit::Emitted& code,
                            const Module& module) {
  return launch(device, emitted(work.kernel, code, module), code.counts.empty() ? whole_groups(work) : work);
}

}  // namespace

std::function<void(const Printed&)> Heard::by(std::shared_ptr<Heard> heard) {
  return [heard = std::move(heard)](const Printed& printed) {
    for (const PrintedLine& line : printed.lines) {
      std::string text;
      for (const std::uint32_t at : line.item) text += std::to_string(at) + " ";
      heard->lines_.push_back(text + line.text + "\n");
    }
    heard->lost_ += printed.lost;
  };
}

Bytes Heard::take() {
  std::ranges::sort(lines_);
  std::string text;
  if (lost_ != 0) {
    text = std::to_string(lines_.size() + lost_) + " lines\n";
  } else {
    for (const std::string& line : lines_) text += line;
  }
  lines_.clear();
  lost_ = 0;
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

emit::Target Target::emission() const {
  emit::Target target = detail::target_of(device_.info());
  if (without_ != emit::Workaround::none) {
    // Checks of indices change the shape that the driver gets wrong; these kernels stay inside.
    target.checks_buffers = target.checks_groups = target.checks_items = false;
    target.folds_constants = without_ != emit::Workaround::always;
    target.workarounds.remove(without_);
  }
  return target;
}

std::string Target::name() const {
  return device_.info().id() + " " + device_.name() + how_ +
         (format_ ? " by " + std::string(to_string(*format_)) : std::string());
}

std::vector<Target::Outcome> Target::run(std::span<const Work> works) {
  std::vector<Outcome> outcomes;
  for (std::size_t at = 0; at < works.size(); at += together_) {
    const auto part = works.subspan(at, std::min(together_, works.size() - at));
    for (Outcome& one : part.size() == 1 ? run_programs(part) : run_together(part)) {
      outcomes.push_back(std::move(one));
    }
  }
  return outcomes;
}

// Messages are the library's doing, so that it compiles the kernel, whatever the format is.
Target::Outcome Target::run_talking(const Work& work) {
  if (heard_ == nullptr)
    return Error(ErrorCode::unsupported, Category::kernel, Cause::other, "Nobody would hear what it prints.");
  auto outcome = launch(device_, traced(work.kernel), work);
  Bytes lines = heard_->take();
  if (outcome) outcome->push_back(std::move(lines));
  return outcome;
}

// Each kernel is a program.
std::vector<Target::Outcome> Target::run_programs(std::span<const Work> works) {
  std::vector<Outcome> outcomes;
  for (const Work& work : works) {
    if (!work.kernel.messages.empty()) {
      outcomes.push_back(run_talking(work));
      continue;
    }
    if (!format_) {
      outcomes.push_back(launch(device_, traced(work.kernel), work));
      continue;
    }
    const auto code = emit::emit(*format_, emit::guard(work.kernel), emission());
    if (!code) {
      outcomes.push_back(code.error());
      continue;
    }
    Module module;
    module.add(*format_, code->bytes);
    outcomes.push_back(run_emitted(device_, work, *code, module));
  }
  return outcomes;
}

// One program of all: drivers take most of their time for each.
std::vector<Target::Outcome> Target::run_together(std::span<const Work> works) {
  std::vector<Result<emit::Emitted>> codes;
  std::string text;
  for (const Work& work : works) {
    if (!work.kernel.messages.empty()) {
      codes.push_back(Error(ErrorCode::unsupported, Category::kernel, Cause::other, "It runs alone."));
      continue;
    }
    codes.push_back(emit::emit(*format_, emit::guard(work.kernel), emission()));
    if (codes.back()) text += codes.back()->bytes;
  }
  Module module;
  module.add(*format_, text);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (!works[i].kernel.messages.empty()) {
      outcomes.push_back(run_talking(works[i]));
      continue;
    }
    if (!codes[i]) {
      outcomes.push_back(codes[i].error());
      continue;
    }
    Outcome outcome = run_emitted(device_, works[i], *codes[i], module);
    // Whose fault it is shows only alone.
    if (!outcome) outcome = std::move(run_programs(works.subspan(i, 1)).front());
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace collet::fuzz
