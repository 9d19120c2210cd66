// The one list of a device's properties: what is stored, printed and exported goes by it.
#pragma once

#include "collet/properties.hpp"

namespace collet::detail {

// Calls visit(name, member) for every member of a DeviceInfo, in the order in which people read them.
template <class Info, class Visit>
void each_field(Info& info, Visit&& visit) {
  visit("backend", info.backend);
  visit("index", info.index);
  visit("name", info.name);
  visit("type", info.type);
  visit("vendor", info.vendor);
  visit("driver", info.driver);
  visit("api_version", info.api_version);
  visit("rung", info.rung);
  visit("refused", info.refused);
  visit("memory_total", info.memory_total);
  visit("shared_memory_per_group", info.shared_memory_per_group);
  visit("registers_per_group", info.registers_per_group);
  visit("subgroup_size", info.subgroup_size);
  visit("max_group_items", info.max_group_items);
  visit("max_group_size", info.max_group_size);
  visit("max_groups", info.max_groups);
  visit("max_allocation", info.max_allocation);
  visit("max_binding_range", info.max_binding_range);
  visit("compute_units", info.compute_units);
  visit("clock_mhz", info.clock_mhz);
  visit("l2_cache", info.l2_cache);
  visit("compute_capability", info.compute_capability);
  visit("ecc", info.ecc);
  visit("integrated", info.integrated);
  visit("unified_memory", info.unified_memory);
  visit("concurrent_kernels", info.concurrent_kernels);
  visit("timestamps", info.timestamps);
  visit("f16", info.f16);
  visit("f64", info.f64);
  visit("i64", info.i64);
  visit("i64_atomics", info.i64_atomics);
  visit("f32_atomics", info.f32_atomics);
  visit("storage8", info.storage8);
  visit("storage16", info.storage16);
  visit("exact_fma", info.exact_fma);
  visit("device_fences", info.device_fences);
  visit("subgroups", info.subgroups);
  visit("subgroup_arithmetic", info.subgroup_arithmetic);
  visit("subgroup_vote", info.subgroup_vote);
  visit("subgroup_broadcast", info.subgroup_broadcast);
  visit("subgroup_shuffle", info.subgroup_shuffle);
  visit("subgroup_i64", info.subgroup_i64);
  visit("uuid", info.uuid);
  visit("pci_address", info.pci_address);
}

}  // namespace collet::detail
