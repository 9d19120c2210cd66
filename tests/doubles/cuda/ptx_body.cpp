// Reads the body of a function: declarations, labels, instructions, calls.

#include "ptx_body.hpp"

#include "ptx_decoder.hpp"

namespace collet::cuda_double {
namespace {

class BodyParser {
 public:
  BodyParser(FunctionBuilder& builder, TokenReader& tokens, const std::string& wrong)
      : builder_(&builder), tokens_(&tokens), wrong_(&wrong) {}

  void parse() {
    tokens_->expect("{");
    int depth = 1;
    while (depth > 0) {
      const std::string_view word = tokens_->peek();
      if (word == "{") {
        tokens_->next();
        builder_->open_scope();
        ++depth;
      } else if (word == "}") {
        tokens_->next();
        if (--depth > 0) builder_->close_scope();
      } else if (word == ";") {
        tokens_->next();
      } else if (word.starts_with('.')) {
        directive(tokens_->next());
      } else if (tokens_->peek(1) == ":") {
        label();
      } else {
        statement();
      }
    }
    builder_->finish(return_handler);
  }

 private:
  void directive(std::string_view word) {
    if (word.starts_with(".reg.")) {  // `.reg.b32 x` is one token
      registers(type_named(word.substr(5)));
    } else if (word == ".reg") {
      const std::string_view type = tokens_->next();
      registers(type_named(type.substr(1)));
    } else if (word == ".param") {
      const Declaration declared = read_declaration(*tokens_);
      const u32 offset = place_parameter(builder_->function(), declared);
      builder_->declare(declared.name,
                        {Symbol::Place::parameter, declared.type, offset, static_cast<u32>(declared.size)});
    } else if (word == ".local" || word == ".shared") {
      variable(word == ".local");
    } else if (word == ".loc") {
      while (!tokens_->at_end() && tokens_->peek()[0] >= '0' && tokens_->peek()[0] <= '9') tokens_->next();
      return;
    } else if (word == ".pragma") {
      tokens_->next();
    } else {
      tokens_->refuse("The directive (" + std::string(word) + ") is not known in a function.");
    }
    tokens_->expect(";");
  }

  void registers(Type type) {
    if (type == Type::none) tokens_->refuse("A register has a type that is not known.");
    do {
      const std::string_view name = tokens_->next();
      if (tokens_->accept("<")) {
        builder_->declare_registers(name, static_cast<u32>(tokens_->integer()), type);
        tokens_->expect(">");
      } else {
        builder_->declare_register(name, type);
      }
    } while (tokens_->accept(","));
  }

  void variable(bool is_local) {
    const Declaration declared = read_declaration(*tokens_);
    Function& function = builder_->function();
    const bool of_module = !is_local && !function.is_kernel;
    u32& top = is_local    ? function.local_bytes
               : of_module ? builder_->program().shared_bytes
                           : function.shared_bytes;
    top = (top + declared.align - 1) / declared.align * declared.align;
    builder_->declare(declared.name, {is_local    ? Symbol::Place::local
                                      : of_module ? Symbol::Place::module_shared
                                                  : Symbol::Place::kernel_shared,
                                      declared.type, top, static_cast<u32>(declared.size)});
    top += static_cast<u32>(declared.size);
  }

  void label() {
    const std::string_view name = tokens_->next();
    tokens_->expect(":");
    if (tokens_->accept(".branchtargets")) {
      std::vector<u32> targets;
      do targets.push_back(builder_->label(tokens_->next()));
      while (tokens_->accept(","));
      tokens_->expect(";");
      std::vector<std::vector<u32>>& tables = builder_->function().tables;
      // brx.idx may have named it before.
      const Symbol* symbol = builder_->find(name);
      if (symbol == nullptr) {
        builder_->declare(name, {Symbol::Place::targets, Type::none, static_cast<u32>(tables.size())});
        tables.emplace_back();
        symbol = builder_->find(name);
      }
      tables[symbol->index] = std::move(targets);
    } else if (tokens_->accept(".callprototype")) {
      while (tokens_->next() != ";") {
      }
      builder_->declare(name, {Symbol::Place::prototype});
    } else {
      builder_->define_label(name);
    }
  }

  void statement() {
    s32 guard = -1;
    bool is_negated = false;
    if (tokens_->accept("@")) {
      is_negated = tokens_->accept("!");
      const std::string_view name = tokens_->next();
      const Symbol* symbol = builder_->find(name);
      if (symbol == nullptr || symbol->place != Symbol::Place::predicate) {
        tokens_->refuse("The guard (" + std::string(name) + ") is no predicate.");
      }
      guard = static_cast<s32>(symbol->index);
    }
    const int line = tokens_->line();
    const std::string_view text = tokens_->next();
    std::vector<OperandText> operands;
    if (!tokens_->accept(";")) {
      do operands.push_back(operand());
      while (tokens_->accept(","));
      tokens_->expect(";");
    }
    Decoder(*builder_, text, std::move(operands), line).decode(*wrong_, guard, is_negated);
  }

  OperandText operand() {
    OperandText text = simple_operand();
    if (!tokens_->accept("|")) return text;
    OperandText pair;
    pair.kind = OperandText::Kind::pair;
    pair.parts.push_back(std::move(text));
    pair.parts.push_back(simple_operand());
    return pair;
  }

  OperandText list(std::string_view end) {
    OperandText text;
    text.kind = OperandText::Kind::list;
    while (!tokens_->accept(end)) {
      text.parts.push_back(simple_operand());
      if (tokens_->peek() != end) tokens_->expect(",");
    }
    return text;
  }

  OperandText simple_operand() {
    if (tokens_->accept("{")) return list("}");
    if (tokens_->accept("(")) return list(")");  // of a call
    OperandText text;
    if (tokens_->accept("[")) {
      text = simple_operand();
      const bool is_number = text.kind == OperandText::Kind::number;
      if ((text.kind != OperandText::Kind::word && !is_number) || text.is_negated) {
        tokens_->refuse("An address is not of the form [name+number].");
      }
      text.kind = OperandText::Kind::address;
      tokens_->expect("]");
      return text;
    }
    text.is_negated = tokens_->accept("!");
    const bool is_minus = tokens_->accept("-");
    const std::string_view word = tokens_->next();
    Number number;
    if (parse_number(word, number)) {
      text.kind = OperandText::Kind::number;
      text.is_single = number.is_single;
      text.is_double = number.is_double;
      text.number = number.bits;
      if (is_minus) {
        text.number = number.is_double   ? number.bits ^ u64 { 1 } << 63
                      : number.is_single ? number.bits ^ u64 { 1 } << 31
                                         : 0 - number.bits;
      }
      return text;
    }
    if (is_minus) tokens_->refuse("Only numbers have a sign.");
    text.word = word;
    if (tokens_->accept("+")) text.number = tokens_->integer();
    return text;
  }

  FunctionBuilder* builder_;
  TokenReader* tokens_;
  const std::string* wrong_;
};

}  // namespace

void parse_body(FunctionBuilder& builder, TokenReader& tokens, const std::string& wrong) {
  BodyParser(builder, tokens, wrong).parse();
}

}  // namespace collet::cuda_double
