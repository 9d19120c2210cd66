// collet check: whether kernels are valid, what they need, and which languages take them. Asks no driver.

#include "check.hpp"

#include <algorithm>
#include <memory>

#include "core/kernel_state.hpp"
#include "dialects.hpp"
#include "exit_code.hpp"
#include "kernel/ir/sizes.hpp"
#include "kernels.hpp"
#include "labels.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

bool any_node(const ir::Kernel& kernel, bool (*holds)(const ir::Node&)) {
  return std::ranges::any_of(kernel.nodes, holds);
}

std::string group_text(const std::array<std::uint32_t, 3>& group) {
  return std::to_string(group[0]) + " x " + std::to_string(group[1]) + " x " + std::to_string(group[2]);
}

const char* access(const AnyParameter& parameter) {
  if (!parameter.buffer) return "value";
  return parameter.read && parameter.written ? "inout" : parameter.written ? "out" : "in";
}

// "f32", or the size of a struct.
std::string type_text(const AnyParameter& parameter) {
  return parameter.type.empty() ? "struct of " + counted(parameter.size, "byte") : parameter.type;
}

std::string source_text(const std::string& given) {
  return given == kStandardInput ? "standard input" : given;
}

std::string facts_text(const std::string& given, const KernelFacts& kernel, const Style& style) {
  Table facts({{}, {.title = "", .flexible = true}});
  facts.row({"kernel", kernel.name});
  if (given != kernel.name) facts.row({"from", source_text(given)});
  facts.row({"verdict", {"valid", Colour::good}});
  facts.row({"group", group_text(kernel.group)});
  facts.row({"workgroup memory", size(kernel.workgroup_bytes)});
  facts.row({"barriers", kernel.has_barriers ? "yes" : "no"});
  facts.row({"atomics", kernel.has_atomics ? "yes" : "no"});
  facts.row({"needs", kernel.features.empty() ? Cell("-", Colour::faint) : Cell(joined(kernel.features))});
  std::string text = facts.render(style);

  Table parameters({{.title = "ARGUMENT", .flexible = true}, {.title = "ACCESS"}, {.title = "TYPE"}});
  for (const AnyParameter& one : kernel.parameters) parameters.row({one.name, access(one), type_text(one)});
  if (!parameters.empty()) text += "\n" + parameters.render(style);

  Table languages({{.title = "LANGUAGE"}, {.title = "WRITTEN"}, {.title = "WHY NOT", .flexible = true}});
  for (const WrittenIn& one : kernel.languages) {
    const bool good = one.refused.empty();
    languages.row({one.dialect, {good ? "yes" : "no", good ? Colour::good : Colour::bad}, one.refused});
  }
  return text + "\n" + languages.render(style);
}

std::string fault_text(const std::string& given, const KernelFault& fault, const Style& style) {
  Table facts({{}, {.title = "", .flexible = true}});
  facts.row({"from", source_text(given)});
  facts.row({"verdict", {"wrong", Colour::bad}});
  facts.row({"error", fault.error.message()});
  if (!fault.error.hint().empty()) facts.row({"hint", fault.error.hint()});
  return facts.render(style);
}

Json parameter_json(const AnyParameter& parameter) {
  Json json{{"name", parameter.name}, {"type", optional_text(parameter.type)}, {"bytes", parameter.size}};
  if (parameter.buffer) json["access"] = access(parameter);
  return json;
}

Json facts_json(const KernelFacts& kernel) {
  Json json{{"name", kernel.name}, {"group", kernel.group}};
  json["buffers"] = Json::array();
  json["values"] = Json::array();
  for (const AnyParameter& one : kernel.parameters)
    json[one.buffer ? "buffers" : "values"].push_back(parameter_json(one));
  json["workgroup_bytes"] = kernel.workgroup_bytes;
  json["barriers"] = kernel.has_barriers;
  json["atomics"] = kernel.has_atomics;
  json["features"] = kernel.features;
  json["dialects"] = Json::array();
  for (const WrittenIn& one : kernel.languages)
    json["dialects"].push_back({{"name", one.dialect}, {"refused", optional_text(one.refused)}});
  return json;
}

Json fault_json(const KernelFault& fault) {
  return {
      {"line", fault.line}, {"message", fault.error.message()}, {"hint", optional_text(fault.error.hint())}};
}

Error named_twice() {
  return Error(ErrorCode::invalid_argument, Category::runtime, "Standard input (-) is named twice.")
      .with_hint("It can be read only once.");
}

int check_all(const Session& session, const std::vector<std::string>& given) {
  if (std::ranges::count(given, kStandardInput) > 1) return complain(named_twice());
  std::vector<KernelCheck> checks;
  bool all_valid = true;
  for (const std::string& name : given) {
    KernelCheck check{.given = name, .facts = {}, .fault = {}};
    std::uint32_t line = 0;
    const auto kernel = find_kernel(name, &line);
    if (kernel) {
      check.facts = facts_of(*kernel);
    } else if (line != 0) {
      check.fault = {.line = line, .error = kernel.error()};
    } else {
      return complain(kernel.error());  // nothing was read
    }
    all_valid = all_valid && kernel;
    checks.push_back(std::move(check));
  }
  return session.show([&] { return check_json(checks); },
                      [&](const Style& style) { return check_text(checks, style); },
                      all_valid ? done : failed);
}

}  // namespace

KernelFacts facts_of(const AnyKernel& kernel) {
  KernelFacts facts{.name = kernel.name(), .group = kernel.group().size, .parameters = kernel.parameters()};
  const auto& traced = kernel.state()->traced;
  if (traced != nullptr && *traced) {
    facts.workgroup_bytes = ir::workgroup_bytes(**traced);
    facts.has_barriers = any_node(**traced, [](const ir::Node& node) { return node.op == ir::Op::barrier; });
    facts.has_atomics = any_node(**traced, [](const ir::Node& node) { return ir::is_atomic(node.op); });
  }
  for (const Dialect& dialect : kDialects) {
    const auto code = kernel.emit(dialect.format);
    facts.languages.push_back({dialect.name, code ? "" : code.error().message()});
    if (!code) continue;
    for (const std::string& feature : code->features) {
      if (std::ranges::find(facts.features, feature) == facts.features.end())
        facts.features.push_back(feature);
    }
  }
  return facts;
}

std::string check_text(const std::vector<KernelCheck>& checks, const Style& style) {
  std::string text;
  for (const KernelCheck& one : checks) {
    if (!text.empty()) text += "\n";
    text += one.facts ? facts_text(one.given, *one.facts, style) : fault_text(one.given, *one.fault, style);
  }
  return text;
}

Json check_json(const std::vector<KernelCheck>& checks) {
  Json json = answer();
  json["kernels"] = Json::array();
  for (const KernelCheck& one : checks) {
    json["kernels"].push_back({{"given", one.given},
                               {"valid", one.facts.has_value()},
                               {"error", one.fault ? fault_json(*one.fault) : Json(nullptr)},
                               {"facts", one.facts ? facts_json(*one.facts) : Json(nullptr)}});
  }
  return json;
}

void add_check(CLI::App& app, Session& session) {
  CLI::App* verb =
      app.add_subcommand("check", "whether kernels are valid, what they need, and which languages take them");
  verb->footer(
      "collet check saxpy\ncollet check *.ir\ncollet check --json kernel.ir | jq '.kernels[0].error'");
  const auto given = std::make_shared<std::vector<std::string>>();
  verb->add_option("KERNEL", *given, "built-in kernels, files of IR text, or - for standard input")
      ->required();
  verb->callback(
      [&session, given] { session.verb = [&session, given] { return check_all(session, *given); }; });
}

}  // namespace collet::tool
