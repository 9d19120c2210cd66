// The text of --help.

#include "help.hpp"

#include "labels.hpp"

namespace collet::tool {
namespace {

std::string usage_line(const CLI::App& app, const CLI::App& verb) {
  if (&verb == &app) return "collet VERB [OPTION...]";
  std::string line = "collet " + verb.get_name();
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true, false) + (option->get_expected_max() > 1 ? "..." : "");
    line += option->get_required() ? " " + name : " [" + name + "]";
  }
  return line + " [OPTION...]";
}

void add_options(Table& table, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr() && app.get_parent() != nullptr) continue;  // is with the shared ones
    std::string name = option->get_name(option->get_positional(), true);
    if (const auto comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
    if (!option->get_positional() && option->get_type_size() != 0) name += " " + option->get_type_name();
    table.row({name, option->get_description()});
  }
}

std::string part(const std::string& title, const Table& table, const Style& style) {
  return table.empty() ? "" : "\n" + heading(style, title) + table.render(style, 2);
}

}  // namespace

std::string help_text(const CLI::App& app, const CLI::App& verb, const Style& style) {
  const std::vector<Column> layout{{}, {.title = "", .flexible = true}};
  std::string out = paragraph(style, verb.get_description(), 0);
  out += "\n" + heading(style, "Usage") + "  " + usage_line(app, verb) + "\n";

  if (&verb == &app) {
    Table verbs(layout);
    for (const CLI::App* one : app.get_subcommands({})) verbs.row({one->get_name(), one->get_description()});
    out += part("Verbs", verbs, style);
  } else {
    Table own(layout);
    add_options(own, verb);
    out += part("Options", own, style);
  }
  Table shared(layout);
  add_options(shared, app);
  out += part("Options of every verb", shared, style);

  out += "\n" + heading(style, "Examples");
  std::string examples = verb.get_footer();
  for (std::size_t at = 0; (at = examples.find('\n', at)) != std::string::npos; at += 3)
    examples.replace(at, 1, "\n  ");
  out += "  " + examples + "\n";
  if (&verb != &app) return out;

  Table codes(layout);
  codes.row({"0", "done"});
  codes.row({"1", "the work failed, or doctor or check found a problem"});
  codes.row({"2", "the command line or a variable can't be understood"});
  codes.row({"3", "no device is there that was asked for"});
  return out + part("Exit codes", codes, style);
}

}  // namespace collet::tool
