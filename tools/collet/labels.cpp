// Words and colours that several verbs use.

#include "labels.hpp"

#include <algorithm>

#include "text.hpp"

namespace collet::tool {

Cell rung_cell(Rung rung) {
  const Colour colour = rung == Rung::verified    ? Colour::good
                        : rung == Rung::not_built ? Colour::faint
                        : rung <= Rung::loaded    ? Colour::warning
                                                  : Colour::none;
  return {std::string(to_string(rung)), colour};
}

std::string explanation(const BackendInfo& backend) {
  std::string text = backend.message;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  };
  if (text.find(backend.fault) == std::string::npos) add("The probe " + backend.fault + ".");
  if (!backend.fix.empty()) add("Fix: " + backend.fix);
  return text;
}

std::string kinds(const Machine& machine, const std::string& backend) {
  bool native = false;
  bool software = false;
  bool simulated = false;
  for (const DeviceInfo& device : machine.devices) {
    if (device.backend != backend) continue;
    (device.type == DeviceType::software    ? software
     : device.type == DeviceType::simulated ? simulated
                                            : native) = true;
  }
  std::string text;
  const auto add = [&](bool is, const char* word) {
    if (is) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(native, "native");
  add(software, "software");
  add(simulated, "simulated");
  return text;
}

const Candidate* find_candidate(const Choice& choice, const DeviceInfo& device) {
  const auto found = std::ranges::find_if(
      choice.candidates, [&](const Candidate& one) { return one.device.id() == device.id(); });
  return found == choice.candidates.end() ? nullptr : &*found;
}

const DeviceInfo* selected(const Choice& choice) {
  return choice.selected ? &choice.candidates[*choice.selected].device : nullptr;
}

bool is_default(const Choice& choice, const DeviceInfo& device) {
  const DeviceInfo* best = selected(choice);
  return best != nullptr && best->id() == device.id();
}

std::string remark(const Choice& choice, const DeviceInfo& device) {
  if (is_default(choice, device)) return "default";
  const Candidate* candidate = find_candidate(choice, device);
  if (candidate == nullptr) return device.refused.empty() ? "" : "refused: " + device.refused;
  if (!candidate->same_as.empty()) return "the same device as " + candidate->same_as;
  return candidate->refused.empty() ? "" : "refused: " + candidate->refused;
}

std::string parts_words(const Candidate& candidate) {
  std::vector<std::string> parts;
  parts.reserve(candidate.parts.size());
  for (const ScorePart& part : candidate.parts)
    parts.push_back(part.name + " " + std::to_string(part.points) + " (" + part.because + ")");
  return joined(parts);
}

std::string heading(const Style& style, const std::string& title) {
  return paint(style, Colour::bold, title) + "\n";
}

std::string paragraph(const Style& style, const std::string& text, std::size_t indent) {
  Table table({{.title = "", .flexible = true}});
  table.row({text});
  return table.render(style, indent);
}

}  // namespace collet::tool
