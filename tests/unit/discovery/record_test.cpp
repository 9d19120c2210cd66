// Records of probes: what is written is read back, and nothing hostile gets further than a refusal.

#include "discovery/record.hpp"

#include <gtest/gtest.h>

#include <random>

#include "collet/detail/device_fields.hpp"

namespace collet::discovery {
namespace {

DeviceInfo full_device(std::uint32_t index) {
  DeviceInfo device;
  device.backend = "vulkan";
  device.index = index;
  device.name = "A device, 100% \"new\" – Größe";
  device.type = DeviceType::virtual_gpu;
  device.vendor = "";
  device.driver = "driver 1.2";
  device.api_version = "1.3.230";
  device.rung = Rung::executed;
  device.refused = "It computes wrong results.";
  device.memory_total = ~std::uint64_t{0};
  device.shared_memory_per_group = 0;
  device.registers_per_group = 65536;
  device.subgroup_size = 32;
  device.max_group_items = 1024;
  device.max_group_size = {1024, 1024, 64};
  device.max_groups = {4294967295u, 65535, 0};
  device.max_allocation = 1;
  device.max_binding_range = 2;
  device.compute_units = 3;
  device.clock_mhz = 4;
  device.l2_cache = 5;
  device.compute_capability = "7.5";
  device.ecc = true;
  device.integrated = false;
  device.unified_memory = true;
  device.concurrent_kernels = false;
  device.timestamps = true;
  device.f16 = false;
  device.f64 = true;
  device.i64 = false;
  device.i64_atomics = true;
  device.f32_atomics = false;
  device.storage8 = false;
  device.storage16 = true;
  device.exact_fma = false;
  device.device_fences = true;
  device.subgroups = true;
  device.subgroup_arithmetic = false;
  device.subgroup_vote = true;
  device.subgroup_broadcast = false;
  device.subgroup_shuffle = true;
  device.subgroup_i64 = false;
  device.uuid = "6d65736132322e332e36000000000000";
  device.pci_address = "0000:01:00.0";
  return device;
}

Record full_record() {
  Record record;
  record.backend = {.id = "vulkan",
                    .rung = Rung::verified,
                    .message = "two\nlines",
                    .fix = "Do this.",
                    .library = "/lib/libvulkan.so.1",
                    .version = "1.3.239",
                    .device_count = 2,
                    .files = {{DriverFile::Kind::loader, "/lib/libvulkan.so.1", ""},
                              {DriverFile::Kind::manifest, "/etc/a b.json", "missing"},
                              {DriverFile::Kind::driver, "/lib/x.so", ""}},
                    .isolated = true,
                    .cached = false,
                    .probe_ms = 123,
                    .fault = "crashed"};
  record.devices = {full_device(0), DeviceInfo{}};
  record.devices[1].backend = "vulkan";
  record.devices[1].index = 1;
  return record;
}

TEST(Record, EveryFieldComesBackAndAbsentOnesStayAbsent) {
  const Record record = full_record();
  const std::string text = encode(record);
  const auto read = decode(text);
  ASSERT_TRUE(read) << read.error().message();
  Record expected = record;
  expected.backend.message = "two\\x0alines";  // what is read can be shown
  EXPECT_EQ(encode(*read), encode(expected));
  EXPECT_EQ(read->devices[0].name, record.devices[0].name);
  EXPECT_EQ(read->devices[0].memory_total, ~std::uint64_t{0});
  EXPECT_EQ(read->devices[0].max_groups, record.devices[0].max_groups);
  EXPECT_EQ(read->devices[0].ecc, true);
  EXPECT_FALSE(read->devices[1].ecc.has_value());
  EXPECT_FALSE(read->devices[1].memory_total.has_value());
  EXPECT_EQ(read->backend.files[1].path, "/etc/a b.json");
  EXPECT_EQ(read->backend.files[1].problem, "missing");
  // A field that the list gets and full_device() does not would be tested by nothing.
  detail::each_field(record.devices[0], [](std::string_view name, const auto& value) {
    if constexpr (requires { value.has_value(); }) {
      EXPECT_TRUE(value.has_value()) << name;
    }
  });
}

TEST(Record, WhatDriversPrintInBetweenIsPassedOver) {
  const std::string noise = "MESA: warning: collet end\n\n";
  std::string text = encode(full_record());
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + noise.size() + 1))
    text.insert(at + 1, noise);
  const auto read = decode(text);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->devices.size(), 2u);
}

TEST(Record, ATruncatedRecordIsRefusedAtEveryByte) {
  const std::string text = encode(full_record());
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    EXPECT_FALSE(decode(cut)) << length;
    EXPECT_LE(listen(cut).record.devices.size(), 2u);
  }
}

TEST(Record, RandomDamageNeverDoesMoreThanBeRefused) {
  const std::string text = encode(full_record());
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = text;
    for (std::uint32_t i = 0; i <= random() % 4; ++i) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0: damaged[at] = static_cast<char>(random()); break;
        case 1: damaged.erase(at, random() % 40); break;
        default: damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 40)); break;
      }
    }
    const auto read = decode(damaged);
    if (!read) {
      ++refused;
      continue;
    }
    EXPECT_EQ(read->devices.size(), read->backend.device_count);
    for (const DeviceInfo& device : read->devices) EXPECT_EQ(printable(device.name), device.name);
  }
  EXPECT_GT(refused, 1000);
}

std::string refusal(const std::string& lines) {
  const auto read = decode(first_line() + lines + end_line());
  return read ? "" : read.error().message();
}

TEST(Record, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("collet backend colour red\n"),
            "The record of a probe has a field of a backend that is unknown (colour).");
  EXPECT_EQ(refusal("collet backend probe_ms -1\n"),
            "The record of a probe has a value that probe_ms can't have (-1).");
  EXPECT_EQ(refusal("collet backend probe_ms 4294967296\n"),
            "The record of a probe has a value that probe_ms can't have (4294967296).");
  EXPECT_EQ(refusal("collet backend rung high\n"),
            "The record of a probe has a value that rung can't have (high).");
  EXPECT_EQ(refusal("collet backend message %4\n"),
            "The record of a probe has a value that message can't have (%4).");
  EXPECT_EQ(refusal("collet device name x\n"), "The record of a probe has a field of no device (name).");
  EXPECT_EQ(refusal("collet device new\ncollet device index 7\n"),
            "The record of a probe has a device in the wrong place (7).");
  EXPECT_EQ(refusal("collet device new\ncollet device max_groups 1,2\n"),
            "The record of a probe has a value that max_groups can't have (1,2).");
  EXPECT_EQ(refusal("collet verdict 0 verified %\n"),
            "The record of a probe has a verdict on no device (0).");
  EXPECT_EQ(refusal("collet dance\n"), "The record of a probe has a line that is unknown (dance).");
  EXPECT_EQ(refusal("collet backend device_count 3\n"),
            "The record of a probe has 0 devices where its backend counts 3.");
  EXPECT_EQ(decode("").error().message(), "The record of a probe has no first line.");
  EXPECT_EQ(decode("collet record 2 9.9.9\n").error().message(),
            "The record of a probe has another version: 9.9.9 (record 2).");
  EXPECT_EQ(decode("collet record 1\n").error().message(),
            "The record of a probe has a first line without a version (1).");
  EXPECT_EQ(decode("collet end\n").error().message(),
            "The record of a probe has a line before the first (end).");
}

TEST(Record, MoreDevicesOrBytesThanAllowedAreRefused) {
  std::string devices;
  for (int i = 0; i < 257; ++i) devices += "collet device new\n";
  EXPECT_EQ(refusal(devices), "The record of a probe has more than 256 devices.");
  std::string noise(80, 'x');
  noise += '\n';
  std::string text = first_line();
  while (text.size() <= kMostBytes) text += noise;
  EXPECT_EQ(decode(text + end_line()).error().message(),
            "The record of a probe has more than 1048576 bytes.");
}

TEST(Record, AVerdictReplacesWhatTheListSaid) {
  DeviceInfo device = full_device(0);
  device.rung = Rung::initialised;
  std::string text = first_line() + device_lines(device);
  device.rung = Rung::verified;
  device.refused = "";
  text += doing_line("running a kernel") + verdict_line(device) + "\nfault SIGSEGV /lib/a b.so\n";
  const Heard heard = listen(text);
  EXPECT_EQ(heard.problem, "");
  EXPECT_TRUE(heard.begun);
  EXPECT_FALSE(heard.ended);
  EXPECT_EQ(heard.doing, "running a kernel");
  EXPECT_EQ(heard.fault, "SIGSEGV");
  EXPECT_EQ(heard.library, "/lib/a b.so");
  EXPECT_EQ(heard.judged, std::vector<bool>{true});
  EXPECT_EQ(heard.record.devices.at(0).rung, Rung::verified);
  EXPECT_EQ(heard.record.devices.at(0).refused, "");
}

TEST(Record, PrintableTextHasNoControlBytesAndIsUtf8) {
  EXPECT_EQ(printable("plain – ü €\xf0\x9f\x98\x80"), "plain – ü €\xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\x1b[2J\n\x7f"), "\\x1b[2J\\x0a\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf\xe0\x80\xaf"), "\\xc0\\xaf\\xe0\\x80\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

}  // namespace
}  // namespace collet::discovery
