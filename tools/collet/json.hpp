// Facts as JSON, in the shapes of docs/schema.
#pragma once

#include <collet/discovery.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace collet::tool {

// Keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

// The beginning of every answer: {"version": 1}. The number rises when a key changes its meaning or goes
// away.
Json answer();
// Indented; broken UTF-8 in a driver's words is replaced.
std::string written(const Json& json);

// null for "".
Json optional_text(const std::string& text);
// "not built" becomes "not_built".
std::string identifier(std::string_view words);

// Every property, null where it was not reported, behind the id.
Json device_json(const DeviceInfo& device);
Json backend_json(const BackendInfo& backend);
Json choice_json(const Choice& choice);

}  // namespace collet::tool
