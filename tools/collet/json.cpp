// Facts as JSON.

#include "json.hpp"

#include <algorithm>
#include <collet/detail/device_fields.hpp>

namespace collet::tool {
namespace {

template <class T>
Json value(const T& member) {
  return member;
}
Json value(const std::string& text) { return optional_text(text); }
Json value(DeviceType type) { return identifier(to_string(type)); }
Json value(Rung rung) { return identifier(to_string(rung)); }
template <class T>
Json value(const std::optional<T>& member) {
  return member ? Json(*member) : Json(nullptr);
}

Json error_json(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return {{"code", to_string(error->code())},
          {"cause", to_string(error->cause())},
          {"message", error->message()},
          {"hint", optional_text(error->hint())}};
}

Json candidate_json(const Candidate& candidate) {
  Json parts = Json::array();
  for (const ScorePart& part : candidate.parts)
    parts.push_back({{"name", part.name}, {"points", part.points}, {"because", part.because}});
  return {{"id", candidate.device.id()},
          {"name", candidate.device.name},
          {"type", value(candidate.device.type)},
          {"score", candidate.score},
          {"parts", std::move(parts)},
          {"refused", optional_text(candidate.refused)},
          {"same_as", optional_text(candidate.same_as)}};
}

std::string_view kind_name(DriverFile::Kind kind) {
  switch (kind) {
    case DriverFile::Kind::loader: return "loader";
    case DriverFile::Kind::manifest: return "manifest";
    case DriverFile::Kind::driver: return "driver";
  }
  return "unknown";
}

}  // namespace

Json answer() { return {{"version", 1}}; }

std::string written(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json optional_text(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string identifier(std::string_view words) {
  std::string out(words);
  std::ranges::replace(out, ' ', '_');
  return out;
}

Json device_json(const DeviceInfo& device) {
  Json json = {{"id", device.id()}};
  detail::each_field(device, [&](const char* name, const auto& member) { json[name] = value(member); });
  return json;
}

Json backend_json(const BackendInfo& backend) {
  Json files = Json::array();
  for (const DriverFile& file : backend.files) {
    files.push_back(
        {{"kind", kind_name(file.kind)}, {"path", file.path}, {"problem", optional_text(file.problem)}});
  }
  return {{"id", backend.id},
          {"rung", value(backend.rung)},
          {"message", backend.message},
          {"fix", backend.fix},
          {"library", optional_text(backend.library)},
          {"version", optional_text(backend.version)},
          {"device_count", backend.device_count},
          {"fault", optional_text(backend.fault)},
          {"isolated", backend.isolated},
          {"cached", backend.cached},
          {"probe_ms", backend.probe_ms},
          {"files", std::move(files)}};
}

Json choice_json(const Choice& choice) {
  Json candidates = Json::array();
  for (const Candidate& candidate : choice.candidates) candidates.push_back(candidate_json(candidate));
  return {
      {"requested", choice.requested},
      {"selected", choice.selected ? Json(choice.candidates[*choice.selected].device.id()) : Json(nullptr)},
      {"reason", choice.reason},
      {"error", error_json(choice.error)},
      {"candidates", std::move(candidates)}};
}

}  // namespace collet::tool
