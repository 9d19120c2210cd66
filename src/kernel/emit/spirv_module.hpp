// A SPIR-V module under construction: ids, types and constants that exist once, and sections in their order.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace collet::emit {

using Word = std::uint32_t;
using Words = std::vector<Word>;

// A string as operands: packed, ended by a zero byte.
Words packed(std::string_view text);

// Threads: one at a time.
class SpirvModule {
 public:
  explicit SpirvModule(Word version) : version_(version) {}

  Word fresh() { return next_++; }

  void capability(spv::Capability capability) { capabilities_.insert(capability); }
  void extension(std::string_view name) { extensions_.emplace(name); }
  Word import(std::string_view set);
  void memory_model(spv::AddressingModel addressing, spv::MemoryModel model);
  void entry_point(spv::ExecutionModel model, Word function, std::string_view name,
                   std::span<const Word> interface);
  void execution_mode(Word function, spv::ExecutionMode mode, std::initializer_list<Word> operands = {});
  void name(Word id, std::string_view text);
  void decorate(Word id, spv::Decoration decoration, std::initializer_list<Word> operands = {});
  void decorate_member(Word id, Word member, spv::Decoration decoration,
                       std::initializer_list<Word> operands = {});

  // The one of its kind.
  Word type(spv::Op op, std::initializer_list<Word> operands = {});
  Word type(spv::Op op, const Words& operands);
  Word constant(spv::Op op, Word type, std::initializer_list<Word> operands = {});
  Word constant(spv::Op op, Word type, const Words& operands);
  // Another one, to be decorated.
  Word new_type(spv::Op op, std::initializer_list<Word> operands);
  // `initial` is a constant, or 0 for none.
  Word global_variable(Word pointer_type, spv::StorageClass storage, Word initial = 0);

  // Into the function: variables first, then everything else.
  Word local_variable(Word pointer_type);
  void begin_function(Word id, Word result, Word function_type, std::span<const Word> parameter_types,
                      std::span<const Word> parameters);
  void end_function();
  void put(spv::Op op, std::initializer_list<Word> operands = {});
  void put(spv::Op op, std::span<const Word> operands);
  Word value(spv::Op op, Word type, std::initializer_list<Word> operands = {});
  Word value(spv::Op op, Word type, std::span<const Word> operands);

  // The words of the whole, as bytes.
  std::string finish();

 private:
  static void add(Words& section, spv::Op op, std::initializer_list<std::span<const Word>> parts);

  Word version_;
  Word next_ = 1;
  std::set<Word> capabilities_;
  std::set<std::string> extensions_;
  std::map<Words, Word> known_;  // types and constants
  Words imports_, model_, entries_, modes_, names_, decorations_, globals_;
  Words functions_;                         // that have ended
  Words function_head_, variables_, code_;  // the one that has not
};

}  // namespace collet::emit
