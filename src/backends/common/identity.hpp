// How a device's identity is written, so that two APIs name the same device alike.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace collet::backend::common {

// Two digits per byte, in the order in which the driver gives them.
inline std::string hexadecimal(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// As lspci writes it: "0000:65:00.0".
inline std::string pci_address(std::uint32_t domain, std::uint32_t bus, std::uint32_t device,
                               std::uint32_t function) {
  char text[48];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", domain, bus, device, function);
  return text;
}

}  // namespace collet::backend::common
