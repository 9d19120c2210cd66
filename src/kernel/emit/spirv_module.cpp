// The sections of a module.

#include "kernel/emit/spirv_module.hpp"

#include <cstring>

namespace collet::emit {
namespace {

std::span<const Word> span_of(std::initializer_list<Word> words) { return {words.begin(), words.size()}; }

}  // namespace

Words packed(std::string_view text) {
  Words words(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    words[i / 4] |= static_cast<Word>(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  return words;
}

void SpirvModule::add(Words& section, spv::Op op, std::initializer_list<std::span<const Word>> parts) {
  std::size_t size = 1;
  for (const auto part : parts) size += part.size();
  section.push_back(static_cast<Word>(size << spv::WordCountShift) | op);
  for (const auto part : parts) section.insert(section.end(), part.begin(), part.end());
}

Word SpirvModule::import(std::string_view set) {
  const Word id[] = {fresh()};
  add(imports_, spv::OpExtInstImport, {id, packed(set)});
  return id[0];
}

void SpirvModule::memory_model(spv::AddressingModel addressing, spv::MemoryModel model) {
  const Word operands[] = {static_cast<Word>(addressing), static_cast<Word>(model)};
  add(model_, spv::OpMemoryModel, {operands});
}

void SpirvModule::entry_point(spv::ExecutionModel model, Word function, std::string_view name,
                              std::span<const Word> interface) {
  const Word operands[] = {static_cast<Word>(model), function};
  add(entries_, spv::OpEntryPoint, {operands, packed(name), interface});
}

void SpirvModule::execution_mode(Word function, spv::ExecutionMode mode,
                                 std::initializer_list<Word> operands) {
  const Word head[] = {function, static_cast<Word>(mode)};
  add(modes_, spv::OpExecutionMode, {head, span_of(operands)});
}

void SpirvModule::name(Word id, std::string_view text) {
  const Word head[] = {id};
  add(names_, spv::OpName, {head, packed(text)});
}

void SpirvModule::decorate(Word id, spv::Decoration decoration, std::initializer_list<Word> operands) {
  const Word head[] = {id, static_cast<Word>(decoration)};
  add(decorations_, spv::OpDecorate, {head, span_of(operands)});
}

void SpirvModule::decorate_member(Word id, Word member, spv::Decoration decoration,
                                  std::initializer_list<Word> operands) {
  const Word head[] = {id, member, static_cast<Word>(decoration)};
  add(decorations_, spv::OpMemberDecorate, {head, span_of(operands)});
}

Word SpirvModule::type(spv::Op op, std::initializer_list<Word> operands) { return type(op, Words(operands)); }

Word SpirvModule::type(spv::Op op, const Words& operands) {
  Words key{static_cast<Word>(op)};
  key.insert(key.end(), operands.begin(), operands.end());
  const auto [at, added] = known_.try_emplace(std::move(key));
  if (!added) return at->second;
  const Word id[] = {fresh()};
  at->second = id[0];
  add(globals_, op, {id, operands});
  return id[0];
}

Word SpirvModule::constant(spv::Op op, Word type, std::initializer_list<Word> operands) {
  return constant(op, type, Words(operands));
}

Word SpirvModule::constant(spv::Op op, Word type, const Words& operands) {
  Words key{static_cast<Word>(op), type};
  key.insert(key.end(), operands.begin(), operands.end());
  const auto [at, added] = known_.try_emplace(std::move(key));
  if (!added) return at->second;
  const Word head[] = {type, fresh()};
  at->second = head[1];
  add(globals_, op, {head, operands});
  return head[1];
}

Word SpirvModule::new_type(spv::Op op, std::initializer_list<Word> operands) {
  const Word id[] = {fresh()};
  add(globals_, op, {id, span_of(operands)});
  return id[0];
}

Word SpirvModule::global_variable(Word pointer_type, spv::StorageClass storage, Word initial) {
  const Word operands[] = {pointer_type, fresh(), static_cast<Word>(storage), initial};
  add(globals_, spv::OpVariable, {std::span(operands).first(initial == 0 ? 3 : 4)});
  return operands[1];
}

Word SpirvModule::local_variable(Word pointer_type) {
  const Word operands[] = {pointer_type, fresh(), spv::StorageClassFunction};
  add(variables_, spv::OpVariable, {operands});
  return operands[1];
}

void SpirvModule::begin_function(Word id, Word result, Word function_type,
                                 std::span<const Word> parameter_types, std::span<const Word> parameters) {
  const Word head[] = {result, id, spv::FunctionControlMaskNone, function_type};
  add(function_head_, spv::OpFunction, {head});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Word operands[] = {parameter_types[i], parameters[i]};
    add(function_head_, spv::OpFunctionParameter, {operands});
  }
  const Word label[] = {fresh()};
  add(function_head_, spv::OpLabel, {label});
}

void SpirvModule::end_function() {
  put(spv::OpFunctionEnd);
  for (Words* part : {&function_head_, &variables_, &code_}) {
    functions_.insert(functions_.end(), part->begin(), part->end());
    part->clear();
  }
}

void SpirvModule::put(spv::Op op, std::initializer_list<Word> operands) { put(op, span_of(operands)); }
void SpirvModule::put(spv::Op op, std::span<const Word> operands) { add(code_, op, {operands}); }

Word SpirvModule::value(spv::Op op, Word type, std::initializer_list<Word> operands) {
  return value(op, type, span_of(operands));
}
Word SpirvModule::value(spv::Op op, Word type, std::span<const Word> operands) {
  const Word head[] = {type, fresh()};
  add(code_, op, {head, operands});
  return head[1];
}

std::string SpirvModule::finish() {
  Words words{spv::MagicNumber, version_, 0, next_, 0};
  for (const Word capability : capabilities_) {
    const Word operand[] = {capability};
    add(words, spv::OpCapability, {operand});
  }
  for (const std::string& name : extensions_) add(words, spv::OpExtension, {packed(name)});
  for (const Words* section :
       {&imports_, &model_, &entries_, &modes_, &names_, &decorations_, &globals_, &functions_})
    words.insert(words.end(), section->begin(), section->end());
  std::string bytes(words.size() * sizeof(Word), '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace collet::emit
