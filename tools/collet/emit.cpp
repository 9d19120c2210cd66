// collet emit: a kernel in another language. Asks no driver.

#include <algorithm>
#include <collet_backends.hpp>
#include <cstdio>
#include <fstream>
#include <memory>

#include "backends/common/spirv.hpp"
#include "dialects.hpp"
#include "exit_code.hpp"
#include "kernels.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

struct EmitAsked {
  std::string kernel;
  std::string dialect = "ir";
  std::string output;
  bool list = false;
  bool lines = false;
};

// What a person can read: SPIR-V becomes assembly.
Result<std::string> readable(const KernelCode& code) {
#if COLLET_HAS_SPIRV
  if (code.format == Format::spirv_shader || code.format == Format::spirv_kernel)
    return backend::common::spirv_text(std::as_bytes(std::span(code.bytes)));
#endif
  return code.bytes;
}

Result<Format> format_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Dialect& one : kDialects) {
    if (one.name == name) return one.format;
    names.emplace_back(one.name);
  }
  return no_such("dialect", name, names).with_hint("The dialects are: " + joined(names) + ".");
}

Json listed() {
  Json json = answer();
  json["kernels"] = Json::array();
  for (const BuiltIn& one : built_in_kernels())
    json["kernels"].push_back({{"name", one.name}, {"about", one.about}});
  json["rings"] = Json::array();
  for (const BuiltInRing& one : built_in_rings())
    json["rings"].push_back({{"name", one.name}, {"about", one.about}});
  return json;
}

std::string list_text(const Style& style) {
  Table table({{.title = "KERNEL"}, {.title = "WHAT IT DOES", .flexible = true}});
  for (const BuiltIn& one : built_in_kernels()) table.row({one.name, one.about});
  for (const BuiltInRing& one : built_in_rings()) table.row({one.name, one.about});
  return table.render(style);
}

int write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return done;
  return complain(Error(ErrorCode::internal, Category::runtime, "The file " + path + " can't be written."));
}

struct Emitted {
  std::string kernel;
  KernelCode code;
};

Result<Emitted> emitted(const EmitAsked& asked, Format format) {
  const Lines lines = asked.lines ? Lines::show : Lines::hide;
  const auto& rings = built_in_rings();
  const auto ring = std::ranges::find(rings, asked.kernel, &BuiltInRing::name);
  if (ring != rings.end()) {
    COLLET_TRY(code, ring->emit(format, lines));
    return Emitted{ring->name, std::move(code)};
  }
  COLLET_TRY(kernel, find_kernel(asked.kernel));
  COLLET_TRY(code, kernel.emit(format, lines));
  return Emitted{kernel.name(), std::move(code)};
}

int emit_asked(const Session& session, const EmitAsked& asked) {
  if (asked.list) return session.show(listed, list_text);
  if (asked.kernel.empty()) {
    return complain(Error(ErrorCode::invalid_argument, Category::runtime, "No kernel is named.")
                        .with_hint("collet emit --list names the built-in ones."));
  }
  const auto format = format_of(asked.dialect);
  if (!format) return complain(format.error());
  const auto made = emitted(asked, *format);
  if (!made) return complain(made.error());
  const KernelCode& code = made->code;
  if (!asked.output.empty()) return write_file(asked.output, code.bytes);
  const auto text = readable(code);
  if (!text) return complain(text.error());
  return session.show(
      [&] {
        Json json = answer();
        json["kernel"] = made->kernel;
        json["dialect"] = asked.dialect;
        json["features"] = code.features;
        json["text"] = *text;
        return json;
      },
      [&](const Style&) { return *text; });
}

}  // namespace

void add_emit(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("emit", "a kernel in another language, without a device");
  verb->footer(
      "collet emit --list\ncollet emit saxpy --to opencl\ncollet emit kernel.ir --to spirv -o kernel.spv");
  const auto asked = std::make_shared<EmitAsked>();
  verb->add_option("KERNEL", asked->kernel, "a built-in kernel, a file of IR text, or - for standard input");
  verb->add_option(
          "--to", asked->dialect,
          "ir, opencl, cuda, hip, glsl-vulkan, glsl, gles, wgsl, msl, spirv or spirv-kernel; ir unless given")
      ->type_name("DIALECT");
  verb->add_option("-o,--output", asked->output, "writes a file; SPIR-V as its words, not as text")
      ->type_name("FILE");
  verb->add_flag("--lines", asked->lines, "comments say which line of the kernel a statement comes from");
  verb->add_flag("--list", asked->list, "the built-in kernels");
  verb->callback(
      [&session, asked] { session.verb = [&session, asked] { return emit_asked(session, *asked); }; });
}

}  // namespace collet::tool
