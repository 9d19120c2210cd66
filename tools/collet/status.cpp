// collet status: the library, the versions and the devices behind one backend, or behind each.

#include <algorithm>

#include "collet/quirks.hpp"
#include "labels.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

std::string how_probed(const BackendInfo& backend) {
  if (backend.rung == Rung::not_built) return "";
  return std::string(backend.isolated ? "in a process of its own" : "in this process") + ", " +
         std::to_string(backend.probe_ms) + " ms" +
         (backend.cached ? ", remembered from an earlier run" : "");
}

std::string one_text(const Machine& machine, const BackendInfo& backend, const Style& style) {
  Table table({{}, {.title = "", .flexible = true}});
  const auto row = [&](const char* label, const std::string& text, const char* absent = "-") {
    table.row({label, text.empty() ? Cell(absent, Colour::faint) : Cell(text)});
  };
  row("backend", backend.id);
  table.row({"rung", rung_cell(backend.rung)});
  row("kind", kinds(machine, backend.id));
  row("library", backend.library);
  row("version", backend.version, "not reported");
  row("devices", std::to_string(backend.device_count));
  for (const DeviceInfo& device : machine.devices) {
    if (device.backend == backend.id) row("", device.id() + "  " + device.name);
  }
  bool first = true;
  for (const DeviceInfo& device : machine.devices) {
    if (device.backend != backend.id) continue;
    for (const DeviceQuirk& quirk : quirks(device)) {
      row(first ? "quirks" : "", device.id() + "  " + quirk.id + ", " + std::string(to_string(quirk.action)));
      first = false;
    }
  }
  if (!backend.message.empty()) row("message", backend.message);
  if (!backend.fault.empty()) table.row({"fault", {"the probe " + backend.fault, Colour::bad}});
  if (!backend.fix.empty()) row("fix", backend.fix);
  row("probed", how_probed(backend));
  for (std::size_t i = 0; i < backend.files.size(); ++i) {
    const DriverFile& file = backend.files[i];
    const bool good = file.problem.empty();
    table.row({i == 0 ? "files" : "",
               {file.path + (good ? "" : ": " + file.problem), good ? Colour::none : Colour::bad}});
  }
  return table.render(style);
}

// The quirks of all drivers here; "" where there are none.
std::string quirks_part(const Machine& machine, const Style& style) {
  Table table(
      {{.title = "DEVICE"}, {.title = "QUIRK"}, {.title = "ACTION"}, {.title = "WHAT", .flexible = true}});
  bool any = false;
  for (const DeviceInfo& device : machine.devices) {
    for (const DeviceQuirk& quirk : quirks(device)) {
      table.row({device.id(), quirk.id, std::string(to_string(quirk.action)), quirk.what});
      any = true;
    }
  }
  return any ? "\n" + heading(style, "Quirks of drivers") + table.render(style, 2) : "";
}

Json quirks_json(const DeviceInfo& device) {
  Json json = Json::array();
  for (const DeviceQuirk& quirk : quirks(device))
    json.push_back({{"id", quirk.id}, {"action", to_string(quirk.action)}, {"what", quirk.what}});
  return json;
}

}  // namespace

std::string status_text(const Machine& machine, const Style& style) {
  if (machine.backends.size() == 1) return one_text(machine, machine.backends[0], style);
  Table table({{.title = "BACKEND"},
               {.title = "RUNG"},
               {.title = "KIND"},
               {.title = "DEVICES", .right = true},
               {.title = "VERSION", .flexible = true},
               {.title = "LIBRARY", .flexible = true}});
  for (const BackendInfo& backend : machine.backends) {
    const std::string kind = kinds(machine, backend.id);
    table.row({{backend.id, backend.rung == Rung::not_built ? Colour::faint : Colour::none},
               rung_cell(backend.rung),
               kind.empty() ? "-" : kind,
               std::to_string(backend.device_count),
               backend.version.empty() ? "-" : backend.version,
               backend.library.empty() ? "-" : backend.library});
  }
  return table.render(style) + quirks_part(machine, style);
}

Json status_json(const Machine& machine) {
  Json json = answer();
  json["backends"] = Json::array();
  for (const BackendInfo& backend : machine.backends) {
    Json one = backend_json(backend);
    one["kind"] = optional_text(kinds(machine, backend.id));
    one["devices"] = Json::array();
    for (const DeviceInfo& device : machine.devices) {
      if (device.backend == backend.id)
        one["devices"].push_back(
            {{"id", device.id()}, {"name", device.name}, {"quirks", quirks_json(device)}});
    }
    json["backends"].push_back(std::move(one));
  }
  return json;
}

void add_status(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("status", "library, versions and devices of one backend, or of each");
  verb->footer("collet status\ncollet status vulkan");
  const auto id = std::make_shared<std::string>();
  verb->add_option("BACKEND", *id, "the id of a backend, as collet backends lists it");
  verb->callback([&session, id] {
    session.verb = [&session, id] {
      auto options = session.discover_options();
      if (!options) return complain(options.error());
      if (!id->empty()) {
        const std::vector<std::string> known = backend_ids();
        if (std::ranges::find(known, *id) == known.end()) {
          return complain(
              no_such("backend", *id, known).with_hint("The backends are: " + joined(known) + "."));
        }
        options->backends = {*id};
      }
      const Machine machine = session.discover(*options);
      return session.show([&] { return status_json(machine); },
                          [&](const Style& style) { return status_text(machine, style); });
    };
  });
}

}  // namespace collet::tool
