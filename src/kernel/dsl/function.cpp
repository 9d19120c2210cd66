// Traces functions, calls them, and puts them into kernels.

#include "kernel/dsl/function.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "collet/function.hpp"
#include "kernel/dsl/trace.hpp"

namespace collet::detail {
namespace {

// Threads: one at a time.
class Linker {
 public:
  explicit Linker(ir::Kernel& kernel) : kernel_(kernel) {}

  void add(const std::shared_ptr<const TracedFunction>& function) {
    if (numbers_.contains(function.get())) return;
    for (const auto& callee : function->callees) add(callee);
    if (function->failure && !failure_) failure_ = function->failure;
    ir::Function made{.name = free_name(function->name),
                      .arguments = function->arguments,
                      .results = function->results,
                      .body = function->body};
    renumber(made.body, function->callees);
    take_messages(made.body, function->messages);
    numbers_.emplace(function.get(), static_cast<std::uint32_t>(kernel_.functions.size()));
    kernel_.functions.push_back(std::move(made));
  }

  void renumber(ir::Kernel& body, const Callees& callees) const {
    for (ir::Node& node : body.nodes) {
      if (node.op == ir::Op::call) node.immediate = numbers_.at(callees[node.low()].get());
    }
  }

  void take_messages(ir::Kernel& body, const std::vector<ir::Message>& messages) {
    for (ir::Node& node : body.nodes) {
      if (node.op == ir::Op::print) node.immediate += kernel_.messages.size();
    }
    kernel_.messages.insert(kernel_.messages.end(), messages.begin(), messages.end());
  }

  std::optional<Error> failure() const { return failure_; }

 private:
  // The name, with a number where another function has it.
  std::string free_name(const std::string& name) {
    std::string found = name;
    for (int i = 2; !names_.insert(found).second; ++i) found = name + "_" + std::to_string(i);
    return found;
  }

  ir::Kernel& kernel_;
  std::map<const TracedFunction*, std::uint32_t> numbers_;
  std::set<std::string> names_;
  std::optional<Error> failure_;
};

}  // namespace

std::optional<Error> link(ir::Kernel& kernel, const Callees& callees) {
  Linker linker(kernel);
  for (const auto& callee : callees) linker.add(callee);
  linker.renumber(kernel, callees);
  return linker.failure();
}

std::shared_ptr<const TracedFunction> trace_function(
    std::string name, const std::vector<ir::Scalar>& arguments, const std::vector<ir::Scalar>& results,
    const std::function<std::vector<Traced>(const std::vector<Traced>&)>& body,
    const std::source_location& where) {
  auto made = std::make_shared<TracedFunction>();
  made->name = name;
  made->arguments = arguments;
  made->results = results;
  ir::Kernel frame;
  frame.name = std::move(name);
  Trace trace(std::move(frame), Trace::Of::function);
  trace.at(where);
  std::vector<Traced> own;
  own.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    own.push_back(emit(ir::Op::argument, {arguments[i]}, {}, i));
  const std::vector<Traced> given = body(own);
  for (std::size_t i = 0; i < given.size(); ++i) emit(ir::Op::give, {}, {given[i]}, i);
  trace.finish(*made);
  return made;
}

std::vector<Traced> call_function(const std::shared_ptr<const TracedFunction>& function,
                                  const std::vector<Traced>& arguments, std::size_t results) {
  if (function == nullptr) {
    trace_error("A function calls itself, or one that was not made yet.");
    return std::vector<Traced>(results);
  }
  Trace* trace = Trace::current();
  const std::uint32_t number = trace != nullptr ? trace->callee(function) : 0;
  for (const Traced argument : arguments) emit(ir::Op::pass, {}, {argument});
  emit(ir::Op::call, {}, {}, number);
  std::vector<Traced> given;
  given.reserve(results);
  for (std::size_t i = 0; i < results; ++i)
    given.push_back(emit(ir::Op::result, {function->results[i]}, {}, i));
  return given;
}

}  // namespace collet::detail
