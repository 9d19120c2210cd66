// collet default: the device that Device::open_best() opens, and why it is that one.

#include "exit_code.hpp"
#include "labels.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {

std::string default_text(const Choice& choice, const Style& style) {
  const DeviceInfo* best = selected(choice);
  Table facts({{}, {.title = "", .flexible = true}});
  facts.row({{best != nullptr ? best->id() : "none", best != nullptr ? Colour::good : Colour::bad},
             best != nullptr ? best->name : (choice.error ? choice.error->message() : "")});
  facts.row({"requested", choice.requested});
  if (!choice.error || choice.error->message() != choice.reason) facts.row({"reason", choice.reason});
  if (choice.error && !choice.error->hint().empty()) facts.row({"hint", choice.error->hint()});
  std::string out = facts.render(style);
  if (choice.candidates.empty()) return out;

  Table table({{.title = "CANDIDATE"},
               {.title = "TYPE"},
               {.title = "SCORE", .right = true},
               {.title = "PARTS", .flexible = true},
               {.title = "REMARK", .flexible = true}});
  for (const Candidate& candidate : choice.candidates) {
    table.row({candidate.device.id(), std::string(to_string(candidate.device.type)),
               std::to_string(candidate.score), parts_words(candidate), remark(choice, candidate.device)});
  }
  return out + "\n" + table.render(style);
}

Json default_json(const Choice& choice) {
  Json json = answer();
  json.update(choice_json(choice));
  return json;
}

void add_default(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("default", "the device that open_best() opens, and why");
  verb->footer("collet default\ncollet default --device gpu\ncollet default --json | jq -r .selected");
  add_device_option(*verb, session);
  verb->callback([&session] {
    session.verb = [&session] {
      const auto chosen = session.choose_device();
      if (!chosen) return complain(chosen.error());
      const Choice& choice = chosen->choice;
      const int code = choice.error ? exit_code(*choice.error) : done;
      if (code == usage) return complain(*choice.error);
      return session.show([&] { return default_json(choice); },
                          [&](const Style& style) { return default_text(choice, style); }, code);
    };
  });
}

}  // namespace collet::tool
