// Words and colours that several verbs use.
#pragma once

#include <collet/discovery.hpp>
#include <string>

#include "table.hpp"

namespace collet::tool {

// The rung in its colour.
Cell rung_cell(Rung rung);

// What keeps a backend from more, then what to do about it; "" where there is nothing to say.
std::string explanation(const BackendInfo& backend);

// "native", "software", "simulated", "native, software", or "" without a device.
std::string kinds(const Machine& machine, const std::string& backend);

// The candidate for a device; null where there is none.
const Candidate* find_candidate(const Choice& choice, const DeviceInfo& device);
// The device that was chosen; null where none was.
const DeviceInfo* selected(const Choice& choice);
bool is_default(const Choice& choice, const DeviceInfo& device);

// The words behind a device in a list: "default", what it is the same as, why it is refused, or "".
std::string remark(const Choice& choice, const DeviceInfo& device);

// "type 1000 (discrete), memory 24 (24 GiB)": not all of them count for the score.
std::string parts_words(const Candidate& candidate);

// A title for a part of a longer text.
std::string heading(const Style& style, const std::string& title);
// Lines that fit the style, each indented.
std::string paragraph(const Style& style, const std::string& text, std::size_t indent);

}  // namespace collet::tool
