// collet backends: every backend that Collet knows of, and how far each has come here.

#include "labels.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {

std::string backends_text(const Machine& machine, const Style& style) {
  Table table({{.title = "BACKEND"},
               {.title = "RUNG"},
               {.title = "DEVICES", .right = true},
               {.title = "DETAIL", .flexible = true}});
  for (const BackendInfo& backend : machine.backends) {
    table.row({{backend.id, backend.rung == Rung::not_built ? Colour::faint : Colour::none},
               rung_cell(backend.rung),
               std::to_string(backend.device_count),
               explanation(backend)});
  }
  return table.render(style);
}

Json backends_json(const Machine& machine) {
  Json json = answer();
  json["backends"] = Json::array();
  for (const BackendInfo& backend : machine.backends) json["backends"].push_back(backend_json(backend));
  return json;
}

void add_backends(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("backends", "every backend, and how far it has come on this machine");
  verb->footer(
      "collet backends\ncollet backends --json | jq -r '.backends[] | select(.rung == \"verified\").id'");
  verb->callback([&session] {
    session.verb = [&session] {
      const auto options = session.discover_options();
      if (!options) return complain(options.error());
      const Machine machine = session.discover(*options);
      return session.show([&] { return backends_json(machine); },
                          [&](const Style& style) { return backends_text(machine, style); });
    };
  });
}

}  // namespace collet::tool
