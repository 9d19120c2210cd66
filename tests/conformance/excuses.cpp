// Which behaviour shows which quirk.

#include "conformance/excuses.hpp"

#include <algorithm>

namespace conformance {
namespace {

constexpr std::string_view kPrefix = "conformance ";

bool shows(const Behaviour& behaviour, const collet::drivers::Quirk& quirk) {
  return quirk.reproducer == std::string(kPrefix) + behaviour.full_name();
}

}  // namespace

const collet::drivers::Quirk* find_excuse(const Behaviour& behaviour, const collet::DeviceInfo& device) {
  const auto quirks = collet::drivers::quirks_of(device);
  const auto found = std::find_if(quirks.begin(), quirks.end(), [&](const auto* quirk) {
    return quirk->shows && shows(behaviour, *quirk);
  });
  return found == quirks.end() ? nullptr : *found;
}

std::vector<std::string> stale_excuses() {
  std::vector<std::string> stale;
  for (const collet::drivers::Quirk& quirk : collet::drivers::known_quirks()) {
    if (!quirk.reproducer.starts_with(kPrefix)) continue;
    const auto is_shown = [&](const Behaviour& one) { return shows(one, quirk); };
    if (std::any_of(behaviours().begin(), behaviours().end(), is_shown)) continue;
    stale.push_back("The quirk " + std::string(quirk.id) + " is shown by (" + std::string(quirk.reproducer) +
                    "), and there is no such behaviour.");
  }
  return stale;
}

}  // namespace conformance
