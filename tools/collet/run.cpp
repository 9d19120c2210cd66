// collet run: a kernel on a device, with made-up arguments, compared with the CPU's answer.

#include <algorithm>
#include <chrono>
#include <collet/collet.hpp>
#include <cstring>
#include <memory>
#include <span>

#include "exit_code.hpp"
#include "kernel/ir/text.hpp"
#include "kernel_call.hpp"
#include "labels.hpp"
#include "scalars.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

struct Ran {
  std::vector<Bytes> buffers;  // after the kernel
  double milliseconds = 0;
};

Result<Ran> run_on(const std::string& id, const KernelCall& call, bool checked) {
  OpenOptions options;
  options.checked = checked;
  COLLET_TRY(device, Device::open(id, options));
  COLLET_TRY(arguments, upload(device, call));
  Ran ran;
  Stream stream = device.stream();
  const auto begin = std::chrono::steady_clock::now();
  stream.launch(call.kernel, call.grid, arguments.passed);
  COLLET_CHECK(stream.wait());
  ran.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  for (const Buffer<std::byte>& buffer : arguments.buffers) {
    ran.buffers.emplace_back(buffer.size());
    stream.download(buffer, std::span(ran.buffers.back()));
  }
  COLLET_CHECK(stream.wait());
  return ran;
}

// "0 3 6 9 …": the first few.
std::string first_values(const AnyParameter& parameter, const Bytes& bytes) {
  constexpr std::size_t kMost = 8;
  const auto type = ir::parse_type(parameter.type);
  const ir::Scalar scalar = type ? type->scalar : ir::Scalar::u8;
  const std::size_t part = ir::bytes({scalar, 1});
  std::string text;
  for (std::size_t i = 0; i < kMost && (i + 1) * part <= bytes.size(); ++i)
    text += (i == 0 ? "" : " ") + scalar_text(scalar, bytes.data() + i * part);
  return text + (bytes.size() > kMost * part ? " …" : "");
}

// Bit for bit, but for NaNs: the language leaves their bits open, so any two are the same.
bool is_same(const AnyParameter& parameter, std::span<const std::byte> a, std::span<const std::byte> b) {
  if (std::ranges::equal(a, b)) return true;
  const auto type = ir::parse_type(parameter.type);
  if (!type || !ir::is_float(type->scalar)) return false;
  const std::size_t part = ir::bytes({type->scalar, 1});
  std::size_t at = 0;
  for (std::size_t i = 0; i < type->width && at + part <= a.size(); ++i, at += part) {
    const bool numbers = !is_nan(type->scalar, a.data() + at) || !is_nan(type->scalar, b.data() + at);
    if (numbers && !std::ranges::equal(a.subspan(at, part), b.subspan(at, part))) return false;
  }
  return std::ranges::equal(a.subspan(at), b.subspan(at));
}

std::size_t differing(const AnyParameter& parameter, const Bytes& a, const Bytes& b) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < a.size(); at += parameter.size) {
    const std::size_t size = std::min<std::size_t>(parameter.size, a.size() - at);
    count += is_same(parameter, std::span(a).subspan(at, size), std::span(b).subspan(at, size)) ? 0 : 1;
  }
  return count;
}

struct Report {
  const AnyKernel& kernel;
  const std::vector<std::string>& values;  // name=number
  const DeviceInfo& device;
  const Ran& ran;
  const Result<Ran>& reference;
};

// Nothing to compare with where the device is the CPU itself.
bool is_compared(const Report& report) {
  return report.device.backend != "cpu" && report.reference.has_value();
}

// Whether the device wrote anything that the CPU did not.
bool is_wrong(const Report& report) {
  if (!is_compared(report)) return false;
  std::size_t buffer = 0;
  for (const AnyParameter& parameter : report.kernel.parameters()) {
    if (!parameter.buffer) continue;
    if (parameter.written &&
        differing(parameter, report.ran.buffers[buffer], report.reference->buffers[buffer]) != 0)
      return true;
    ++buffer;
  }
  return false;
}

// "the same as on the CPU", or what differs.
std::string verdict(const Report& report, const AnyParameter& parameter, std::size_t buffer) {
  if (report.device.backend == "cpu") return "the CPU's own";
  if (!report.reference) return "not compared: " + report.reference.error().message();
  const Bytes& ours = report.ran.buffers[buffer];
  const std::size_t differ = differing(parameter, ours, report.reference->buffers[buffer]);
  if (differ == 0) return "the same as on the CPU";
  return std::to_string(differ) + " of " + std::to_string(ours.size() / parameter.size) +
         " elements differ from the CPU's";
}

std::string report_text(const Report& report, const Style& style) {
  Table facts({{}, {.title = "", .flexible = true}});
  facts.row({"kernel", report.kernel.name()});
  if (!report.values.empty()) facts.row({"values", joined(report.values)});
  facts.row({"device", report.device.id() + ", " + report.device.name});
  char time[32];
  std::snprintf(time, sizeof time, "%.3f ms", report.ran.milliseconds);
  facts.row({"time", std::string(time) + ", with the kernel's compilation"});
  Table table({{.title = "BUFFER"},
               {.title = "TYPE"},
               {.title = "FIRST VALUES", .flexible = true},
               {.title = "VERDICT", .flexible = true}});
  std::size_t buffer = 0;
  for (const AnyParameter& parameter : report.kernel.parameters()) {
    if (!parameter.buffer) continue;
    if (parameter.written) {
      table.row({parameter.name, parameter.type, first_values(parameter, report.ran.buffers[buffer]),
                 verdict(report, parameter, buffer)});
    }
    ++buffer;
  }
  return facts.render(style) + "\n" + table.render(style);
}

Json report_json(const Report& report) {
  Json json = answer();
  json["kernel"] = report.kernel.name();
  json["values"] = report.values;
  json["device"] = report.device.id();
  json["milliseconds"] = report.ran.milliseconds;
  json["compared"] = is_compared(report);
  json["buffers"] = Json::array();
  std::size_t buffer = 0;
  for (const AnyParameter& parameter : report.kernel.parameters()) {
    if (!parameter.buffer) continue;
    if (parameter.written) {
      const Bytes& ours = report.ran.buffers[buffer];
      Json one{{"name", parameter.name}, {"type", parameter.type}, {"first", first_values(parameter, ours)}};
      if (is_compared(report))
        one["differing"] = differing(parameter, ours, report.reference->buffers[buffer]);
      json["buffers"].push_back(std::move(one));
    }
    ++buffer;
  }
  return json;
}

// As made up, as the device left them, and the CPU's two.
constexpr std::uint64_t kCopies = 4;

int run(const Session& session, const KernelAsked& asked, bool checked) {
  const auto call = make_call(asked, kCopies);
  if (!call) return complain(call.error());
  const auto chosen = session.choose_device();
  if (!chosen) return complain(chosen.error());
  const DeviceInfo* info = selected(chosen->choice);
  if (info == nullptr) return complain(*chosen->choice.error);
  const auto ran = run_on(info->id(), *call, checked);
  if (!ran) return complain(ran.error());
  const auto reference = run_on("cpu", *call, false);
  const Report report{call->kernel, call->values, *info, *ran, reference};
  return session.show([&] { return report_json(report); },
                      [&](const Style& style) { return report_text(report, style); },
                      is_wrong(report) ? failed : done);
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("run", "a kernel on a device, compared with the CPU's answer");
  verb->footer(
      "collet run saxpy\ncollet run saxpy --set value0=3 --elements 1000\n"
      "collet run kernel.ir --grid 640,480 --device vulkan");
  struct Asked {
    KernelAsked kernel;
    bool checked = false;
  };
  const auto asked = std::make_shared<Asked>();
  add_kernel_options(*verb, asked->kernel);
  verb->add_flag("--check", asked->checked, "an index out of range is an error that names it");
  add_device_option(*verb, session);
  verb->callback([&session, asked] {
    session.verb = [&session, asked] { return run(session, asked->kernel, asked->checked); };
  });
}

}  // namespace collet::tool
