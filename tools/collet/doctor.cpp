// collet doctor: everything that decides what runs here, what is in the way, and what to do about it.

#include <fmt/format.h>

#include <algorithm>

#include "exit_code.hpp"
#include "labels.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

constexpr int kTop = static_cast<int>(Rung::verified);

std::size_t problems(const Diagnosis& diagnosis) {
  return static_cast<std::size_t>(std::ranges::count_if(diagnosis.findings, [](const Finding& finding) {
    return finding.severity == Finding::Severity::problem;
  }));
}

Cell severity_cell(Finding::Severity severity) {
  const Colour colour = severity == Finding::Severity::problem ? Colour::bad
                        : severity == Finding::Severity::good  ? Colour::good
                                                               : Colour::warning;
  return {std::string(to_string(severity)), colour};
}

// "3/5 initialised": the rung, and how many there are to climb.
Cell ladder_cell(Rung rung) {
  Cell cell = rung_cell(rung);
  cell.text = fmt::format("{}/{} {}", static_cast<int>(rung), kTop, cell.text);
  return cell;
}

std::string backends_part(const Diagnosis& diagnosis, const Style& style) {
  Table table({{.title = "BACKEND"},
               {.title = "RUNG"},
               {.title = "DEVICES", .right = true},
               {.title = "DETAIL", .flexible = true}});
  for (const BackendInfo& backend : diagnosis.machine.backends) {
    std::string detail = backend.library;
    if (!backend.version.empty()) detail += (detail.empty() ? "version " : ", version ") + backend.version;
    const std::string more = explanation(backend);
    if (!more.empty()) detail += (detail.empty() ? "" : "\n") + more;
    table.row({{backend.id, backend.rung == Rung::not_built ? Colour::faint : Colour::none},
               ladder_cell(backend.rung),
               std::to_string(backend.device_count),
               detail});
  }
  return heading(style, "Backends (compiled in, loaded, initialised, executed, verified)") +
         table.render(style, 2);
}

std::string findings_part(const Diagnosis& diagnosis, const Style& style) {
  Table table({{}, {.title = "", .flexible = true}, {.title = "", .flexible = true}});
  for (const auto severity : {Finding::Severity::problem, Finding::Severity::note, Finding::Severity::good}) {
    for (const Finding& finding : diagnosis.findings) {
      if (finding.severity != severity) continue;
      table.row({severity_cell(severity), finding.subject,
                 finding.message + (finding.fix.empty() ? "" : "\nFix: " + finding.fix)});
    }
  }
  return heading(style, "Findings") + table.render(style, 2);
}

std::string variables_part(const std::string& title, const std::vector<Variable>& variables,
                           const Style& style) {
  if (variables.empty()) return "";
  Table table({{}, {.title = "", .flexible = true}, {.title = "", .flexible = true}});
  for (const Variable& variable : variables) {
    table.row({{variable.name, variable.known ? Colour::none : Colour::bad},
               variable.set ? Cell("\"" + variable.value + "\"") : Cell("not set", Colour::faint),
               variable.meaning});
  }
  return "\n" + heading(style, title) + table.render(style, 2);
}

std::string default_part(const Choice& choice, const Style& style) {
  const DeviceInfo* best = selected(choice);
  const std::string text =
      best != nullptr ? fmt::format("open_best() opens {} ({}): {}", best->id(), best->name, choice.reason)
                      : "open_best() fails: " + (choice.error ? choice.error->message() : choice.reason);
  return "\n" + heading(style, "Default device") + paragraph(style, text, 2);
}

Json variables_json(const std::vector<Variable>& variables) {
  Json json = Json::array();
  for (const Variable& variable : variables) {
    json.push_back({{"name", variable.name},
                    {"value", variable.set ? Json(variable.value) : Json(nullptr)},
                    {"known", variable.known},
                    {"meaning", variable.meaning}});
  }
  return json;
}

}  // namespace

std::string doctor_text(const Diagnosis& diagnosis, const Style& style) {
  const std::size_t bad = problems(diagnosis);
  std::string out = backends_part(diagnosis, style);
  out += "\n" + findings_part(diagnosis, style);
  out += variables_part("Variables of Collet", diagnosis.variables, style);
  out += variables_part("Variables of drivers", diagnosis.driver_variables, style);
  out += default_part(diagnosis.choice, style);
  if (!diagnosis.machine.notes.empty()) {
    out += "\n" + heading(style, "Notes");
    for (const std::string& note : diagnosis.machine.notes) out += paragraph(style, note, 2);
  }
  const std::string verdict = bad == 0 ? "No problem was found." : counted(bad, "problem") + " found.";
  return out + "\n" + paint(style, bad == 0 ? Colour::good : Colour::bad, verdict) + "\n";
}

Json doctor_json(const Diagnosis& diagnosis) {
  Json json = answer();
  json["backends"] = Json::array();
  for (const BackendInfo& backend : diagnosis.machine.backends) {
    Json one = backend_json(backend);
    one["step"] = static_cast<int>(backend.rung);
    json["backends"].push_back(std::move(one));
  }
  json["findings"] = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    json["findings"].push_back({{"severity", to_string(finding.severity)},
                                {"subject", finding.subject},
                                {"message", finding.message},
                                {"fix", optional_text(finding.fix)}});
  }
  json["problems"] = problems(diagnosis);
  json["variables"] = variables_json(diagnosis.variables);
  json["driver_variables"] = variables_json(diagnosis.driver_variables);
  json["default"] = choice_json(diagnosis.choice);
  json["notes"] = diagnosis.machine.notes;
  return json;
}

void add_doctor(CLI::App& app, Session& session) {
  CLI::App* verb =
      app.add_subcommand("doctor", "what is in the way of each backend, and what to do about it");
  verb->footer("collet doctor\ncollet doctor --no-cache --timeout 30\ncollet doctor --json > report.json");
  add_device_option(*verb, session);
  verb->callback([&session] {
    session.verb = [&session] {
      const auto options = session.discover_options();
      if (!options) return complain(options.error());
      Diagnosis diagnosis = session.diagnose(*options);
      int code = done;
      if (!session.device.empty()) {
        const auto request = session.request();
        if (!request) return complain(request.error());
        diagnosis.choice = choose(diagnosis.machine, *request);
        code = diagnosis.choice.error ? exit_code(*diagnosis.choice.error) : done;
        if (code == usage) return complain(*diagnosis.choice.error);
      }
      if (code == done && problems(diagnosis) != 0) code = failed;
      return session.show([&] { return doctor_json(diagnosis); },
                          [&](const Style& style) { return doctor_text(diagnosis, style); }, code);
    };
  });
}

}  // namespace collet::tool
