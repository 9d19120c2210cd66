// Everything that decides what runs here, gathered and judged.

#include <algorithm>

#include "collet/diagnosis.hpp"
#include "collet/quirks.hpp"
#include "discovery/environment.hpp"
#include "discovery/probe.hpp"
#include "discovery/registry.hpp"
#include "discovery/sentence.hpp"
#include "platform/platform.hpp"

namespace collet {
namespace {

using Severity = Finding::Severity;

std::string counted(std::uint32_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Not for those that are not written yet: nobody here can do anything about them.
void judge(const BackendInfo& backend, std::vector<Finding>& findings) {
  const auto add = [&](Severity severity, std::string message) {
    findings.push_back({severity, backend.id, std::move(message), backend.fix});
  };
  if (!backend.fault.empty()) {
    add(Severity::problem, "The probe " + backend.fault + ".");
  } else if (backend.rung == Rung::not_built) {
    if (!backend.fix.empty())
      add(Severity::note, "It is not in this build: " + discovery::sentence(backend.message));
  } else if (backend.device_count == 0) {
    const bool named = !platform::chosen_library(backend.id).empty();  // so somebody wants it
    add(named ? Severity::problem : Severity::note,
        backend.message.empty() ? "It has no device." : discovery::sentence(backend.message));
  } else if (backend.rung < Rung::verified) {
    add(Severity::note, "It has " + counted(backend.device_count, "device") +
                            ", and on none was a kernel seen to compute what the CPU computes.");
  } else {
    add(Severity::good,
        "It has " + counted(backend.device_count, "device") + ", and computes what the CPU computes.");
  }
  for (const DriverFile& file : backend.files) {
    if (file.problem.empty()) continue;
    // A driver below two APIs is a file of both.
    if (std::ranges::any_of(findings, [&](const Finding& one) { return one.subject == file.path; })) continue;
    findings.push_back(
        {Severity::problem, file.path, "Of " + backend.id + ": " + discovery::sentence(file.problem),
         file.problem == "missing"
             ? "Install the package that it belongs to, or remove the file or variable that names it."
             : "Install the package that it belongs to again, or remove it."});
  }
}

void judge_remark(const BackendInfo& backend, std::vector<Finding>& findings) {
  const discovery::Known* known = discovery::find_backend(backend.id);
  if (known == nullptr || known->remark == nullptr) return;
  const auto remark = known->remark();
  if (!remark) {
    // A wrong request, such as a variable that names no file; anything else is a fact about the machine.
    const bool wrong = remark.error().code() == ErrorCode::invalid_argument;
    findings.push_back({wrong ? Severity::problem : Severity::note, backend.id,
                        discovery::sentence(remark.error().message()), remark.error().hint()});
  } else if (!remark->empty()) {
    findings.push_back({Severity::good, backend.id, *remark, ""});
  }
}

void judge(const DeviceInfo& device, const Machine& machine, std::vector<Finding>& findings) {
  if (device.refused.empty()) return;
  const auto backend = std::ranges::find(machine.backends, device.backend, &BackendInfo::id);
  findings.push_back({Severity::problem, device.id(),
                      device.name + " is never chosen: " + discovery::sentence(device.refused),
                      backend != machine.backends.end() && !backend->fix.empty()
                          ? backend->fix
                          : "Update its driver (" + device.driver + ")."});
}

// A probe in the program's own process is no fault of a driver, and gives every driver the means to end it.
void judge_isolation(const Machine& machine, std::vector<Finding>& findings) {
  const discovery::Helper helper = discovery::find_helper();
  if (std::ranges::find(machine.notes, helper.note) == machine.notes.end()) return;
  findings.push_back(
      {helper.switched_off ? Severity::note : Severity::problem, "collet-probe", helper.note,
       helper.switched_off
           ? ""
           : "Install collet-probe with the library, where only root or you may write, or name it "
             "by COLLET_PROBE or collet::set_helper()."});
}

void judge_quirks(const DeviceInfo& device, std::vector<Finding>& findings) {
  for (const DeviceQuirk& quirk : quirks(device)) {
    findings.push_back({Severity::note, device.id(),
                        "Its driver (" + device.driver + ") has the quirk " + quirk.id + ", which is " +
                            std::string(to_string(quirk.action)) + ": " + quirk.what,
                        ""});
  }
}

Finding judge(const platform::DeviceNode& node) {
  if (node.usable) return {Severity::good, node.path, "This user may open it.", ""};
  if (!node.owner_group.empty() && !node.in_group) {
    return {Severity::problem, node.path,
            "This user may not open it, being no member of the group " + node.owner_group + ".",
            "As root: usermod -aG " + node.owner_group + " USER; then log in again."};
  }
  return {Severity::problem, node.path, "This user may not open it.",
          "Ask the administrator for read and write access; in a container, pass the device on to it."};
}

std::vector<Variable> collet_variables(std::vector<Finding>& findings) {
  std::vector<Variable> variables;
  for (const discovery::KnownVariable& known : discovery::known_variables()) {
    const auto value = platform::environment(std::string(known.name).c_str());
    if (known.own && !value) continue;
    variables.push_back({.name = std::string(known.name),
                         .value = value.value_or(""),
                         .set = value.has_value(),
                         .known = true,
                         .meaning = std::string(known.meaning)});
  }
  for (const discovery::UnknownVariable& unknown : discovery::unknown_variables()) {
    variables.push_back({.name = unknown.name,
                         .value = platform::environment(unknown.name.c_str()).value_or(""),
                         .set = true,
                         .known = false,
                         .meaning = "unknown to Collet"});
    findings.push_back({Severity::problem, unknown.name, "Collet knows no such variable.",
                        unknown.nearest.empty() ? "Unset it." : "Did you mean " + unknown.nearest + "?"});
  }
  return variables;
}

// Those that are set and change what a backend's loader or driver finds.
std::vector<Variable> driver_variables() {
  std::vector<Variable> variables;
  for (const discovery::Known& known : discovery::known_backends()) {
    if (!known.listed || known.make == nullptr) continue;
    for (const std::string& name : known.make()->variables()) {
      const auto value = platform::environment(name.c_str());
      if (!value || name.starts_with("COLLET_")) continue;
      const auto seen = std::ranges::find(variables, name, &Variable::name);
      if (seen != variables.end()) {
        seen->meaning += ", " + std::string(known.id);
        continue;
      }
      variables.push_back({.name = name,
                           .value = *value,
                           .set = true,
                           .known = true,
                           .meaning = "changes what is found by " + std::string(known.id)});
    }
  }
  return variables;
}

Choice choose_by_environment(const Machine& machine, std::vector<Finding>& findings) {
  const auto request = Request::from_environment();
  if (!request) {
    const Error& error = request.error();
    findings.push_back({Severity::problem, "environment", error.message(), error.hint()});
    Choice none;
    none.reason = error.message();
    none.error = error;
    return none;
  }
  Choice choice = choose(machine, *request);
  if (choice.error)
    findings.push_back({Severity::problem, "open_best()", choice.error->message(), choice.error->hint()});
  return choice;
}

}  // namespace

Diagnosis diagnose(const DiscoverOptions& options) {
  Diagnosis diagnosis;
  diagnosis.machine = discover(options);
  for (const BackendInfo& backend : diagnosis.machine.backends) {
    judge(backend, diagnosis.findings);
    judge_remark(backend, diagnosis.findings);
  }
  for (const DeviceInfo& device : diagnosis.machine.devices) {
    judge(device, diagnosis.machine, diagnosis.findings);
    judge_quirks(device, diagnosis.findings);
  }
  if (options.isolated) judge_isolation(diagnosis.machine, diagnosis.findings);
  for (const platform::DeviceNode& node : platform::device_nodes()) diagnosis.findings.push_back(judge(node));
  diagnosis.variables = collet_variables(diagnosis.findings);
  diagnosis.driver_variables = driver_variables();
  diagnosis.choice = choose_by_environment(diagnosis.machine, diagnosis.findings);
  return diagnosis;
}

std::string_view to_string(Finding::Severity severity) {
  switch (severity) {
    case Severity::good: return "good";
    case Severity::note: return "note";
    case Severity::problem: return "problem";
  }
  return "unknown";
}

}  // namespace collet
