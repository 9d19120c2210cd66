// What OpenCL devices say of themselves, and what is made of it. The devices are described: no such driver
// runs here.

#include <gtest/gtest.h>

#include "backends/opencl/device.hpp"
#include "doubles/described_opencl.hpp"

namespace collet::backend::opencl {
namespace {

using test::DescribedOpenCl;
using Described = DescribedOpenCl::Device;

constexpr cl_version version(int major, int minor) { return CL_MAKE_VERSION(major, minor, 0); }

// What every device says.
Described ordinary() {
  Described device;
  device.says(CL_DEVICE_NAME, "Ordinary")
      .says(CL_DEVICE_TYPE, cl_device_type{CL_DEVICE_TYPE_GPU})
      .says(CL_DRIVER_VERSION, "7")
      .says(CL_DEVICE_VERSION, "OpenCL 1.2 ")
      .says(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 ")
      .says(CL_DEVICE_PROFILE, "FULL_PROFILE")
      .says(CL_DEVICE_EXTENSIONS, "cl_khr_byte_addressable_store")
      .says(CL_DEVICE_COMPILER_AVAILABLE, cl_bool{CL_TRUE})
      .says(CL_DEVICE_ADDRESS_BITS, cl_uint{64})
      .says(CL_DEVICE_MAX_PARAMETER_SIZE, std::size_t{4352})
      .says(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint{4096})
      .says(CL_DEVICE_MAX_WORK_GROUP_SIZE, std::size_t{1024})
      .says(CL_DEVICE_MAX_WORK_ITEM_SIZES, std::array<std::size_t, 3>{1024, 512, 64})
      .says(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong{1} << 30)
      .says(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong{49152});
  return device;
}

struct Read {
  Candidate candidate;
  Caps caps;
};

Read read(const Described& device) {
  DescribedOpenCl opencl;
  opencl.platforms.push_back({.name = "Platform", .devices = {device}});
  const Api api = opencl.api();
  Read made{.candidate = enumerate(api).value().at(0), .caps = {}};
  made.caps = device_caps(api, made.candidate);
  return made;
}

TEST(OpenClInfo, OfAnNvidiaCard) {
  cl_device_pci_bus_info_khr pci{.pci_domain = 0, .pci_bus = 0x65, .pci_device = 0x1a, .pci_function = 3};
  const std::array<cl_name_version, 4> languages{{{.version = version(1, 0), .name = "OpenCL C"},
                                                  {.version = version(3, 0), .name = "OpenCL C"},
                                                  {.version = version(1, 2), .name = "OpenCL C"},
                                                  {.version = version(4, 0), .name = "OpenCL C"}}};
  std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid{};
  uuid[0] = 0xfe;
  uuid[15] = 0x07;
  const Read device = read(ordinary()
                               .says(CL_DEVICE_NAME, "NVIDIA GeForce RTX 3060")
                               .says(CL_DEVICE_VENDOR, "NVIDIA Corporation")
                               .says(CL_DRIVER_VERSION, "535.183")
                               .says(CL_DEVICE_VERSION, "OpenCL 3.0 CUDA")
                               .says(CL_DEVICE_OPENCL_C_ALL_VERSIONS, languages)
                               .says(CL_DEVICE_EXTENSIONS,
                                     "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
                                     "cl_nv_device_attribute_query "
                                     "cl_khr_device_uuid cl_khr_pci_bus_info")
                               .says(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool{CL_FALSE})
                               .says(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong{12} << 30)
                               .says(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint{28})
                               .says(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint{1777})
                               .says(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong{802816})
                               .says(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool{CL_TRUE})
                               .says(CL_DEVICE_QUEUE_PROPERTIES,
                                     cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                                 CL_QUEUE_PROFILING_ENABLE})
                               .says(CL_DEVICE_WARP_SIZE_NV, cl_uint{32})
                               .says(CL_DEVICE_REGISTERS_PER_BLOCK_NV, cl_uint{65536})
                               .says(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, cl_uint{8})
                               .says(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, cl_uint{6})
                               .says(CL_DEVICE_UUID_KHR, uuid)
                               .says(CL_DEVICE_PCI_BUS_INFO_KHR, pci));
  const DeviceInfo& info = device.candidate.info;
  EXPECT_EQ(device.candidate.refusal, "");
  EXPECT_EQ(device.candidate.version, 300u);
  EXPECT_EQ(device.candidate.c_version, 300u) << "OpenCL C 4.0 is not known";
  EXPECT_EQ(info.id(), "opencl:0");
  EXPECT_EQ(info.name, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(info.vendor, "NVIDIA Corporation");
  EXPECT_EQ(info.driver, "Platform 535.183");
  EXPECT_EQ(info.api_version, "3.0");
  EXPECT_EQ(info.type, DeviceType::discrete);
  EXPECT_EQ(info.integrated, false);
  EXPECT_EQ(info.unified_memory, false);
  EXPECT_EQ(info.memory_total, std::uint64_t{12} << 30);
  EXPECT_EQ(info.shared_memory_per_group, 49152u);
  EXPECT_EQ(info.subgroup_size, 32u);
  EXPECT_EQ(info.max_group_items, 1024u);
  EXPECT_EQ(info.max_group_size, (std::array<std::uint32_t, 3>{1024, 512, 64}));
  EXPECT_EQ(info.max_allocation, std::uint64_t{1} << 30);
  EXPECT_EQ(info.max_binding_range, std::uint64_t{1} << 30);
  EXPECT_EQ(info.compute_units, 28u);
  EXPECT_EQ(info.clock_mhz, 1777u);
  EXPECT_EQ(info.l2_cache, 802816u);
  EXPECT_EQ(info.ecc, true);
  EXPECT_EQ(info.timestamps, true);
  EXPECT_EQ(info.f16, false);
  EXPECT_EQ(info.f64, true);
  EXPECT_EQ(info.i64, true);
  EXPECT_EQ(info.i64_atomics, true);
  EXPECT_EQ(info.subgroups, false);
  EXPECT_EQ(info.registers_per_group, 65536u);
  EXPECT_EQ(info.compute_capability, "8.6");
  EXPECT_EQ(info.uuid, "fe000000000000000000000000000007");
  EXPECT_EQ(info.pci_address, "0000:65:1a.3");
}

TEST(OpenClInfo, WhatIsAskedForAndNotKnownIsNotMadeUp) {
  const Read device = read(ordinary());
  const DeviceInfo& info = device.candidate.info;
  EXPECT_EQ(device.candidate.c_version, 120u);
  EXPECT_FALSE(info.memory_total || info.compute_units || info.clock_mhz || info.l2_cache || info.ecc);
  EXPECT_FALSE(info.unified_memory || info.timestamps || info.subgroup_size || info.registers_per_group);
  EXPECT_FALSE(info.uuid || info.pci_address || info.compute_capability);
  EXPECT_EQ(info.type, DeviceType::discrete) << "a GPU that does not say whose memory it uses";
  EXPECT_FALSE(device.caps.timestamps);
}

TEST(OpenClInfo, TheTypeIsThatOfTheDevicesMemory) {
  const auto type = [](cl_device_type kind, cl_bool unified) {
    const Described described =
        ordinary().says(CL_DEVICE_TYPE, kind).says(CL_DEVICE_HOST_UNIFIED_MEMORY, unified);
    return read(described).candidate.info;
  };
  EXPECT_EQ(type(CL_DEVICE_TYPE_GPU, CL_TRUE).type, DeviceType::integrated);
  EXPECT_EQ(type(CL_DEVICE_TYPE_GPU, CL_TRUE).integrated, true);
  EXPECT_EQ(type(CL_DEVICE_TYPE_GPU, CL_FALSE).type, DeviceType::discrete);
  EXPECT_EQ(type(CL_DEVICE_TYPE_CPU, CL_TRUE).type, DeviceType::software);
  EXPECT_EQ(type(CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT, CL_FALSE).type, DeviceType::software);
  EXPECT_EQ(type(CL_DEVICE_TYPE_ACCELERATOR, CL_FALSE).type, DeviceType::other);
}

TEST(OpenClInfo, SubgroupsAreAskedForInTheVendorsWords) {
  const auto size = [](const Described& described) { return read(described).candidate.info.subgroup_size; };
  EXPECT_EQ(size(ordinary()
                     .says(CL_DEVICE_EXTENSIONS, "cl_amd_device_attribute_query")
                     .says(CL_DEVICE_WAVEFRONT_WIDTH_AMD, cl_uint{64})),
            64u);
  EXPECT_EQ(size(ordinary()
                     .says(CL_DEVICE_EXTENSIONS, "cl_intel_required_subgroup_size")
                     .says(CL_DEVICE_SUB_GROUP_SIZES_INTEL, std::array<std::size_t, 3>{8, 32, 16})),
            32u);
  EXPECT_EQ(size(ordinary().says(CL_DEVICE_WARP_SIZE_NV, cl_uint{32})), std::nullopt)
      << "without its extension";
}

TEST(OpenClInfo, SubgroupsNeedTheLanguageOrTheExtension) {
  const std::array<cl_name_version, 1> c3{{{.version = version(3, 0), .name = "OpenCL C"}}};
  const auto core = [&](const char* device, std::array<cl_name_version, 1> language, cl_uint most) {
    return *read(ordinary()
                     .says(CL_DEVICE_VERSION, device)
                     .says(CL_DEVICE_OPENCL_C_ALL_VERSIONS, language)
                     .says(CL_DEVICE_MAX_NUM_SUB_GROUPS, most))
                .candidate.info.subgroups;
  };
  const std::array<cl_name_version, 1> c1{{{.version = version(1, 2), .name = "OpenCL C"}}};
  EXPECT_TRUE(core("OpenCL 3.0 x", c3, 8));
  EXPECT_FALSE(core("OpenCL 3.0 x", c3, 0));
  EXPECT_FALSE(core("OpenCL 3.0 x", c1, 8));
  EXPECT_FALSE(core("OpenCL 2.1 x", c3, 8));

  const auto by = [](std::string_view extensions) {
    return read(ordinary().says(CL_DEVICE_EXTENSIONS, extensions)).candidate.info;
  };
  const DeviceInfo all = by("cl_khr_subgroups cl_khr_subgroup_shuffle");
  EXPECT_TRUE(*all.subgroups && *all.subgroup_arithmetic && *all.subgroup_vote && *all.subgroup_broadcast &&
              *all.subgroup_shuffle && *all.subgroup_i64);
  EXPECT_FALSE(*by("cl_khr_subgroups").subgroup_shuffle);
  EXPECT_FALSE(*by("cl_khr_subgroup_shuffle").subgroup_shuffle);
  EXPECT_FALSE(*by("cl_khr_subgroup_shuffle").subgroup_i64);
  const DeviceInfo small = read(ordinary()
                                    .says(CL_DEVICE_EXTENSIONS, "cl_khr_subgroups")
                                    .says(CL_DEVICE_PROFILE, "EMBEDDED_PROFILE"))
                               .candidate.info;
  EXPECT_TRUE(*small.subgroups);
  EXPECT_FALSE(*small.subgroup_i64);
}

TEST(OpenClInfo, TypesNeedTheProfileOrTheExtension) {
  const auto by = [](std::string_view extensions, const char* profile = "EMBEDDED_PROFILE") {
    return read(ordinary().says(CL_DEVICE_EXTENSIONS, extensions).says(CL_DEVICE_PROFILE, profile))
        .candidate.info;
  };
  EXPECT_FALSE(*by("").i64);
  EXPECT_TRUE(*by("cles_khr_int64").i64);
  EXPECT_TRUE(*by("", "FULL_PROFILE").i64);
  EXPECT_TRUE(*by("cl_khr_fp16").f16);
  EXPECT_FALSE(*by("cl_khr_fp16x cl_khr_fp1").f16) << "not the whole word";
  EXPECT_FALSE(*by("").f64);
  EXPECT_TRUE(*by("cl_khr_fp64").f64);
  EXPECT_TRUE(
      *read(ordinary().says(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config{CL_FP_FMA})).candidate.info.f64);
  EXPECT_FALSE(*by("cl_khr_int64_base_atomics").i64_atomics);
  EXPECT_FALSE(*by("cl_khr_int64_extended_atomics").i64_atomics);
}

TEST(OpenClInfo, FormatsAreThoseThatTheDeviceTakes) {
  using enum Format;
  EXPECT_EQ(read(ordinary()).caps.formats, (std::vector{opencl_c}));
  Described il = ordinary().says(CL_DEVICE_IL_VERSION, "SPIR-V_1.2");
  EXPECT_EQ(read(il).caps.formats, (std::vector{opencl_c})) << "1.2 can't be asked for it";
  EXPECT_EQ(read(Described(il).says(CL_DEVICE_VERSION, "OpenCL 2.1 x")).caps.formats,
            (std::vector{opencl_c, spirv_kernel}));
  EXPECT_EQ(read(Described(il).says(CL_DEVICE_EXTENSIONS, "cl_khr_il_program")).caps.formats,
            (std::vector{opencl_c, spirv_kernel}));
  EXPECT_EQ(read(Described(il)
                     .says(CL_DEVICE_VERSION, "OpenCL 2.1 x")
                     .says(CL_DEVICE_COMPILER_AVAILABLE, cl_bool{CL_FALSE}))
                .caps.formats,
            (std::vector{spirv_kernel}));
  EXPECT_EQ(read(ordinary().says(CL_DEVICE_VERSION, "OpenCL 2.1 x").says(CL_DEVICE_IL_VERSION, "PTX_6"))
                .caps.formats,
            (std::vector{opencl_c}));
}

TEST(OpenClInfo, WhatCanNotBeUsedSaysWhy) {
  const Read old = read(ordinary().says(CL_DEVICE_VERSION, "OpenCL 1.1 Old"));
  EXPECT_EQ(old.candidate.refusal, "it has OpenCL 1.1 (\"OpenCL 1.1 Old\"), and 1.2 is the oldest accepted");
  EXPECT_EQ(old.candidate.info.rung, Rung::loaded);
  const Read bare = read(ordinary().says(CL_DEVICE_COMPILER_AVAILABLE, cl_bool{CL_FALSE}));
  EXPECT_EQ(bare.candidate.refusal, "it has neither a compiler nor takes SPIR-V");
  EXPECT_EQ(bare.candidate.info.rung, Rung::loaded);
}

TEST(OpenClInfo, PointersAndConstantsShareTheParameters) {
  const auto caps = [](std::size_t bytes, cl_uint bits) {
    return read(ordinary().says(CL_DEVICE_MAX_PARAMETER_SIZE, bytes).says(CL_DEVICE_ADDRESS_BITS, bits)).caps;
  };
  EXPECT_EQ(caps(4352, 64).max_bindings, 64u);
  EXPECT_EQ(caps(4352, 64).max_constants_size, 3840u);
  EXPECT_EQ(caps(1027, 64).max_bindings, 64u);
  EXPECT_EQ(caps(1027, 64).max_constants_size, 512u) << "whole words";
  EXPECT_EQ(caps(256, 64).max_bindings, 16u);
  EXPECT_EQ(caps(256, 64).max_constants_size, 128u);
  EXPECT_EQ(caps(256, 32).max_bindings, 32u);
  EXPECT_EQ(caps(256, 32).max_constants_size, 128u);
}

TEST(OpenClInfo, GroupsAreCountedInTheDevicesAddresses) {
  EXPECT_EQ(read(ordinary()).caps.max_groups, (std::array<std::uint32_t, 3>{~0u, ~0u, ~0u}));
  EXPECT_EQ(read(ordinary().says(CL_DEVICE_ADDRESS_BITS, cl_uint{32})).caps.max_groups,
            (std::array<std::uint32_t, 3>{4194303, 4194303, 4194303}));
}

TEST(OpenClInfo, LimitsAreTheDevices) {
  const Caps caps = read(ordinary()).caps;
  EXPECT_EQ(caps.max_allocation, std::uint64_t{1} << 30);
  EXPECT_EQ(caps.max_binding_range, std::uint64_t{1} << 30);
  EXPECT_EQ(caps.offset_alignment, 512u) << "OpenCL says it in bits";
  EXPECT_EQ(caps.max_group_items, 1024u);
  EXPECT_EQ(caps.max_group_size, (std::array<std::uint32_t, 3>{1024, 512, 64}));
  EXPECT_EQ(caps.max_shared_bytes, 49152u);
  EXPECT_TRUE(caps.host_commands);
  EXPECT_FALSE(caps.shared_blocks || caps.mapped);
}

TEST(OpenClInfo, FiguresThatCanNotBeTrueDoNoHarm) {
  const Read device = read(ordinary()
                               .says(CL_DEVICE_VERSION, "OpenCL 3")
                               .says(CL_DEVICE_ADDRESS_BITS, cl_uint{0})
                               .says(CL_DEVICE_MAX_PARAMETER_SIZE, ~std::size_t{0})
                               .says(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint{0})
                               .says(CL_DEVICE_MAX_WORK_GROUP_SIZE, std::size_t{1} << 32)
                               .says(CL_DEVICE_MAX_WORK_ITEM_SIZES, std::array<std::size_t, 2>{1, 1})
                               .says(CL_DEVICE_LOCAL_MEM_SIZE, ~cl_ulong{0}));
  EXPECT_NE(device.candidate.refusal, "");
  EXPECT_EQ(device.caps.offset_alignment, 4u);
  EXPECT_EQ(device.caps.max_bindings, 64u);
  EXPECT_EQ(device.caps.max_constants_size, ~3u);
  EXPECT_EQ(device.caps.max_group_items, ~0u);
  EXPECT_EQ(device.caps.max_group_size, (std::array<std::uint32_t, 3>{1, 1, 1}));
  EXPECT_EQ(device.caps.max_shared_bytes, ~0u);
  EXPECT_EQ(read(ordinary().says(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint{24 * 8})).caps.offset_alignment, 32u);
}

TEST(OpenClInfo, APlatformThatFailsDoesNotHideTheOthers) {
  DescribedOpenCl opencl;
  opencl.platforms.push_back({.name = "Fails", .devices = {ordinary()}, .status = CL_OUT_OF_HOST_MEMORY});
  opencl.platforms.push_back(
      {.name = "Two", .devices = {ordinary(), ordinary().says(CL_DEVICE_NAME, "Second")}});
  opencl.platforms.push_back({.name = "Counts too many", .devices = {ordinary()}, .counted = 257});
  opencl.platforms.push_back({.name = "Empty", .devices = {}});
  opencl.platforms.push_back({.name = "Last", .devices = {ordinary().says(CL_DEVICE_NAME, "Third")}});
  const auto found = enumerate(opencl.api()).value();
  std::string names;
  for (const Candidate& one : found)
    names += one.info.id() + " " + one.info.name + ", " + one.info.driver + "; ";
  EXPECT_EQ(names, "opencl:0 Ordinary, Two 7; opencl:1 Second, Two 7; opencl:2 Third, Last 7; ");
}

}  // namespace
}  // namespace collet::backend::opencl
