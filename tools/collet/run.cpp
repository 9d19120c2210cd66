// collet run: a kernel on a device, with made-up arguments, compared with the CPU's answer.

#include <algorithm>
#include <chrono>
#include <collet/collet.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <span>

#include "base/checked.hpp"
#include "exit_code.hpp"
#include "kernels.hpp"
#include "labels.hpp"
#include "platform/platform.hpp"
#include "scalars.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

struct Asked {
  std::string kernel;
  std::vector<std::string> grid;    // elements by dimension
  std::uint64_t elements = 0;       // of each buffer; 0 for as many as the grid has
  std::vector<std::string> values;  // name=number
  bool checked = false;
};

Error misused(std::string message) {
  return {ErrorCode::invalid_argument, Category::runtime, std::move(message)};
}

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;  // of one buffer

// At most kMostBytes: a grid or a number typed by hand may multiply to anything.
Result<std::uint64_t> product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t all = 1;
  std::string text;
  bool is_small = true;
  for (const std::uint64_t factor : factors) {
    const auto next = base::checked_mul(all, factor);
    is_small = is_small && next && *next <= kMostBytes;
    all = is_small ? *next : 0;
    text += (text.empty() ? "" : " x ") + std::to_string(factor);
  }
  if (is_small) return all;
  return misused("Buffers of " + text + " are more than the 1 TiB that collet run makes.")
      .with_hint("Give a smaller --grid or --elements.");
}

// Small whole numbers, so that sums of floats are exact. Their size was checked.
Bytes made_up(const AnyParameter& parameter, std::uint64_t elements) {
  constexpr std::size_t kNumbers = 97;
  const auto type = ir::parse_type(parameter.type);
  Bytes numbers;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const auto one = type ? scalar_bytes(type->scalar, std::to_string(i)) : std::nullopt;
    const Bytes wide = one ? *one : Bytes(type ? ir::bytes({type->scalar, 1}) : 1, std::byte(i));
    numbers.insert(numbers.end(), wide.begin(), wide.end());
  }
  Bytes bytes(elements * parameter.size);
  for (std::size_t at = 0; at < bytes.size(); at += numbers.size()) {
    std::memcpy(bytes.data() + at, numbers.data(), std::min(numbers.size(), bytes.size() - at));
  }
  return bytes;
}

struct Ran {
  std::vector<Bytes> buffers;  // after the kernel
  double milliseconds = 0;
};

Result<Ran> run_on(const std::string& id, const AnyKernel& kernel, const Grid& grid,
                   const std::vector<Bytes>& arguments, bool checked) {
  OpenOptions options;
  options.checked = checked;
  COLLET_TRY(device, Device::open(id, options));
  const auto parameters = kernel.parameters();
  std::vector<Buffer<std::byte>> buffers;
  std::vector<AnyArgument> passed;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].buffer) {
      COLLET_TRY(buffer, device.upload(arguments[i], {.label = parameters[i].name}));
      buffers.push_back(std::move(buffer));
      passed.emplace_back(buffers.back());
    } else {
      passed.push_back(AnyArgument::value(std::span<const std::byte>(arguments[i])));
    }
  }
  Ran ran;
  Stream stream = device.stream();
  const auto begin = std::chrono::steady_clock::now();
  stream.launch(kernel, grid, passed);
  COLLET_CHECK(stream.wait());
  ran.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  for (const Buffer<std::byte>& buffer : buffers) {
    ran.buffers.emplace_back(buffer.size());
    stream.download(buffer, std::span(ran.buffers.back()));
  }
  COLLET_CHECK(stream.wait());
  return ran;
}

// "0 3 6 9 …": the first few.
std::string first_values(const AnyParameter& parameter, const Bytes& bytes) {
  constexpr std::size_t kMost = 8;
  const auto type = ir::parse_type(parameter.type);
  const ir::Scalar scalar = type ? type->scalar : ir::Scalar::u8;
  const std::size_t part = ir::bytes({scalar, 1});
  std::string text;
  for (std::size_t i = 0; i < kMost && (i + 1) * part <= bytes.size(); ++i)
    text += (i == 0 ? "" : " ") + scalar_text(scalar, bytes.data() + i * part);
  return text + (bytes.size() > kMost * part ? " …" : "");
}

// Bit for bit, but for NaNs: the language leaves their bits open, so any two are the same.
bool is_same(const AnyParameter& parameter, std::span<const std::byte> a, std::span<const std::byte> b) {
  if (std::ranges::equal(a, b)) return true;
  const auto type = ir::parse_type(parameter.type);
  if (!type || !ir::is_float(type->scalar)) return false;
  const std::size_t part = ir::bytes({type->scalar, 1});
  std::size_t at = 0;
  for (std::size_t i = 0; i < type->width && at + part <= a.size(); ++i, at += part) {
    const bool numbers = !is_nan(type->scalar, a.data() + at) || !is_nan(type->scalar, b.data() + at);
    if (numbers && !std::ranges::equal(a.subspan(at, part), b.subspan(at, part))) return false;
  }
  return std::ranges::equal(a.subspan(at), b.subspan(at));
}

std::size_t differing(const AnyParameter& parameter, const Bytes& a, const Bytes& b) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < a.size(); at += parameter.size) {
    const std::size_t size = std::min<std::size_t>(parameter.size, a.size() - at);
    count += is_same(parameter, std::span(a).subspan(at, size), std::span(b).subspan(at, size)) ? 0 : 1;
  }
  return count;
}

struct Report {
  const AnyKernel& kernel;
  const std::vector<std::string>& values;  // name=number
  const DeviceInfo& device;
  const Ran& ran;
  const Result<Ran>& reference;
};

// Nothing to compare with where the device is the CPU itself.
bool is_compared(const Report& report) {
  return report.device.backend != "cpu" && report.reference.has_value();
}

// Whether the device wrote anything that the CPU did not.
bool is_wrong(const Report& report) {
  if (!is_compared(report)) return false;
  std::size_t buffer = 0;
  for (const AnyParameter& parameter : report.kernel.parameters()) {
    if (!parameter.buffer) continue;
    if (parameter.written &&
        differing(parameter, report.ran.buffers[buffer], report.reference->buffers[buffer]) != 0)
      return true;
    ++buffer;
  }
  return false;
}

// "the same as on the CPU", or what differs.
std::string verdict(const Report& report, const AnyParameter& parameter, std::size_t buffer) {
  if (report.device.backend == "cpu") return "the CPU's own";
  if (!report.reference) return "not compared: " + report.reference.error().message();
  const Bytes& ours = report.ran.buffers[buffer];
  const std::size_t differ = differing(parameter, ours, report.reference->buffers[buffer]);
  if (differ == 0) return "the same as on the CPU";
  return std::to_string(differ) + " of " + std::to_string(ours.size() / parameter.size) +
         " elements differ from the CPU's";
}

std::string report_text(const Report& report, const Style& style) {
  Table facts({{}, {.title = "", .flexible = true}});
  facts.row({"kernel", report.kernel.name()});
  if (!report.values.empty()) facts.row({"values", joined(report.values)});
  facts.row({"device", report.device.id() + ", " + report.device.name});
  char time[32];
  std::snprintf(time, sizeof time, "%.3f ms", report.ran.milliseconds);
  facts.row({"time", std::string(time) + ", with the kernel's compilation"});
  Table table({{.title = "BUFFER"},
               {.title = "TYPE"},
               {.title = "FIRST VALUES", .flexible = true},
               {.title = "VERDICT", .flexible = true}});
  std::size_t buffer = 0;
  for (const AnyParameter& parameter : report.kernel.parameters()) {
    if (!parameter.buffer) continue;
    if (parameter.written) {
      table.row({parameter.name, parameter.type, first_values(parameter, report.ran.buffers[buffer]),
                 verdict(report, parameter, buffer)});
    }
    ++buffer;
  }
  return facts.render(style) + "\n" + table.render(style);
}

Json report_json(const Report& report) {
  Json json = answer();
  json["kernel"] = report.kernel.name();
  json["values"] = report.values;
  json["device"] = report.device.id();
  json["milliseconds"] = report.ran.milliseconds;
  json["compared"] = is_compared(report);
  json["buffers"] = Json::array();
  std::size_t buffer = 0;
  for (const AnyParameter& parameter : report.kernel.parameters()) {
    if (!parameter.buffer) continue;
    if (parameter.written) {
      const Bytes& ours = report.ran.buffers[buffer];
      Json one{{"name", parameter.name}, {"type", parameter.type}, {"first", first_values(parameter, ours)}};
      if (is_compared(report))
        one["differing"] = differing(parameter, ours, report.reference->buffers[buffer]);
      json["buffers"].push_back(std::move(one));
    }
    ++buffer;
  }
  return json;
}

Error given_twice(const std::string& name, const std::string& first, const std::string& second) {
  return misused("The value " + name + " is given twice (\"" + first + "\" and \"" + second + "\").")
      .with_hint("Give --set once for each value.");
}

// Every word of --set names a value of the kernel.
Result<void> check_values(const AnyKernel& kernel, const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const AnyParameter& parameter : kernel.parameters()) {
    if (!parameter.buffer) names.push_back(parameter.name);
  }
  std::map<std::string, std::string> seen;
  for (const std::string& word : given) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      return misused("\"" + word + "\" gives no value a number.").with_hint("Write --set NAME=NUMBER.");
    const std::string name = word.substr(0, equals);
    const auto [first, is_first] = seen.emplace(name, word);
    if (!is_first) return given_twice(name, first->second, word);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string of = "[Kernel \"" + kernel.name() + "\"]";
    return no_such("value", name, names)
        .with_hint(names.empty() ? of + " has no values."
                                 : "The values of " + of + " are: " + joined(names) + ".");
  }
  return {};
}

bool is_given(const std::string& name, const std::vector<std::string>& given) {
  return std::ranges::any_of(given, [&](const std::string& word) { return word.starts_with(name + "="); });
}

// With what a built-in kernel takes where nothing is given.
Asked with_defaults(Asked asked, const BuiltIn& kernel) {
  if (asked.grid.empty()) asked.grid = kernel.grid;
  std::size_t next = 0;
  for (const AnyParameter& parameter : kernel.kernel.parameters()) {
    if (parameter.buffer) continue;
    std::string value = kernel.values[next++];
    if (is_given(parameter.name, asked.values)) continue;
    if (value == "x") value = asked.grid[0];
    if (value == "y") value = asked.grid.size() > 1 ? asked.grid[1] : "1";
    asked.values.push_back(parameter.name + "=" + value);
  }
  return asked;
}

Result<Bytes> value_of(const AnyKernel& kernel, const AnyParameter& parameter,
                       const std::vector<std::string>& given) {
  for (const std::string& word : given) {
    if (!word.starts_with(parameter.name + "=")) continue;
    const std::string number = word.substr(parameter.name.size() + 1);
    const auto type = ir::parse_type(parameter.type);
    auto value = type && type->width == 1 ? scalar_bytes(type->scalar, number) : std::nullopt;
    if (value) return std::move(*value);
    return misused("The value of " + parameter.name + " (\"" + number + "\") is no " + parameter.type + ".");
  }
  return misused("The value " + parameter.name + " (" + parameter.type + ") of [Kernel \"" + kernel.name() +
                 "\"] is not given.")
      .with_hint("Add --set " + parameter.name + "=NUMBER.");
}

// Each buffer exists four times: as made up, as the device left it, and the CPU's two.
Result<void> check_memory(const AnyKernel& kernel, std::uint64_t elements) {
  std::uint64_t all = 0;
  for (const AnyParameter& parameter : kernel.parameters()) {
    if (!parameter.buffer) continue;
    COLLET_TRY(bytes, product({elements, parameter.size}));
    all += bytes;
  }
  const std::uint64_t there = platform::physical_memory();
  if (all <= there / 4) return {};
  return Error(ErrorCode::out_of_memory, Category::runtime,
               "The buffers of [Kernel \"" + kernel.name() + "\"] have " + size(all) +
                   ", which are needed four times, and this machine has " + size(there) + ".")
      .with_hint("Give a smaller --grid or --elements.");
}

Result<std::vector<Bytes>> make_arguments(const AnyKernel& kernel, const Asked& asked,
                                          std::uint64_t elements) {
  COLLET_CHECK(check_values(kernel, asked.values));
  COLLET_CHECK(check_memory(kernel, elements));
  std::vector<Bytes> arguments;
  for (const AnyParameter& parameter : kernel.parameters()) {
    if (parameter.buffer) {
      arguments.push_back(made_up(parameter, elements));
    } else {
      COLLET_TRY(value, value_of(kernel, parameter, asked.values));
      arguments.push_back(std::move(value));
    }
  }
  return arguments;
}

Result<Grid> make_grid(const std::vector<std::string>& sizes) {
  std::array<std::uint64_t, 3> size{1024, 1, 1};
  if (sizes.size() > 3) return misused("A grid has at most three dimensions.");
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const auto one = scalar_bytes(ir::Scalar::u64, sizes[d]);
    if (!one) return misused("\"" + sizes[d] + "\" is no number of elements.");
    std::memcpy(&size[d], one->data(), sizeof size[d]);
    if (size[d] == 0) return misused("A grid with a dimension of 0 elements runs nothing.");
  }
  return Grid(Grid::Unit::elements, size);
}

int run(const Session& session, Asked asked) {
  const auto kernel = find_kernel(asked.kernel);
  if (!kernel) return complain(kernel.error());
  const BuiltIn* built_in = find_built_in(asked.kernel);
  if (built_in != nullptr) asked = with_defaults(std::move(asked), *built_in);
  const auto grid = make_grid(asked.grid);
  if (!grid) return complain(grid.error());
  const auto& size = grid->size();
  const auto elements =
      asked.elements != 0 ? Result<std::uint64_t>(asked.elements) : product({size[0], size[1], size[2]});
  if (!elements) return complain(elements.error());
  const auto arguments = make_arguments(*kernel, asked, *elements);
  if (!arguments) return complain(arguments.error());

  const auto chosen = session.choose_device();
  if (!chosen) return complain(chosen.error());
  const DeviceInfo* info = selected(chosen->choice);
  if (info == nullptr) return complain(*chosen->choice.error);
  const auto ran = run_on(info->id(), *kernel, *grid, *arguments, asked.checked);
  if (!ran) return complain(ran.error());
  const auto reference = run_on("cpu", *kernel, *grid, *arguments, false);
  const Report report{*kernel, asked.values, *info, *ran, reference};
  return session.show([&] { return report_json(report); },
                      [&](const Style& style) { return report_text(report, style); },
                      is_wrong(report) ? failed : done);
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("run", "a kernel on a device, compared with the CPU's answer");
  verb->footer(
      "collet run saxpy\ncollet run saxpy --set value0=3 --elements 1000\n"
      "collet run kernel.ir --grid 640,480 --device vulkan");
  const auto asked = std::make_shared<Asked>();
  verb->add_option("KERNEL", asked->kernel, "a built-in kernel, a file of IR text, or - for standard input")
      ->required();
  verb->add_option("--grid", asked->grid, "elements in up to three dimensions; 1024 unless given")
      ->delimiter(',')
      ->type_name("X,Y,Z");
  verb->add_option("--elements", asked->elements, "of each buffer; as many as the grid has unless given")
      ->type_name("N");
  verb->add_option("--set", asked->values, "a value of the kernel")->type_name("NAME=NUMBER");
  verb->add_flag("--check", asked->checked, "an index out of range is an error that names it");
  add_device_option(*verb, session);
  verb->callback([&session, asked] { session.verb = [&session, asked] { return run(session, *asked); }; });
}

}  // namespace collet::tool
