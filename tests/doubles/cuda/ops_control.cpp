// Branches, calls, barriers, fences, and the ends of threads.

#include "abi.hpp"
#include "block.hpp"
#include "fault.hpp"
#include "lane_loops.hpp"
#include "ptx_decoder.hpp"

namespace collet::cuda_double {

void return_handler(Warp& warp, const Instruction&, Lanes lanes) { warp.return_from_call(lanes); }

namespace {

void jump(Warp& warp, const Instruction& instruction, Lanes lanes) { warp.jump(lanes, instruction.target); }

void bra(Decoder& decoder) {
  decoder.take("uni");
  decoder.expect(1);
  const OperandText& label = decoder.operand(0);
  if (label.kind != OperandText::Kind::word) decoder.refuse("needs a label.");
  decoder.instruction.handler = jump;
  decoder.instruction.target = decoder.builder().label(label.word);
  decoder.has_label = true;
}

// The number of the table is in `target`.
void jump_by_table(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const std::vector<u32>& table = warp.frame().function->tables[instruction.target];
  const u64* a = warp.read(instruction.a);
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  const u32 index = static_cast<u32>(a[first]);
  if (index >= table.size())
    throw Fault{kErrorIllegalInstruction, "A branch by a table has an index behind its end."};
  Lanes same = 0;
  for_lanes(lanes, [&](unsigned lane) { same |= Lanes{static_cast<u32>(a[lane]) == index} << lane; });
  if (same == lanes) {
    warp.jump(lanes, table[index]);
    return;
  }
  Lanes left = lanes;
  while (left != 0) {
    const u32 next = static_cast<u32>(a[std::countr_zero(left)]);
    if (next >= table.size())
      throw Fault{kErrorIllegalInstruction, "A branch by a table has an index behind its end."};
    Lanes group = 0;
    for_lanes(left, [&](unsigned lane) { group |= Lanes{static_cast<u32>(a[lane]) == next} << lane; });
    warp.jump(group, table[next]);
    left &= ~group;
  }
}

void brx(Decoder& decoder) {
  decoder.take("uni");
  if (!decoder.take("idx")) decoder.refuse("is not .idx.");
  decoder.expect(2);
  const Symbol* table = decoder.symbol_of(decoder.operand(1));
  if (table == nullptr || table->place != Symbol::Place::targets) decoder.refuse("names no list of targets.");
  decoder.instruction.handler = jump_by_table;
  decoder.instruction.target = table->index;
  decoder.instruction.a = decoder.input(0, Type::u32);
}

// The number of the call site is in `target`.
void call_directly(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const CallSite& site = warp.frame().function->calls[instruction.target];
  warp.call(lanes, site.function, site);
}

// Lanes that call another function than the first lane come back to this instruction.
void call_by_address(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const CallSite& site = warp.frame().function->calls[instruction.target];
  const u64* a = warp.read(instruction.a);
  const u64 address = a[std::countr_zero(lanes)];
  const auto& functions = warp.block().program().functions;
  const u64 index = address - kCodeWindow;
  if (index >= functions.size() || !functions[index].is_defined || functions[index].is_kernel ||
      functions[index].parameters.size() != site.in.size() ||
      functions[index].results.size() != site.out.size()) {
    throw Fault{kErrorIllegalInstruction, "A call goes to an address where no such function is."};
  }
  Lanes same = 0;
  for_lanes(lanes, [&](unsigned lane) { same |= Lanes{a[lane] == address} << lane; });
  warp.call_some(lanes, same, static_cast<u32>(index), site);
}

std::vector<Parameter> call_parameters(Decoder& decoder, const OperandText& list) {
  std::vector<Parameter> parameters;
  for (const OperandText& part : list.parts) {
    const Symbol* symbol = decoder.symbol_of(part);
    if (symbol == nullptr || symbol->place != Symbol::Place::parameter) {
      decoder.refuse("passes something that is no variable in .param.");
    }
    parameters.push_back({symbol->index, symbol->size});
  }
  return parameters;
}

void call(Decoder& decoder) {
  decoder.take("uni");
  decoder.expect(1, 4);
  CallSite site;
  std::size_t at = 0;
  if (decoder.operand(0).kind == OperandText::Kind::list) {
    site.out = call_parameters(decoder, decoder.operand(0));
    at = 1;
  }
  const Symbol* function = decoder.symbol_of(decoder.operand(at));
  if (function == nullptr) decoder.refuse("calls a function that is not declared.");
  Instruction& made = decoder.instruction;
  if (function->place == Symbol::Place::function) {
    site.function = function->index;
    made.handler = call_directly;
  } else {
    site.indirect = true;
    made.a = decoder.input(at, Type::u64);
    made.handler = call_by_address;
  }
  if (decoder.operand_count() > at + 1) {
    const OperandText& next = decoder.operand(at + 1);
    if (next.kind == OperandText::Kind::list) site.in = call_parameters(decoder, next);
  }
  std::vector<CallSite>& calls = decoder.builder().function().calls;
  made.target = static_cast<u32>(calls.size());
  calls.push_back(std::move(site));
}

void end_threads(Warp& warp, const Instruction&, Lanes lanes) { warp.exit(lanes); }
[[noreturn]] void trap_handler(Warp&, const Instruction&, Lanes) {
  throw Fault{kErrorLaunchFailed, "The kernel executed trap."};
}
void fence_handler(Warp&, const Instruction&, Lanes) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void sleep_handler(Warp& warp, const Instruction&, Lanes) { warp.rest(); }

template <Handler kHandler>
void without_operands(Decoder& decoder) {
  decoder.expect(0);
  decoder.take("uni");
  decoder.instruction.handler = kHandler;
}

void membar(Decoder& decoder) {
  if (decoder.take_one_of({"cta", "gl", "sys"}) < 0) decoder.refuse("has no scope.");
  decoder.expect(0);
  decoder.instruction.handler = fence_handler;
}
void fence(Decoder& decoder) {
  decoder.take_one_of({"sc", "acq_rel", "acquire", "release"});
  if (decoder.take_one_of({"cta", "gpu", "sys"}) < 0) decoder.refuse("has no scope.");
  decoder.expect(0);
  decoder.instruction.handler = fence_handler;
}
void nanosleep(Decoder& decoder) {
  decoder.take("u32");
  decoder.expect(1);
  decoder.instruction.a = decoder.input(0, Type::u32);
  decoder.instruction.handler = sleep_handler;
}

// Operand a is the barrier, b the number of threads; `target` is the vote, `count` whether the lanes wait.
void bar_handler(Warp& warp, const Instruction& instruction, Lanes lanes) {
  const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
  const u64 barrier = warp.read(instruction.a)[first];
  const u64 expected = instruction.b == kNoOperand ? 0 : warp.read(instruction.b)[first];
  if (barrier > 15) throw Fault{kErrorIllegalInstruction, "A barrier has a number above 15."};
  Lanes votes = 0;
  if (instruction.p != kNoOperand) {
    votes = warp.predicate(instruction.p) ^ (instruction.predicate_negated ? kAllLanes : 0);
  }
  Block::Arrival arrival;
  arrival.warp = &warp;
  arrival.frame = &warp.frame();
  arrival.lanes = lanes;
  arrival.result = instruction.d;
  arrival.vote = static_cast<Block::Vote>(instruction.target);
  warp.block().arrive(static_cast<unsigned>(barrier), static_cast<u32>(expected), arrival, votes,
                      instruction.count != 0);
}

void meet_handler(Warp& warp, const Instruction& instruction, Lanes lanes) {
  warp.meet(lanes, instruction.a);
}

void bar(Decoder& decoder) {
  Instruction& made = decoder.instruction;
  if (decoder.take("warp")) {
    if (!decoder.take("sync")) decoder.refuse("is not known.");
    decoder.expect(1);
    made.a = decoder.input(0, Type::u32);
    made.handler = meet_handler;
    return;
  }
  decoder.take("cta");
  decoder.take("aligned");
  made.handler = bar_handler;
  made.count = 1;
  std::size_t at = 0;
  if (decoder.take("red")) {
    const int vote = decoder.take_one_of({"popc", "and", "or"});
    if (vote < 0) decoder.refuse("says not what it counts.");
    made.target = static_cast<u32>(vote + 1);
    decoder.expect(3, 4);
    const Type type = decoder.take_type();
    if (type != (vote == 0 ? Type::u32 : Type::pred)) decoder.refuse("is not known for this type.");
    made.d = vote == 0 ? decoder.output(0) : decoder.predicate_output(0);
    if (made.d == kNoOperand) decoder.refuse("has no result.");
    decoder.predicate_input(decoder.operand_count() - 1);
    made.a = decoder.input(1, Type::u32);
    if (decoder.operand_count() == 4) made.b = decoder.input(2, Type::u32);
    return;
  }
  if (decoder.take("arrive")) {
    made.count = 0;
    decoder.expect(2);
  } else if (!decoder.take("sync")) {
    decoder.refuse("is not known.");
  }
  decoder.expect(1, 2);
  made.a = decoder.input(at, Type::u32);
  if (decoder.operand_count() == 2) made.b = decoder.input(1, Type::u32);
}

}  // namespace

void add_control_rules(Rules& rules) {
  rules["bra"] = bra;
  rules["brx"] = brx;
  rules["call"] = call;
  rules["ret"] = without_operands<return_handler>;
  rules["exit"] = without_operands<end_threads>;
  rules["trap"] = without_operands<trap_handler>;
  rules["membar"] = membar;
  rules["fence"] = fence;
  rules["nanosleep"] = nanosleep;
  rules["bar"] = bar;
  rules["barrier"] = bar;
}

}  // namespace collet::cuda_double
