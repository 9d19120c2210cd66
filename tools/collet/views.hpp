// What each verb shows, as text and as JSON. Pure: the same facts give the same output.
#pragma once

#include <collet/diagnosis.hpp>
#include <string>
#include <vector>

#include "build.hpp"
#include "check.hpp"
#include "json.hpp"
#include "table.hpp"

namespace collet::tool {

std::string backends_text(const Machine& machine, const Style& style);
Json backends_json(const Machine& machine);

std::string devices_text(const Machine& machine, const Choice& choice, const Style& style);
// Every property of every device.
std::string properties_text(const Machine& machine, const Choice& choice, const Style& style);
Json devices_json(const Machine& machine, const Choice& choice);

std::string default_text(const Choice& choice, const Style& style);
Json default_json(const Choice& choice);

// Ten lines.
std::string summary_text(const Build& build, const Machine& machine, const Choice& choice,
                         const Style& style);
Json summary_json(const Build& build, const Machine& machine, const Choice& choice);

// A row for each backend; all that is known where there is only one.
std::string status_text(const Machine& machine, const Style& style);
Json status_json(const Machine& machine);

std::string doctor_text(const Diagnosis& diagnosis, const Style& style);
Json doctor_json(const Diagnosis& diagnosis);

// A part for each kernel, in their order.
std::string check_text(const std::vector<KernelCheck>& checks, const Style& style);
Json check_json(const std::vector<KernelCheck>& checks);

std::string version_text(const Build& build, const Style& style);
Json version_json(const Build& build);

}  // namespace collet::tool
