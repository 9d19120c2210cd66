// collet summary: the machine on ten lines.

#include <fmt/format.h>

#include <algorithm>

#include "labels.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

constexpr Rung kRungs[] = {Rung::verified, Rung::executed,    Rung::initialised,
                           Rung::loaded,   Rung::compiled_in, Rung::not_built};

std::vector<std::string> on_rung(const Machine& machine, Rung rung) {
  std::vector<std::string> ids;
  for (const BackendInfo& backend : machine.backends) {
    if (backend.rung == rung) ids.push_back(backend.id);
  }
  return ids;
}

// Devices, each counted once however many APIs lead to it.
struct Counts {
  std::uint32_t real = 0;
  std::uint32_t software = 0;
  std::uint32_t simulated = 0;
  std::uint32_t more_routes = 0;
};

Counts count(const Machine& machine, const Choice& choice) {
  Counts counts;
  for (const DeviceInfo& device : machine.devices) {
    const Candidate* candidate = find_candidate(choice, device);
    ++(candidate != nullptr && !candidate->same_as.empty() ? counts.more_routes
       : device.type == DeviceType::software               ? counts.software
       : device.type == DeviceType::simulated              ? counts.simulated
                                                           : counts.real);
  }
  return counts;
}

const DeviceInfo* largest(const Machine& machine) {
  const DeviceInfo* most = nullptr;
  for (const DeviceInfo& device : machine.devices) {
    if (device.memory_total && (most == nullptr || *device.memory_total > *most->memory_total))
      most = &device;
  }
  return most;
}

std::string devices_line(const Counts& counts) {
  std::string text =
      fmt::format("{} real, {} software, {} simulated", counts.real, counts.software, counts.simulated);
  if (counts.more_routes != 0)
    text += fmt::format("; {} to the same devices", counted(counts.more_routes, "more route"));
  return text;
}

std::string memory_line(const Machine& machine, const Choice& choice) {
  std::vector<std::string> parts;
  if (const DeviceInfo* best = selected(choice); best != nullptr && best->memory_total)
    parts.push_back(fmt::format("{} on the default device", size(*best->memory_total)));
  if (const DeviceInfo* most = largest(machine); most != nullptr && !is_default(choice, *most))
    parts.push_back(fmt::format("{} at most ({})", size(*most->memory_total), most->id()));
  return parts.empty() ? "not reported" : joined(parts);
}

}  // namespace

std::string summary_text(const Build& build, const Machine& machine, const Choice& choice,
                         const Style& style) {
  static constexpr std::size_t kLabels = 13;  // "initialised" and two spaces
  std::string out;
  const auto line = [&](std::string_view label, const std::string& text, Colour colour = Colour::none) {
    const std::size_t room = style.width == 0 ? 0 : std::max(style.width, kLabels + 10) - kLabels;
    out +=
        fmt::format("{:<{}}", label, kLabels) + paint(style, colour, shorten(printable(text), room)) + "\n";
  };
  line("build", fmt::format("collet {}, {}", build.version, build.compiler));
  for (const Rung rung : kRungs) {
    const auto ids = on_rung(machine, rung);
    line(to_string(rung), ids.empty() ? "-" : joined(ids),
         rung == Rung::verified    ? Colour::good
         : rung == Rung::not_built ? Colour::faint
                                   : Colour::none);
  }
  line("devices", devices_line(count(machine, choice)));
  line("memory", memory_line(machine, choice));
  const DeviceInfo* best = selected(choice);
  line("default", best != nullptr ? best->id() + ", " + best->name : "none: " + choice.reason,
       best != nullptr ? Colour::good : Colour::bad);
  return out;
}

Json summary_json(const Build& build, const Machine& machine, const Choice& choice) {
  const Counts counts = count(machine, choice);
  const DeviceInfo* best = selected(choice);
  const DeviceInfo* most = largest(machine);
  Json json = answer();
  json["build"] = {{"version", build.version}, {"compiler", build.compiler}, {"backends", build.backends}};
  for (const Rung rung : kRungs) json["backends"][identifier(to_string(rung))] = on_rung(machine, rung);
  json["devices"] = {{"real", counts.real},
                     {"software", counts.software},
                     {"simulated", counts.simulated},
                     {"more_routes", counts.more_routes}};
  json["memory"] = {
      {"default", best != nullptr && best->memory_total ? Json(*best->memory_total) : Json(nullptr)},
      {"most", most != nullptr ? Json(*most->memory_total) : Json(nullptr)}};
  json["default"] = best != nullptr ? Json(best->id()) : Json(nullptr);
  return json;
}

void add_summary(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("summary", "the machine on ten lines");
  verb->footer("collet summary\ncollet summary --json | jq .devices");
  verb->callback([&session] {
    session.verb = [&session] {
      const auto chosen = session.choose_device();
      if (!chosen) return complain(chosen.error());
      const auto& [machine, choice] = *chosen;
      return session.show(
          [&] { return summary_json(this_build(), machine, choice); },
          [&](const Style& style) { return summary_text(this_build(), machine, choice, style); });
    };
  });
}

}  // namespace collet::tool
