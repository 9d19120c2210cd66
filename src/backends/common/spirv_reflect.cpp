// SPIR-V: what a module declares, read from its words. Hostile input is normal: every access is checked.

#include <algorithm>
#include <cstring>
#include <set>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>
#include <unordered_set>

#include "backends/common/spirv.hpp"

namespace collet::backend::common {
namespace {

using Words = std::span<const std::uint32_t>;

struct Instruction {
  spv::Op op = spv::OpNop;
  Words operands;  // without the opcode's word
  // 0 where there is no such operand: no id is 0.
  std::uint32_t at(std::size_t i) const { return i < operands.size() ? operands[i] : 0; }
};

struct Function {
  std::vector<std::uint32_t> uses;   // ids that may be module variables
  std::vector<std::uint32_t> calls;  // functions
};

std::string text(Words words) {
  const auto* bytes = reinterpret_cast<const char*>(words.data());
  return std::string(bytes, strnlen(bytes, words.size_bytes()));
}

// Walks the module once, then answers by id. The words outlive it.
class Reader {
 public:
  explicit Reader(Words words) : words_(words) {}

  Result<SpirvModule> read() {
    COLLET_CHECK(walk());
    SpirvModule module;
    module.capabilities = std::move(capabilities_);
    for (const auto& [id, spec] : spec_ids_) module.specialisation_ids.push_back(spec);
    for (const Instruction& entry : entries_) module.entries.push_back(describe(entry));
    return module;
  }

 private:
  Result<void> walk() {
    for (std::size_t at = 5; at < words_.size();) {
      const std::size_t length = words_[at] >> spv::WordCountShift;
      if (length == 0 || length > words_.size() - at) {
        return Error(ErrorCode::build_failed, Category::compilation, Cause::module_failed,
                     "The SPIR-V instruction at word " + std::to_string(at) + " claims " +
                         std::to_string(length) + " words of the " + std::to_string(words_.size() - at) +
                         " that are left.");
      }
      note({static_cast<spv::Op>(words_[at] & spv::OpCodeMask), words_.subspan(at + 1, length - 1)});
      at += length;
    }
    return {};
  }

  void note(const Instruction& in) {
    switch (in.op) {
      case spv::OpCapability: capabilities_.push_back(in.at(0)); break;
      case spv::OpEntryPoint:
        if (in.at(0) == spv::ExecutionModelGLCompute || in.at(0) == spv::ExecutionModelKernel)
          entries_.push_back(in);
        break;
      case spv::OpExecutionMode:
      case spv::OpExecutionModeId: modes_.push_back(in); break;
      case spv::OpDecorate: note_decoration(in); break;
      case spv::OpMemberDecorate: note_member(in); break;
      case spv::OpTypeInt:
      case spv::OpTypeFloat:
      case spv::OpTypeBool:
      case spv::OpTypeVector:
      case spv::OpTypeMatrix:
      case spv::OpTypeArray:
      case spv::OpTypeRuntimeArray:
      case spv::OpTypeStruct:
      case spv::OpTypePointer: defined_[in.at(0)] = in; break;
      case spv::OpConstant:
      case spv::OpConstantComposite:
      case spv::OpSpecConstant:
      case spv::OpSpecConstantComposite: defined_[in.at(1)] = in; break;
      case spv::OpVariable:
        if (in.at(2) != spv::StorageClassFunction) defined_[in.at(1)] = in;
        break;
      case spv::OpFunction: current_ = &functions_[in.at(1)]; break;
      case spv::OpFunctionEnd: current_ = nullptr; break;
      default:
        if (current_ != nullptr) note_uses(in);
    }
  }

  void note_decoration(const Instruction& in) {
    const std::uint32_t id = in.at(0), value = in.at(2);
    switch (in.at(1)) {
      case spv::DecorationSpecId: spec_ids_[id] = value; break;
      case spv::DecorationBinding: bindings_[id] = value; break;
      case spv::DecorationDescriptorSet: sets_[id] = value; break;
      case spv::DecorationArrayStride: strides_[id] = value; break;
      case spv::DecorationBufferBlock: buffer_blocks_.insert(id); break;
      case spv::DecorationBuiltIn:
        if (value == spv::BuiltInWorkgroupSize) workgroup_size_ = id;
        break;
      default: break;
    }
  }

  void note_member(const Instruction& in) {
    const std::uint64_t member = std::uint64_t{in.at(0)} << 32 | in.at(1);
    if (in.at(2) == spv::DecorationOffset) offsets_[member] = in.at(3);
    if (in.at(2) == spv::DecorationMatrixStride) matrix_strides_[member] = in.at(3);
  }

  // Only operands that can be pointers to module variables: a literal may equal an id by chance.
  void note_uses(const Instruction& in) {
    const auto use = [&](std::size_t i) { current_->uses.push_back(in.at(i)); };
    switch (in.op) {
      case spv::OpStore:
      case spv::OpCopyMemory:
      case spv::OpCopyMemorySized: use(0), use(1); break;
      case spv::OpAtomicStore:
      case spv::OpAtomicFlagClear:
      case spv::OpReturnValue: use(0); break;
      case spv::OpSelect: use(3), use(4); break;
      case spv::OpPhi:
        for (std::size_t i = 2; i < in.operands.size(); i += 2) use(i);
        break;
      case spv::OpFunctionCall:
        current_->calls.push_back(in.at(2));
        for (std::size_t i = 3; i < in.operands.size(); ++i) use(i);
        break;
      case spv::OpLoad:
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
      case spv::OpPtrAccessChain:
      case spv::OpInBoundsPtrAccessChain:
      case spv::OpArrayLength:
      case spv::OpImageTexelPointer:
      case spv::OpCopyObject: use(2); break;
      default:
        if (in.op >= spv::OpAtomicLoad && in.op <= spv::OpAtomicXor) use(2);
    }
  }

  const Instruction* find(std::uint32_t id) const {
    const auto found = defined_.find(id);
    return found == defined_.end() ? nullptr : &found->second;
  }

  // Of a plain or specialisable constant; 0 where it is computed from others.
  std::uint32_t constant(std::uint32_t id) const {
    const Instruction* in = find(id);
    return in != nullptr && (in->op == spv::OpConstant || in->op == spv::OpSpecConstant) ? in->at(2) : 0;
  }

  // Bytes; 0 for what has none or can't be known. Types nest less deeply than the validator's limit of 255.
  std::uint64_t size_of(std::uint32_t id, int depth = 0) const {
    const Instruction* type = find(id);
    if (type == nullptr || depth > 255) return 0;
    switch (type->op) {
      case spv::OpTypeBool: return 4;
      case spv::OpTypeInt:
      case spv::OpTypeFloat: return type->at(1) / 8;
      case spv::OpTypePointer: return 8;
      case spv::OpTypeVector:
      case spv::OpTypeMatrix: return size_of(type->at(1), depth + 1) * type->at(2);
      case spv::OpTypeArray: {
        const Instruction* length = find(type->at(2));
        if (length == nullptr || length->op != spv::OpConstant) return 0;
        const auto stride = strides_.find(id);
        return length->at(2) * (stride != strides_.end() ? stride->second : size_of(type->at(1), depth + 1));
      }
      case spv::OpTypeStruct: return size_of_struct(id, *type, depth);
      default: return 0;
    }
  }

  std::uint64_t size_of_struct(std::uint32_t id, const Instruction& type, int depth) const {
    std::uint64_t end = 0;
    for (std::uint32_t i = 0; i + 1 < type.operands.size(); ++i) {
      const std::uint64_t member = std::uint64_t{id} << 32 | i;
      std::uint64_t size = size_of(type.at(i + 1), depth + 1);
      if (const auto stride = matrix_strides_.find(member); stride != matrix_strides_.end()) {
        const Instruction* matrix = find(type.at(i + 1));
        if (matrix != nullptr && matrix->op == spv::OpTypeMatrix)
          size = std::uint64_t{stride->second} * matrix->at(2);
      }
      const auto offset = offsets_.find(member);
      end = offset != offsets_.end() ? std::max(end, offset->second + size) : end + size;
    }
    return end;
  }

  SpirvEntry describe(const Instruction& entry) const {
    SpirvEntry out;
    if (entry.operands.size() > 2) out.name = text(entry.operands.subspan(2));
    set_group_size(out, entry.at(1));
    std::set<std::uint32_t> bindings;
    for (const std::uint32_t id : reached(entry.at(1))) {
      const Instruction* variable = find(id);
      if (variable != nullptr && variable->op == spv::OpVariable) add_variable(out, bindings, id, *variable);
    }
    out.bindings.assign(bindings.begin(), bindings.end());
    return out;
  }

  // Every id that may be a variable in the functions that `function` reaches.
  std::set<std::uint32_t> reached(std::uint32_t function) const {
    std::set<std::uint32_t> ids;
    std::unordered_set<std::uint32_t> seen{function};
    std::vector<std::uint32_t> open{function};
    while (!open.empty()) {
      const auto found = functions_.find(open.back());
      open.pop_back();
      if (found == functions_.end()) continue;
      ids.insert(found->second.uses.begin(), found->second.uses.end());
      for (const std::uint32_t callee : found->second.calls) {
        if (seen.insert(callee).second) open.push_back(callee);
      }
    }
    return ids;
  }

  void add_variable(SpirvEntry& out, std::set<std::uint32_t>& bindings, std::uint32_t id,
                    const Instruction& in) const {
    const Instruction* pointer = find(in.at(0));
    const std::uint32_t pointee = pointer != nullptr ? pointer->at(2) : 0;
    const Instruction* block = find(pointee);
    const std::uint32_t storage = in.at(2);
    if (storage == spv::StorageClassPushConstant) {
      out.push_constant_size =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(size_of(pointee), UINT32_MAX));
    } else if (storage == spv::StorageClassWorkgroup) {
      out.workgroup_bytes += size_of(pointee);
    } else if (storage == spv::StorageClassStorageBuffer || storage == spv::StorageClassUniform ||
               storage == spv::StorageClassUniformConstant) {
      const bool is_buffer =
          (storage == spv::StorageClassStorageBuffer || buffer_blocks_.count(pointee) != 0) &&
          block != nullptr && block->op == spv::OpTypeStruct;
      const auto set = sets_.find(id);
      const auto binding = bindings_.find(id);
      if (set != sets_.end() && set->second != 0)
        out.other_sets = true;
      else if (!is_buffer || binding == bindings_.end())
        out.other_resources = true;
      else
        bindings.insert(binding->second);
    }
  }

  // A dimension that specialisation constant `axis` sets is 0.
  std::uint32_t axis_size(std::uint32_t id, std::uint32_t axis) const {
    const auto spec = spec_ids_.find(id);
    return spec != spec_ids_.end() && spec->second == axis ? 0 : constant(id);
  }

  void set_group_size(SpirvEntry& out, std::uint32_t function) const {
    bool known = false;
    for (const Instruction& mode : modes_) {
      const bool by_id = mode.at(1) == spv::ExecutionModeLocalSizeId;
      if (mode.at(0) != function || (!by_id && mode.at(1) != spv::ExecutionModeLocalSize)) continue;
      known = true;
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        out.fixed_size[axis] = by_id ? axis_size(mode.at(axis + 2), axis) : mode.at(axis + 2);
    }
    // The built-in overrides the execution mode.
    if (const Instruction* size = find(workgroup_size_); size != nullptr && workgroup_size_ != 0) {
      known = true;
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        out.fixed_size[axis] = axis_size(size->at(axis + 2), axis);
    }
    const auto& fixed = out.fixed_size;
    if (known && fixed[0] != 0 && fixed[1] != 0 && fixed[2] != 0) out.group_size = fixed;
  }

  Words words_;
  std::vector<std::uint32_t> capabilities_;
  std::vector<Instruction> entries_, modes_;
  std::unordered_map<std::uint32_t, Instruction> defined_;  // types, constants, module variables
  std::unordered_map<std::uint32_t, std::uint32_t> spec_ids_, bindings_, sets_, strides_;
  std::unordered_map<std::uint64_t, std::uint32_t> offsets_, matrix_strides_;  // by struct << 32 | member
  std::unordered_set<std::uint32_t> buffer_blocks_;
  std::unordered_map<std::uint32_t, Function> functions_;
  Function* current_ = nullptr;
  std::uint32_t workgroup_size_ = 0;
};

}  // namespace

Result<SpirvModule> reflect_spirv(std::span<const std::byte> code) {
  std::vector<std::uint32_t> words(code.size() / sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(words.data(), code.data(), words.size() * sizeof(std::uint32_t));
  return Reader(words).read();
}

}  // namespace collet::backend::common
