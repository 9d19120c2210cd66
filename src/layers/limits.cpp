// Limits: from text.

#include "layers/limits.hpp"

#include <array>
#include <charconv>
#include <string>

#include "base/checked.hpp"
#include "base/nearest.hpp"

namespace collet::layers {
namespace {

constexpr std::array<std::string_view, 8> kNames{"memory",  "groups",    "group_items", "shared",
                                                 "buffers", "constants", "gpus",        "profile"};
constexpr std::array<std::string_view, 3> kProfiles{"discrete", "webgpu", "opengl"};
constexpr std::uint32_t kMostDevices = 64;

Error wrong(std::string message) {
  return Error(ErrorCode::invalid_argument, Category::initialisation, std::move(message))
      .with_hint(
          "Write 1, or limits such as memory=1G,groups=65535,group_items=256,shared=32K,buffers=8,"
          "constants=128,gpus=2, or a profile: profile=discrete, profile=webgpu or profile=opengl.");
}

Error no_limit(std::string_view name) {
  const std::string_view near = base::nearest(name, kNames);
  return wrong("There is no limit called \"" + std::string(name) + "\"" +
               (near.empty() ? "." : "; did you mean \"" + std::string(near) + "\"?"));
}

// "65535", "32K", "512M", "1G".
Result<std::uint64_t> parse_amount(std::string_view name, std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  std::uint64_t scale = 0;
  if (unit.empty()) scale = 1;
  if (unit == "K") scale = 1u << 10;
  if (unit == "M") scale = 1u << 20;
  if (unit == "G") scale = 1u << 30;
  const auto amount = base::checked_mul(value, scale);
  if (error != std::errc() || scale == 0 || !amount || *amount == 0 || *amount > most) {
    return wrong("The limit " + std::string(name) + " is \"" + std::string(text) +
                 "\"; it is a number from 1 to " + std::to_string(most) +
                 ", with K, M or G behind it or not.");
  }
  return *amount;
}

Result<void> set_profile(Limits& limits, std::string_view name) {
  if (name == "discrete") {
    limits.profile = {
        .name = kProfiles[0], .mapped_device = false, .host_commands = false, .transfer_queue = true};
  } else if (name == "webgpu") {  // the limits that every implementation has
    limits.profile = {.name = kProfiles[1],
                      .mapped_device = false,
                      .mapped = false,
                      .one_queue = true,
                      .shared_blocks = false,
                      .mixed_access = false,
                      .wide_types = false,
                      .copy_alignment = 4,
                      .offset_alignment = 256,
                      .binding_range = 128 << 20};
    limits.buffers = 8;
    limits.shared = 16 << 10;
  } else if (name == "opengl") {
    limits.profile = {.name = kProfiles[2],
                      .mapped_device = false,
                      .mapped = false,
                      .one_queue = true,
                      .binding_range = 128 << 20};
    limits.buffers = 16;
  } else {
    const std::string_view near = base::nearest(name, kProfiles);
    return wrong("There is no profile called \"" + std::string(name) + "\"" +
                 (near.empty() ? "." : "; did you mean \"" + std::string(near) + "\"?"));
  }
  return {};
}

Result<void> set(Limits& limits, std::string_view name, std::string_view text) {
  if (name == "profile") return set_profile(limits, text);
  if (name == "memory") {
    COLLET_TRY(amount, parse_amount(name, text, std::uint64_t{1} << 50));
    limits.memory = amount;
    return {};
  }
  struct Field {
    std::string_view name;
    std::uint32_t* value;
    std::uint32_t most;
  };
  const std::array fields{
      Field{"groups", &limits.groups, ~0u},       Field{"group_items", &limits.group_items, ~0u},
      Field{"shared", &limits.shared, ~0u},       Field{"buffers", &limits.buffers, ~0u},
      Field{"constants", &limits.constants, ~0u}, Field{"gpus", &limits.devices, kMostDevices}};
  for (const Field& field : fields) {
    if (field.name != name) continue;
    COLLET_TRY(amount, parse_amount(name, text, field.most));
    *field.value = static_cast<std::uint32_t>(amount);
    return {};
  }
  return no_limit(name);
}

}  // namespace

Result<Limits> parse_limits(std::string_view text) {
  Limits limits;
  if (text.empty() || text == "0") {
    limits.devices = 0;
    return limits;
  }
  if (text == "1") return limits;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return wrong("\"" + std::string(part) + "\" sets no limit.");
    COLLET_CHECK(set(limits, part.substr(0, equals), part.substr(equals + 1)));
  }
  return limits;
}

}  // namespace collet::layers
