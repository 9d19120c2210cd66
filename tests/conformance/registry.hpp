// Which behaviours there are, which devices they run on, and what a backend is excused from.
//
// Threads: filled during static initialisation; read from the main thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collet/collet.hpp"

namespace conformance {

struct Behaviour {
  const char* suite;
  const char* name;
  const char* file;
  int line;
  void (*body)(collet::Device& device);

  std::string full_name() const { return std::string(suite) + "." + name; }
};

enum class Kind {
  never,    // the API has no such thing
  not_yet,  // ours to do
};

// An excluded behaviour still runs and must fail; where it passes, the program fails.
struct Exclusion {
  std::string behaviour;  // "Suite.Name", with * for any text
  Kind kind = Kind::not_yet;
  std::string reason;        // a whole sentence
  std::string device = "*";  // of the device's name, with * for any text
  bool run = true;           // false where the body would crash or hang
};

// Why a backend that takes no IR is excused from Races.Between* and Unwritten.*.
inline constexpr const char* kTakesNoIr =
    "Races and reads of what nobody wrote are looked for where a backend takes IR.";

using Open = collet::Result<collet::Device> (*)(const collet::DeviceInfo& info);

// They return true, to be the initialiser of a constant.
bool add_behaviour(const Behaviour& behaviour);
bool add_backend(std::string id, std::vector<Exclusion> exclusions);
// Another way to open devices than Device::open().
bool add_way(std::string name, Open open);

const std::vector<Behaviour>& behaviours();
bool knows_backend(std::string_view id);
// Null where the behaviour is not excluded.
const Exclusion* find_exclusion(const Behaviour& behaviour, const collet::DeviceInfo& device);
// The patterns of exclusions that match no behaviour, each with its backend.
std::vector<std::string> stale_exclusions();

// True where `text` is `pattern`, in which * stands for any text.
bool matches(std::string_view pattern, std::string_view text);

// The devices that this run is about. Each is opened once, on first use.
void set_devices(std::vector<collet::DeviceInfo> devices);
const std::vector<collet::DeviceInfo>& devices();
// By the way of that name; false where there is none.
bool open_devices_through(const std::string& way);
collet::Result<collet::Device> opened(const collet::DeviceInfo& info);
// Another device of this run; where there is none, the same one opened a second time.
collet::Device peer_of(const collet::Device& device);
void close_devices();

}  // namespace conformance
