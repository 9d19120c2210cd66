// collet version: what this program was built from. Asks no driver.

#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {

std::string version_text(const Build& build, const Style& style) {
  Table table({{}, {.title = "", .flexible = true}});
  table.row({"collet", build.version});
  table.row({"compiler", build.compiler});
  table.row({"backends", joined(build.backends)});
  return table.render(style);
}

Json version_json(const Build& build) {
  Json json = answer();
  json["collet"] = build.version;
  json["compiler"] = build.compiler;
  json["backends"] = build.backends;
  return json;
}

void add_version(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("version", "the version, the compiler and the backends of this build");
  verb->footer("collet version\ncollet version --json | jq -r .collet");
  verb->callback([&session] {
    session.verb = [&session] {
      return session.show([] { return version_json(this_build()); },
                          [](const Style& style) { return version_text(this_build(), style); });
    };
  });
}

}  // namespace collet::tool
