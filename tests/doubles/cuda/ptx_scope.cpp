// The names of a function's body, and the function as it grows.

#include "ptx_scope.hpp"

#include <algorithm>
#include <charconv>

namespace collet::cuda_double {

void FunctionBuilder::declare(std::string_view name, const Symbol& symbol) {
  if (!scopes_.back().symbols.emplace(name, symbol).second) {
    throw PtxError("The name (" + std::string(name) + ") is declared twice.");
  }
}

void FunctionBuilder::declare_register(std::string_view name, Type type) {
  if (type == Type::pred) {
    declare(name, {Symbol::Place::predicate, type, function_->predicates++});
  } else {
    declare(name, {Symbol::Place::reg, type, function_->registers++});
  }
}

void FunctionBuilder::declare_registers(std::string_view prefix, u32 count, Type type) {
  u32& next = type == Type::pred ? function_->predicates : function_->registers;
  scopes_.back().ranges.push_back({prefix, {next, type}});
  scopes_.back().counts.push_back(count);
  next += count;
}

const Symbol* FunctionBuilder::find(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->symbols.find(name); found != scope->symbols.end()) return &found->second;
    if (digits == name.size()) continue;
    for (std::size_t i = 0; i < scope->ranges.size(); ++i) {
      const auto& [prefix, first] = scope->ranges[i];
      if (!name.starts_with(prefix)) continue;
      u32 number = 0;
      const auto [end, error] =
          std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
      if (error != std::errc{} || end != name.data() + name.size() || number >= scope->counts[i]) continue;
      const auto place = first.second == Type::pred ? Symbol::Place::predicate : Symbol::Place::reg;
      return &scope->symbols.emplace(name, Symbol{place, first.second, first.first + number}).first->second;
    }
  }
  const auto found = module_->find(name);
  return found == module_->end() ? nullptr : &found->second;
}

Operand FunctionBuilder::sink() {
  if (sink_ == kNoOperand) sink_ = new_register();
  return sink_;
}

Operand FunctionBuilder::constant(u64 value, Relocation relocation) {
  const auto [at, is_new] = constants_.try_emplace({value, relocation}, 0);
  if (is_new) {
    at->second = ~static_cast<Operand>(function_->relocations.size());
    function_->relocations.push_back(relocation);
    function_->constants.insert(function_->constants.end(), kWarpSize, value);
  }
  return at->second;
}

Operand FunctionBuilder::special(Special special, u64 added) {
  const auto [at, is_new] = specials_.try_emplace({special, added}, 0);
  if (is_new) {
    at->second = new_register();
    function_->specials.push_back({special, at->second, added});
  }
  return at->second;
}

Operand FunctionBuilder::address_of(const Symbol& symbol, u64 offset) {
  const u64 at = symbol.index + offset;
  switch (symbol.place) {
    case Symbol::Place::data: return constant(at, Relocation::data);
    case Symbol::Place::module_shared: return constant(at, Relocation::module_shared);
    case Symbol::Place::kernel_shared: return constant(at, Relocation::kernel_shared);
    case Symbol::Place::dynamic_shared: return constant(offset, Relocation::dynamic_shared);
    case Symbol::Place::local: return special(Special::local_address, at);
    case Symbol::Place::parameter: return constant(at);
    case Symbol::Place::function: return constant(kCodeWindow + symbol.index);
    default: throw PtxError("A register or a label stands where an address is needed.");
  }
}

u32 FunctionBuilder::label(std::string_view name) {
  const auto [at, is_new] = label_numbers_.try_emplace(name, static_cast<u32>(labels_.size()));
  if (is_new) {
    labels_.push_back(-1);
    names_.emplace_back(name);
  }
  return at->second;
}

void FunctionBuilder::define_label(std::string_view name) {
  s64& place = labels_[label(name)];
  if (place >= 0) throw PtxError("The label (" + std::string(name) + ") is defined twice.");
  place = static_cast<s64>(function_->code.size());
}

void FunctionBuilder::add(const Instruction& instruction, bool has_label) {
  if (has_label) jumps_.push_back(function_->code.size());
  function_->code.push_back(instruction);
}

void FunctionBuilder::finish(Handler ret) {
  Instruction last;
  last.handler = ret;
  function_->code.push_back(last);
  const auto place = [&](u32 number) {
    // labels_ grew in the order of names_
    if (labels_[number] < 0) throw PtxError("The label (" + names_[number] + ") is missing.");
    return static_cast<u32>(labels_[number]);
  };
  for (const std::size_t jump : jumps_) function_->code[jump].target = place(function_->code[jump].target);
  for (auto& table : function_->tables) {
    for (u32& target : table) target = place(target);
  }
}

bool find_special(std::string_view name, Special& special) {
  struct Name {
    std::string_view name;
    Special special;
  };
  static constexpr Name kNames[] = {
      {"%tid.x", Special::tid_x},
      {"%tid.y", Special::tid_y},
      {"%tid.z", Special::tid_z},
      {"%ntid.x", Special::ntid_x},
      {"%ntid.y", Special::ntid_y},
      {"%ntid.z", Special::ntid_z},
      {"%ctaid.x", Special::ctaid_x},
      {"%ctaid.y", Special::ctaid_y},
      {"%ctaid.z", Special::ctaid_z},
      {"%nctaid.x", Special::nctaid_x},
      {"%nctaid.y", Special::nctaid_y},
      {"%nctaid.z", Special::nctaid_z},
      {"%laneid", Special::laneid},
      {"%warpid", Special::warpid},
      {"%nwarpid", Special::nwarpid},
      {"%smid", Special::smid},
      {"%nsmid", Special::nsmid},
      {"%gridid", Special::gridid},
      {"%lanemask_eq", Special::lanemask_eq},
      {"%lanemask_lt", Special::lanemask_lt},
      {"%lanemask_le", Special::lanemask_le},
      {"%lanemask_gt", Special::lanemask_gt},
      {"%lanemask_ge", Special::lanemask_ge},
      {"%dynamic_smem_size", Special::dynamic_smem_size},
      {"%total_smem_size", Special::total_smem_size},
  };
  const auto* found = std::ranges::find(kNames, name, &Name::name);
  if (found == std::end(kNames)) return false;
  special = found->special;
  return true;
}

}  // namespace collet::cuda_double
