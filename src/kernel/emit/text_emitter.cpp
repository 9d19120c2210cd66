// Which dialect is written for which format, and what a language has no words for.

#include "kernel/emit/text_emitter.hpp"

#include "kernel/emit/dialect_cuda.hpp"
#include "kernel/emit/dialect_glsl.hpp"
#include "kernel/emit/dialect_msl.hpp"
#include "kernel/emit/dialect_opencl.hpp"
#include "kernel/emit/dialect_wgsl.hpp"
#include "kernel/emit/text_writer.hpp"
#include "kernel/ir/sizes.hpp"

namespace collet::emit {
namespace {

// Refuses what the language has no words for.
Result<void> check_words(const Kernel& kernel, const Dialect& dialect) {
  const bool is_line = kernel.group[1] == 1 && kernel.group[2] == 1;
  for (const ir::Block& block : kernel.blocks) {
    for (const Id id : block.nodes) {
      const auto op = static_cast<std::size_t>(kernel.nodes[id].op);
      const std::string_view lack =
          dialect.refused[op].empty() && !is_line ? dialect.refused_in_planes[op] : dialect.refused[op];
      if (lack.empty()) continue;
      return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                   "[Kernel \"" + kernel.name + "\"] needs " + std::string(lack) + ", which " +
                       std::string(dialect.name) + " lacks.");
    }
  }
  return {};
}

}  // namespace

Result<Emitted> emit_text(const Kernel& kernel, const Dialect& dialect, const Target& target) {
  const std::string own = target.entry.empty() ? kernel.name : target.entry;
  const std::string entry = dialect.entry.empty() ? own : std::string(dialect.entry);
  if (dialect.reserved.find(" " + entry + " ") != std::string_view::npos) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "[Kernel \"" + kernel.name + "\"] has a name that is a word of " +
                     std::string(to_string(dialect.format)) + ".")
        .with_hint("Give the kernel another name.");
  }
  Language language = dialect.language;
  language.fuses = language.fuses || target.fused_multiply_add;
  COLLET_TRY(plain, lower(kernel, language, target));
  COLLET_TRY(features, check_features(plain.kernel, target));
  COLLET_CHECK(check_words(plain.kernel, dialect));
  plain.kernel.name = entry;
  return Emitted{
      .format = dialect.format,
      .bytes = TextWriter(plain.kernel, plain.kernel.functions, dialect, target.shows_lines).kernel(features),
      .features = std::move(features),
      .emulated = std::move(plain.emulated),
      .counts = std::move(plain.counts),
      .lengths = std::move(plain.lengths),
      .entry = entry,
      .shared_bytes = ir::workgroup_bytes(plain.kernel),
      .watched = plain.watched,
      .trusts = std::move(plain.trusts),
      .terms = std::move(plain.terms),
      .applied = plain.applied};
}

Result<Emitted> emit_opencl_c(const Kernel& kernel, const Target& target) {
  return emit_text(kernel, kOpenClC, target);
}
Result<Emitted> emit_cuda(const Kernel& kernel, const Target& target) {
  return emit_text(kernel, kCuda, target);
}
Result<Emitted> emit_hip(const Kernel& kernel, const Target& target) {
  return emit_text(kernel, kHip, target);
}
Result<Emitted> emit_wgsl(const Kernel& kernel, const Target& target) {
  return emit_text(kernel, kWgsl, target);
}
Result<Emitted> emit_msl(const Kernel& kernel, const Target& target) {
  return emit_text(kernel, kMsl, target);
}

Result<Emitted> emit_glsl_vulkan(const Kernel& kernel, const Target& target) {
  COLLET_CHECK(check_f64_functions(kernel));
  return emit_text(kernel, kGlslVulkan, target);
}
Result<Emitted> emit_glsl(const Kernel& kernel, const Target& target) {
  COLLET_CHECK(check_f64_functions(kernel));
  return emit_text(kernel, kGlsl, target);
}
Result<Emitted> emit_glsl_es(const Kernel& kernel, const Target& target) {
  return emit_text(kernel, kGlslEs, target);
}

}  // namespace collet::emit
