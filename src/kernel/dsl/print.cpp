// Traces what kernels say.

#include "collet/print.hpp"

#include "kernel/dsl/trace.hpp"

namespace collet::detail {
namespace {

// The field of a value of several components, once for each: "{:.2f}" becomes "({:.2f}, {:.2f})".
std::string repeated(std::string_view field, std::size_t count) {
  if (count == 1) return std::string(field);
  std::string text = "(";
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::string(field);
  return text + ")";
}

// Fields are repeated as their values have components. Where they do not fit, the check of the message says
// so.
std::string with_components(std::string_view text, const std::vector<std::vector<Traced>>& values) {
  std::string made;
  for (std::size_t value = 0; !text.empty();) {
    const std::size_t brace = text.find('{');
    made += text.substr(0, brace);
    if (brace == std::string_view::npos) break;
    text.remove_prefix(brace);
    const bool escaped = text.starts_with("{{");
    const std::size_t end = escaped ? 1 : text.find('}');
    const std::string_view field = text.substr(0, end == std::string_view::npos ? end : end + 1);
    const bool known = !escaped && value < values.size();
    made += known ? repeated(field, values[value].size()) : std::string(field);
    if (!escaped) ++value;
    text.remove_prefix(field.size());
  }
  return made;
}

}  // namespace

void emit_message(MessageKind kind, const MessagePlace& place,
                  const std::vector<std::vector<Traced>>& values) {
  std::vector<Traced> parts;
  for (const std::vector<Traced>& value : values) parts.insert(parts.end(), value.begin(), value.end());
  std::uint32_t number = 0;
  if (Trace* trace = Trace::current()) {
    trace->at(place.where);
    number = trace->message(
        {.kind = kind == MessageKind::print ? ir::Message::Kind::print : ir::Message::Kind::assertion,
         .text = with_components(place.text, values),
         .file = place.where.file_name(),
         .line = place.where.line(),
         .values = {}},
        parts);
  }
  for (const Traced part : parts) emit(ir::Op::pass, {}, {part});
  emit(ir::Op::print, {}, {}, number);
  if (const Trace* trace = Trace::current(); trace != nullptr && kind == MessageKind::assertion)
    trace->assertion_traced();
}

}  // namespace collet::detail
