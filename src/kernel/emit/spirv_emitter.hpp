// What both flavours of SPIR-V share: operations, control flow and variables of a plain kernel.
//
// Integers are SPIR-V integers without sign, as OpenCL wants them; those of 8 and 16 bits are held in 32,
// extended by their sign or by zeros, and a half is held as its bits. Only memory has narrow elements.
#pragma once

#include <map>

#include "kernel/emit/lower.hpp"
#include "kernel/emit/spirv_module.hpp"

namespace collet::emit {

// Functions of the flavour's instruction set; 0 where an operation is none.
struct SpirvFunction {
  Op op;
  Word number;
};

// Threads: one at a time; run() once.
class SpirvEmitter {
 public:
  SpirvEmitter(const Kernel& kernel, Word version)
      : kernel_(kernel), module_(version), code_(&kernel), ids_(kernel.nodes.size()) {}
  SpirvEmitter(const SpirvEmitter&) = delete;
  SpirvEmitter& operator=(const SpirvEmitter&) = delete;
  virtual ~SpirvEmitter() = default;

  std::string run();

 protected:
  // The frame: capabilities, entry point, arguments; ends inside the first block of the function.
  virtual void begin() = 0;
  virtual Word pointer(std::uint32_t memory, Word index) = 0;
  virtual Word parameter(const Node& node) = 0;
  virtual Word length(std::uint32_t buffer) = 0;
  virtual std::span<const SpirvFunction> functions() const = 0;
  // 32 bits; leading zeros and high products differ by more than a number.
  virtual Word leading_zeros(Word value) = 0;
  virtual Word multiply_high(Word a, Word b, bool is_signed) = 0;
  virtual spv::StorageClass buffer_storage() const = 0;
  virtual spv::StorageClass table_storage() const = 0;
  virtual Word buffer_semantics() const = 0;
  // The widest scope that there is.
  virtual spv::Scope system_scope() const = 0;
  virtual void decorate_arithmetic(Word) {}
  virtual Scalar index_scalar() const = 0;  // what an item's position is told in
  virtual void decorate_input(Word) {}

  Word type_of(Scalar scalar);
  Word word_type() { return type_of(Scalar::u32); }
  Word element_type(Scalar scalar);  // in memory
  Word constant(Scalar scalar, std::uint64_t bits);
  Word word(std::uint32_t value) { return constant(Scalar::u32, value); }
  Word pointer_type(spv::StorageClass storage, Word to);
  Word call(Word number, Word type, std::initializer_list<Word> arguments);
  spv::StorageClass storage(const Memory& memory) const;
  Word array_variable(const Memory& memory);  // of memory that is no buffer
  // The variables that builtin() reads, for begin(); gives them.
  Words declare_inputs();

  const Kernel& kernel_;
  SpirvModule module_;
  Word functions_ = 0;  // the imported set

 private:
  void function(std::uint32_t number);
  // What it gives: a scalar, or a struct of them.
  Word result_type(const ir::Function& function);
  void block(std::uint32_t index);
  void node(Id id);
  void if_else(const Node& node);
  void loop(const Node& node);
  void call(std::uint32_t number);
  void label(Word id);
  void branch(Word target);

  Word input_type(Op op);
  void declare_input(Op op);
  Word builtin(const Node& node);
  Word value(const Node& node);
  Word arithmetic(const Node& node);
  Word compare(const Node& node);
  Word convert(const Node& node);
  Word narrow(Word value, Scalar to);
  Word bitcast(const Node& node);
  Word load(const Node& node);
  void store(const Node& node);
  Word atomic(const Node& node);
  Word atomic_sum(const Node& node, Word found, Word scope);
  Word subgroup(const Node& node);
  void fence(const Node& node);
  Word argument(const Node& node, std::size_t index) const { return ids_[node.arguments[index]]; }
  Scalar scalar(Id id) const { return code_->nodes[id].type.scalar; }

  struct Loop {
    Word merge, continuing;
  };
  const Kernel* code_;     // the kernel, or the body of the function that is written
  std::vector<Word> ids_;  // of values, and of variables
  Words of_functions_;     // their ids
  Words own_arguments_, passed_, given_;
  Word called_ = 0;         // what the last call gave
  bool gave_many_ = false;  // as a struct
  std::vector<Loop> loops_;
  std::map<spv::BuiltIn, Word> inputs_;
  bool open_ = true;  // the current block has no end yet
};

}  // namespace collet::emit
