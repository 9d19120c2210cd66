// Reads a module of PTX: directives, variables, the heads of functions. Bodies are in ptx_body.cpp.

#include "ptx_parser.hpp"

#include <algorithm>
#include <cstring>

#include "ptx_body.hpp"
#include "ptx_decoder.hpp"
#include "ptx_scope.hpp"
#include "ptx_tokens.hpp"

namespace collet::cuda_double {
namespace {

constexpr u64 kBetweenVariables = 256;

class ModuleParser {
 public:
  ModuleParser(Program& program, TokenReader& tokens, const std::string& wrong)
      : program_(&program), tokens_(&tokens), wrong_(wrong) {}

  void parse() {
    while (!tokens_->at_end()) directive();
    place_shared_memory();
  }

 private:
  void directive() {
    const std::string_view word = tokens_->next();
    if (word == ".version" || word == ".target") {
      do tokens_->next();
      while (tokens_->accept(","));
    } else if (word == ".address_size") {
      if (tokens_->next() != "64") tokens_->refuse("Only addresses of 64 bits are known.");
    } else if (word == ".visible" || word == ".weak" || word == ".common") {
    } else if (word == ".extern") {
      is_extern_ = true;
      return;
    } else if (word == ".global" || word == ".const") {
      data_variable();
    } else if (word == ".shared") {
      shared_variable();
    } else if (word == ".entry" || word == ".func") {
      function(word == ".entry");
    } else if (word == ".file") {
      // .file number "name"[, time, size]
      tokens_->next();
      tokens_->next();
      while (tokens_->accept(",")) tokens_->next();
    } else if (word == ".section") {
      tokens_->refuse("Debug information is not known; compile without it.");
    } else {
      tokens_->refuse("The directive (" + std::string(word) + ") is not known.");
    }
    is_extern_ = false;
  }

  void data_variable() {
    const Declaration declared = read_declaration(*tokens_);
    Program& program = *program_;
    const u64 align = std::max<u64>(declared.align, 16);
    const u64 offset = (program.data.size() + kBetweenVariables + align - 1) / align * align;
    program.data.resize(offset + declared.size);
    const unsigned element = size_of(declared.type);
    u64 at = offset;
    for (const Declaration::Value& value : declared.values) {
      if (at + element > offset + declared.size) tokens_->refuse("A variable has too many values.");
      if (!value.name.empty()) {
        address(value, at);
      } else {
        std::memcpy(program.data.data() + at, &value.number, value.bytes != 0 ? value.bytes : element);
      }
      at += element;
    }
    program.variables.push_back({std::string(declared.name), offset, declared.size});
    module_[declared.name] = {Symbol::Place::data, declared.type, static_cast<u32>(offset),
                              static_cast<u32>(declared.size)};
    tokens_->expect(";");
  }

  // A variable or a function whose address is a value of another variable.
  void address(const Declaration::Value& value, u64 at) {
    const auto found = module_.find(value.name);
    if (found == module_.end())
      tokens_->refuse("The name (" + std::string(value.name) + ") is not declared.");
    const Symbol& symbol = found->second;
    Program::Address address;
    address.at = at;
    if (symbol.place == Symbol::Place::function) {
      address.function = symbol.index;
    } else if (symbol.place == Symbol::Place::data) {
      address.variable = symbol.index + value.number;
    } else {
      tokens_->refuse(
          "Only variables in .global and .const, and functions, have addresses that are constants.");
    }
    program_->addresses.push_back(address);
  }

  void shared_variable() {
    const Declaration declared = read_declaration(*tokens_);
    tokens_->expect(";");
    if (is_extern_ || declared.is_unsized) {
      module_[declared.name] = {Symbol::Place::dynamic_shared, declared.type};
      return;
    }
    u32& top = program_->shared_bytes;
    top = (top + declared.align - 1) / declared.align * declared.align;
    module_[declared.name] = {Symbol::Place::module_shared, declared.type, top,
                              static_cast<u32>(declared.size)};
    top += static_cast<u32>(declared.size);
  }

  // The index of the function, which may have been declared before.
  u32 function_index(std::string_view name) {
    const auto found = program_->function_index.find(name);
    if (found != program_->function_index.end()) return found->second;
    const u32 index = static_cast<u32>(program_->functions.size());
    program_->functions.emplace_back();
    program_->functions.back().name = name;
    program_->function_index.emplace(name, index);
    module_[name] = {Symbol::Place::function, Type::none, index};
    return index;
  }

  void function(bool is_kernel) {
    std::vector<Declaration> results, parameters;
    if (tokens_->peek() == "(") results = read_parameters(*tokens_);
    const std::string_view name = tokens_->next();
    if (tokens_->peek() == "(") parameters = read_parameters(*tokens_);
    Function& function = program_->functions[function_index(name)];
    function.is_kernel = is_kernel;
    while (tokens_->peek() != "{" && tokens_->peek() != ";") attribute(function);
    if (tokens_->accept(";")) return;
    if (function.is_defined) tokens_->refuse("The function (" + std::string(name) + ") is defined twice.");
    function.is_defined = true;
    FunctionBuilder builder(function, *program_, module_);
    const auto place = [&](const std::vector<Declaration>& declared, std::vector<Parameter>& to) {
      for (const Declaration& parameter : declared) {
        const u32 offset = place_parameter(function, parameter);
        to.push_back({offset, static_cast<u32>(parameter.size)});
        builder.declare(parameter.name,
                        {Symbol::Place::parameter, parameter.type, offset, static_cast<u32>(parameter.size)});
      }
    };
    place(parameters, function.parameters);
    function.parameter_bytes = function.parameter_space;
    place(results, function.results);
    parse_body(builder, *tokens_, wrong_);
  }

  void attribute(Function& function) {
    const std::string_view word = tokens_->next();
    std::vector<u32> numbers;
    while (!tokens_->at_end() && tokens_->peek()[0] >= '0' && tokens_->peek()[0] <= '9') {
      numbers.push_back(static_cast<u32>(tokens_->integer()));
      tokens_->accept(",");
    }
    u32 product = 1;
    for (const u32 number : numbers) product *= number;
    if (word == ".maxntid") {
      function.most_threads = product;
    } else if (word == ".reqntid") {
      function.most_threads = product;
      numbers.resize(3, 1);
      std::copy_n(numbers.begin(), 3, function.required_block.begin());
    } else if (word != ".minnctapersm" && word != ".maxnreg" && word != ".noreturn") {
      tokens_->refuse("The directive (" + std::string(word) + ") of a function is not known.");
    }
  }

  // Shared memory begins with the module's own variables; a kernel's follow, then what a launch asks for.
  void place_shared_memory() {
    Program& program = *program_;
    program.shared_bytes = (program.shared_bytes + 127) / 128 * 128;
    u32 most = 0;
    for (const Function& function : program.functions) most = std::max(most, function.shared_bytes);
    program.dynamic_shared = (program.shared_bytes + most + 15) / 16 * 16;
    for (const Function& function : program.functions) {
      for (const CallSite& site : function.calls) {
        if (site.indirect) continue;
        const Function& callee = program.functions[site.function];
        if (!callee.is_defined)
          tokens_->refuse("The function (" + callee.name + ") is called and not defined.");
        if (callee.parameters.size() != site.in.size() || callee.results.size() != site.out.size()) {
          tokens_->refuse("A call of (" + callee.name +
                          ") has another number of parameters than the function.");
        }
      }
    }
  }

  Program* program_;
  TokenReader* tokens_;
  std::string wrong_;
  Symbols module_;
  bool is_extern_ = false;
};

}  // namespace

Program parse_ptx(std::string_view source, const std::string& wrong) {
  const std::vector<Token> tokens = cut_into_tokens(source);
  TokenReader reader(tokens);
  Program program;
  ModuleParser(program, reader, wrong).parse();
  return program;
}

void Program::place(u64 base) {
  for (Function& function : functions) {
    for (std::size_t i = 0; i < function.relocations.size(); ++i) {
      u64 added = 0;
      switch (function.relocations[i]) {
        case Relocation::none:
        case Relocation::module_shared: break;
        case Relocation::data: added = base; break;
        case Relocation::kernel_shared: added = shared_bytes; break;
        case Relocation::dynamic_shared: added = dynamic_shared; break;
      }
      for (unsigned lane = 0; lane < kWarpSize; ++lane) function.constants[i * kWarpSize + lane] += added;
    }
  }
  for (const Address& address : addresses) {
    const u64 value =
        address.function >= 0 ? kCodeWindow + static_cast<u64>(address.function) : base + address.variable;
    std::memcpy(data.data() + address.at, &value, sizeof value);
  }
}

}  // namespace collet::cuda_double
