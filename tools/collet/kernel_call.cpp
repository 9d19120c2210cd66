// Arguments for a kernel that a person named.

#include "kernel_call.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/checked.hpp"
#include "kernel/ir/text.hpp"
#include "kernels.hpp"
#include "platform/platform.hpp"
#include "session.hpp"
#include "text.hpp"

namespace collet::tool {
namespace {

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
KernelAsked with_defaults(KernelAsked asked, const BuiltIn& kernel) {
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

Result<void> check_memory(const AnyKernel& kernel, std::uint64_t elements, std::uint64_t copies) {
  std::uint64_t all = 0;
  for (const AnyParameter& parameter : kernel.parameters()) {
    if (!parameter.buffer) continue;
    COLLET_TRY(bytes, product({elements, parameter.size}));
    all += bytes;
  }
  const std::uint64_t there = platform::physical_memory();
  if (all <= there / copies) return {};
  return Error(ErrorCode::out_of_memory, Category::runtime,
               "The buffers of [Kernel \"" + kernel.name() + "\"] have " + size(all) + ", which are needed " +
                   std::to_string(copies) + " times, and this machine has " + size(there) + ".")
      .with_hint("Give a smaller --grid or --elements.");
}

Result<std::vector<Bytes>> make_arguments(const AnyKernel& kernel, const KernelAsked& asked,
                                          std::uint64_t elements, std::uint64_t copies) {
  COLLET_CHECK(check_values(kernel, asked.values));
  COLLET_CHECK(check_memory(kernel, elements, copies));
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

}  // namespace

void add_kernel_options(CLI::App& verb, KernelAsked& asked) {
  verb.add_option("KERNEL", asked.kernel, "a built-in kernel, a file of IR text, or - for standard input")
      ->required();
  verb.add_option("--grid", asked.grid, "elements in up to three dimensions; 1024 unless given")
      ->delimiter(',')
      ->type_name("X,Y,Z");
  verb.add_option("--elements", asked.elements, "of each buffer; as many as the grid has unless given")
      ->type_name("N");
  verb.add_option("--set", asked.values, "a value of the kernel")->type_name("NAME=NUMBER");
}

Result<KernelCall> make_call(KernelAsked asked, std::uint64_t copies) {
  COLLET_TRY(kernel, find_kernel(asked.kernel));
  const BuiltIn* built_in = find_built_in(asked.kernel);
  if (built_in != nullptr) asked = with_defaults(std::move(asked), *built_in);
  COLLET_TRY(grid, make_grid(asked.grid));
  std::uint64_t elements = asked.elements;
  if (elements == 0) {
    const auto& size = grid.size();
    COLLET_TRY(all, product({size[0], size[1], size[2]}));
    elements = all;
  }
  COLLET_TRY(arguments, make_arguments(kernel, asked, elements, copies));
  return KernelCall{std::move(kernel), std::move(asked.values), grid, std::move(arguments)};
}

Result<Uploaded> upload(const Device& device, const KernelCall& call) {
  Uploaded made;
  const auto parameters = call.kernel.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].buffer) {
      COLLET_TRY(buffer, device.upload(call.arguments[i], {.label = parameters[i].name}));
      made.buffers.push_back(std::move(buffer));
      made.passed.emplace_back(made.buffers.back());
    } else {
      made.passed.push_back(AnyArgument::value(std::span<const std::byte>(call.arguments[i])));
    }
  }
  return made;
}

}  // namespace collet::tool
