// The messages that checked mode adds to a kernel.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "kernel/emit/rewriter.hpp"
#include "kernel/ir/message.hpp"

namespace collet::emit {

// Accesses that say the same of one memory on one line share a message; those beyond the most that there may
// be share one without a line. Threads: one at a time.
class CheckMessages {
 public:
  // `kinds`: the different things that a pass says of one memory.
  CheckMessages(const Kernel& from, std::size_t kinds)
      : places_(from.places), reserved_(kinds * from.memories.size()) {}

  // The number in `to` of what is said of `access`; all values are u32.
  std::uint32_t number_of(Kernel& to, const Node& access, ir::Message::Kind kind, const std::string& text,
                          std::size_t values) {
    const bool full = to.messages.size() + reserved_ >= ir::kMostMessages;
    const auto [known, added] =
        numbers_.try_emplace(Key{full ? kNone : access.place, access.low(), kind, text},
                             static_cast<std::uint32_t>(to.messages.size()));
    if (!added) return known->second;
    const ir::Place place = full || access.place >= places_.size() ? ir::Place{} : places_[access.place];
    to.messages.push_back({.kind = kind,
                           .text = text,
                           .file = place.file,
                           .line = place.line,
                           .values = std::vector<Scalar>(values, Scalar::u32),
                           .memory = access.low()});
    return known->second;
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, ir::Message::Kind, std::string>;

  const std::vector<ir::Place>& places_;
  const std::size_t reserved_;  // messages without a line
  std::map<Key, std::uint32_t> numbers_;
};

}  // namespace collet::emit
