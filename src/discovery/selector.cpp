// Selectors: reading them, and joining those of two variables.

#include "discovery/selector.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/nearest.hpp"
#include "discovery/registry.hpp"

namespace collet::discovery {
namespace {

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kGpu = "gpu";
constexpr std::array<std::string_view, 8> kTypes{"discrete", "integrated", "virtual",   kGpu,
                                                 "cpu",      "software",   "simulated", "other"};

bool is_type(std::string_view word) { return std::ranges::find(kTypes, word) != kTypes.end(); }

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error wrong(std::string message, std::string hint) {
  return Error(ErrorCode::invalid_argument, Category::initialisation, Cause::no_device, std::move(message))
      .with_hint(std::move(hint));
}

std::string listed(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view near = base::nearest(word, known);
  return near.empty() ? std::string() : "Did you mean \"" + std::string(near) + "\"? ";
}

Error no_backend(std::string_view word) {
  std::vector<std::string_view> known{kAuto, kGpu};
  for (const Known& one : known_backends()) {
    if (one.listed) known.push_back(one.id);
  }
  return wrong(
      "There is no backend called \"" + std::string(word) + "\".",
      suggestion(word, known) + "The words are " + listed(known) + "; this build has " + built_ids() + ".");
}

Error no_type(std::string_view word, std::string_view otherwise) {
  return wrong("\"" + std::string(word) + "\" is no type of device" + std::string(otherwise) + ".",
               suggestion(word, kTypes) + "The types are " + listed(kTypes) +
                   "; write backend:index or backend:type:index, such as vulkan:0 or opencl:cpu:1.");
}

Error no_index(std::string_view word) {
  return wrong("\"" + std::string(word) + "\" is no device index.",
               "Write backend:index or backend:type:index, such as vulkan:0 or opencl:cpu:1.");
}

// What follows the backend: "1", "cpu" or "cpu:1".
Result<Selector> parse_rest(std::string_view backend, std::string_view rest) {
  Selector made{.backend = std::string(backend), .type = {}, .index = number(rest)};
  if (made.index) return made;
  const std::size_t colon = rest.find(':');
  const std::string_view type = rest.substr(0, colon);
  if (!is_type(type)) return no_type(type, colon == std::string_view::npos ? " and no device index" : "");
  made.type = type;
  if (colon == std::string_view::npos) return made;
  made.index = number(rest.substr(colon + 1));
  if (!made.index) return no_index(rest.substr(colon + 1));
  return made;
}

}  // namespace

std::string Selector::text() const {
  if (any()) return std::string(kAuto);
  std::string text = backend;
  if (!type.empty()) text += (text.empty() ? "" : ":") + type;
  if (index) text += (text.empty() ? "" : ":") + std::to_string(*index);
  return text;
}

Result<Selector> parse_selector(std::string_view text) {
  if (text == kAuto) return Selector{};
  if (text == kGpu) return Selector{.backend = {}, .type = std::string(kGpu), .index = {}};
  if (const auto index = number(text)) return Selector{.backend = {}, .type = {}, .index = index};
  const std::size_t colon = text.find(':');
  const std::string_view backend = text.substr(0, colon);
  if (find_backend(backend) == nullptr) return no_backend(backend);
  if (colon == std::string_view::npos)
    return Selector{.backend = std::string(backend), .type = {}, .index = {}};
  return parse_rest(backend, text.substr(colon + 1));
}

Result<Selector> parse_backend(std::string_view text) {
  if (text != kAuto && text != kGpu && find_backend(text) == nullptr) return no_backend(text);
  return parse_selector(text);
}

Result<Selector> combine(std::string_view backend, std::string_view device) {
  if (device.empty() || device == kAuto) return backend.empty() ? Selector{} : parse_backend(backend);
  if (backend.empty() || backend == kAuto) return parse_selector(device);
  // A word that is both a type and a backend is a type here: opencl and cpu:1 are opencl:cpu:1.
  const std::string_view first = device.substr(0, device.find(':'));
  if (backend != kGpu && (number(device) || (is_type(first) && first != backend)))
    return parse_rest(backend, device);
  COLLET_TRY(named, parse_selector(device));
  if (named.backend == backend || (backend == kGpu && device == kGpu)) return named;
  return wrong("The one asks for " + std::string(backend) + " and the other for " + std::string(device) + ".",
               "Unset one of them, or name a device of " + std::string(backend) + " by its index.");
}

bool is_of_type(DeviceType type, std::string_view word) {
  if (word == kGpu) return type != DeviceType::cpu && type != DeviceType::software;
  if (word == "cpu") return type == DeviceType::cpu || type == DeviceType::software;
  return word == to_string(type);
}

}  // namespace collet::discovery
