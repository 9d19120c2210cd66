// collet devices: every device that was found, by the id that opens it, and all its properties if asked.

#include <fmt/format.h>

#include <collet/detail/device_fields.hpp>

#include "labels.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

// A property in words. Every property of 64 bits is a size.
std::string words(const std::string& text) { return text; }
std::string words(std::uint32_t number) { return grouped(number); }
std::string words(std::uint64_t bytes) {
  return bytes < 1024 ? size(bytes) : fmt::format("{} ({} bytes)", size(bytes), grouped(bytes));
}
std::string words(bool is) { return is ? "yes" : "no"; }
std::string words(DeviceType type) { return std::string(to_string(type)); }
std::string words(Rung rung) { return std::string(to_string(rung)); }
std::string words(const std::array<std::uint32_t, 3>& sizes) {
  return fmt::format("{} x {} x {}", grouped(sizes[0]), grouped(sizes[1]), grouped(sizes[2]));
}
template <class T>
std::string words(const std::optional<T>& value) {
  return value ? words(*value) : "";
}

// "memory_total" becomes "memory total".
std::string label(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

}  // namespace

std::string devices_text(const Machine& machine, const Choice& choice, const Style& style) {
  Table table({{.title = "ID"},
               {.title = "TYPE"},
               {.title = "NAME", .flexible = true},
               {.title = "MEMORY", .right = true},
               {.title = "RUNG"},
               {.title = "SCORE", .right = true},
               {.title = "REMARK", .flexible = true}});
  for (const DeviceInfo& device : machine.devices) {
    const Candidate* candidate = find_candidate(choice, device);
    const bool refused = !(candidate != nullptr ? candidate->refused : device.refused).empty();
    const Colour colour = is_default(choice, device) ? Colour::good : refused ? Colour::bad : Colour::none;
    table.row({device.id(),
               std::string(to_string(device.type)),
               device.name,
               device.memory_total ? size(*device.memory_total) : "-",
               rung_cell(device.rung),
               candidate != nullptr ? std::to_string(candidate->score) : "-",
               {remark(choice, device), colour}});
  }
  return table.render(style);
}

std::string properties_text(const Machine& machine, const Choice& choice, const Style& style) {
  std::string out;
  for (const DeviceInfo& device : machine.devices) {
    if (!out.empty()) out += '\n';
    out += heading(style, device.id());
    Table table({{}, {.title = "", .flexible = true}});
    detail::each_field(device, [&](std::string_view name, const auto& member) {
      const std::string text = words(member);
      if (name == "refused") {
        table.row({label(name), text.empty() ? Cell("no") : Cell(text, Colour::bad)});
      } else {
        table.row({label(name), text.empty() ? Cell("not reported", Colour::faint) : Cell(text)});
      }
    });
    if (const Candidate* candidate = find_candidate(choice, device); candidate != nullptr) {
      table.row({"score", std::to_string(candidate->score)});
      table.row({"score parts", parts_words(*candidate)});
    }
    if (const std::string remarks = remark(choice, device); !remarks.empty()) table.row({"remark", remarks});
    out += table.render(style, 2);
  }
  return out;
}

Json devices_json(const Machine& machine, const Choice& choice) {
  Json json = answer();
  json["devices"] = Json::array();
  for (const DeviceInfo& device : machine.devices) {
    const Candidate* candidate = find_candidate(choice, device);
    Json one = device_json(device);
    one["score"] = candidate != nullptr ? Json(candidate->score) : Json(nullptr);
    one["refused"] = optional_text(candidate != nullptr ? candidate->refused : device.refused);
    one["same_as"] = optional_text(candidate != nullptr ? candidate->same_as : "");
    one["default"] = is_default(choice, device);
    json["devices"].push_back(std::move(one));
  }
  return json;
}

void add_devices(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("devices", "every device, and which one is the default");
  verb->footer("collet devices -v\ncollet devices --json | jq '.devices[] | {id, name, memory_total}'");
  const auto verbose = std::make_shared<bool>(false);
  verb->add_flag("-v,--verbose", *verbose, "every property of every device");
  verb->callback([&session, verbose] {
    session.verb = [&session, verbose] {
      const auto chosen = session.choose_device();
      if (!chosen) return complain(chosen.error());
      const auto& [machine, choice] = *chosen;
      return session.show([&] { return devices_json(machine, choice); },
                          [&](const Style& style) {
                            return *verbose ? properties_text(machine, choice, style)
                                            : devices_text(machine, choice, style);
                          });
    };
  });
}

}  // namespace collet::tool
