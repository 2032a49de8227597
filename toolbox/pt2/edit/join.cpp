#include "pt2/edit/join.h"

#include <algorithm>
#include <iterator>

#include "pt2/edit/placement.h"
#include "pt2/edit/symbols.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/graph/index.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using Signature = ExportGraphSignature;

[[noreturn]] void cannot_join(const std::string& message) {
  throw schemagen::UsageError("cannot join: " + message);
}

void check_signature(const ExportedProgram& program, const char* which) {
  const GraphModule& module = program.graph_module;
  const std::string asked = std::string("the ") + which + " program ";
  if (module.signature.input_specs.size() != module.graph.inputs.size() ||
      module.signature.output_specs.size() != module.graph.outputs.size()) {
    cannot_join(asked + "does not have exactly one spec for each input and output");
  }
  const Signature signature(module.signature);
  for (const auto& parts : signature.inputs()) {
    if (parts.kind == InputSpec::token) cannot_join(asked + "has tokens");
  }
  for (const auto& parts : signature.outputs()) {
    if (parts.kind != OutputSpec::user_output && !is_mutation(parts.kind)) {
      cannot_join(asked + "has tokens, a loss or gradients");
    }
  }
}

std::vector<NameChange> rename_targets(const ExportedProgram& first, ExportedProgram& second) {
  schemagen::Map<bool> taken;
  const Signature old(first.graph_module.signature);
  for (const auto& parts : old.inputs()) {
    if (parts.target != nullptr) taken.try_emplace(*parts.target);
  }
  std::vector<NameChange> changes;
  schemagen::Map<std::string> new_names;
  for (const InputSpec& spec : second.graph_module.signature.input_specs) {
    const std::string* const target = parts_of(spec).target;
    if (target == nullptr) continue;
    const auto [new_name, is_new] = new_names.try_emplace(*target);
    if (is_new) *new_name = free_name(*target, *target + "_", 1, taken);
    if (is_new && *new_name != *target) changes.push_back({*target, *new_name});
  }
  const auto rename = [&](std::string& target) { target = std::string(*new_names.find(target)); };
  for (InputSpec& spec : second.graph_module.signature.input_specs) {
    if (std::string* const target = parts_of(spec).target) rename(*target);
  }
  for (OutputSpec& spec : second.graph_module.signature.output_specs) {
    const auto parts = parts_of(spec);
    if (parts.target != nullptr && !parts.target_is_input && new_names.contains(*parts.target)) {
      rename(*parts.target);
    }
  }
  return changes;
}

void check_tensors(const TensorMeta& given, const TensorMeta& taken, const std::string& what) {
  if (given.dtype != taken.dtype) cannot_join("dtypes differ for " + what);
  if (given.sizes.size() != taken.sizes.size()) {
    cannot_join(what + ": expected " + schemagen::counted(taken.sizes.size(), "dimension") + ", got " +
                std::to_string(given.sizes.size()));
  }
  if (given.device != taken.device) cannot_join("devices differ for " + what);
}

class Joining {
 public:
  Joining(const ExportedProgram& first, const ExportedProgram& second)
      : first_(first), second_(second), joined_{first, {}}, names_(first.graph_module.graph) {
    check_signature(first, "first");
    check_signature(second, "second");
    for (const auto& [set, version] : second.opset_version) {
      const auto [known, is_new] = joined_.program.opset_version.try_emplace(set);
      if (is_new) *known = version;
      if (*known != version)
        cannot_join("the programs have different versions of the operator set " + schemagen::quoted(set));
    }
  }

  JoinedProgram run(const std::vector<Connection>& connections) {
    connect(connections);
    joined_.renamed = rename_targets(first_, second_);
    make_inputs();
    Graph part = placed(second_.graph_module.graph, inputs_, names_);
    Graph& graph = joined_.program.graph_module.graph;
    add_values(graph, part);
    std::move(part.nodes.begin(), part.nodes.end(), std::back_inserter(graph.nodes));
    make_outputs(part.outputs);
    join_modules();
    if (joined_.program.verifiers != second_.verifiers) joined_.program.verifiers = {"TRAINING"};
    return std::move(joined_);
  }

 private:
  struct User {
    Argument argument;
    InputSpec spec;
  };

  void connect(const std::vector<Connection>& connections) {
    const Graph& from = first_.graph_module.graph;
    const Graph& to = second_.graph_module.graph;
    const Signature first(first_.graph_module.signature);
    const Signature second(second_.graph_module.signature);
    const std::vector<UserValue> outputs = first.user_outputs();
    JoinedSymbols symbols{symbols_of(first_)};
    for (const Connection& connection : connections) {
      const std::string& output = connection.output;
      const std::string& input = connection.input;
      const auto gives = [&](const UserValue& value) { return value.name == output; };
      const auto takes = [&](const auto& parts) {
        return parts.kind == InputSpec::user_input && parts.name != nullptr && *parts.name == input;
      };
      if (output.empty() || std::none_of(outputs.begin(), outputs.end(), gives)) {
        cannot_join("the first program has no user output " + schemagen::quoted(output));
      }
      if (std::none_of(second.inputs().begin(), second.inputs().end(), takes)) {
        cannot_join("the second program has no user input " + schemagen::quoted(input));
      }
      const Argument given = value_argument(from, output);
      if (!connected_.insert(input, given).second) {
        cannot_join("the input " + schemagen::quoted(input) + " is connected twice");
      }
      used_.try_emplace(output);
      check(find_value(from, output), find_value(to, input), schemagen::quoted(output), symbols);
    }
    join_symbols(symbols, second_, joined_.program.range_constraints);
  }

  static void check(const ValueMeta& given, const ValueMeta& taken, const std::string& what,
                    JoinedSymbols& symbols) {
    if (given.tensor != nullptr && taken.tensor != nullptr) {
      check_tensors(*given.tensor, *taken.tensor, what);
      connect_sizes(symbols, given.tensor->sizes, taken.tensor->sizes, what);
    } else if (given.sym_int != nullptr && taken.sym_int != nullptr) {
      connect_sizes(symbols, {*given.sym_int}, {*taken.sym_int}, what);
    } else if ((given.sym_float == nullptr || taken.sym_float == nullptr) &&
               (given.sym_bool == nullptr || taken.sym_bool == nullptr) &&
               (given.custom_object == nullptr || taken.custom_object == nullptr)) {
      cannot_join("the kinds of values differ for " + what);
    }
  }

  void make_inputs() {
    GraphModule& module = joined_.program.graph_module;
    std::vector<User> users;
    std::vector<User> model;
    for (std::size_t i = 0; i < module.graph.inputs.size(); ++i) {
      InputSpec& spec = module.signature.input_specs[i];
      (is_users(spec.kind()) ? users : model).push_back({module.graph.inputs[i], std::move(spec)});
    }
    const GraphModule& second = second_.graph_module;
    for (std::size_t i = 0; i < second.graph.inputs.size(); ++i) {
      const Argument& input = second.graph.inputs[i];
      const std::string* const name = value_of(input);
      const Argument* const given = name == nullptr ? nullptr : connected_.find(*name);
      inputs_.push_back(given != nullptr ? *given : renamed_input(input, module.graph));
      if (name != nullptr) new_inputs_[*name] = inputs_.back();
      if (given != nullptr) continue;
      User user = {inputs_.back(), second.signature.input_specs[i]};
      set_value(user.spec, user.argument);
      has_own_inputs_ = has_own_inputs_ || is_users(user.spec.kind());
      (is_users(user.spec.kind()) ? users : model).push_back(std::move(user));
    }
    std::move(users.begin(), users.end(), std::back_inserter(model));
    module.graph.inputs.clear();
    module.signature.input_specs.clear();
    for (User& input : model) {
      module.graph.inputs.push_back(std::move(input.argument));
      module.signature.input_specs.push_back(std::move(input.spec));
    }
    for (const UserValue& user : Signature(module.signature).user_inputs())
      user_inputs_.try_emplace(user.name);
  }

  Argument renamed_input(const Argument& input, Graph& graph) {
    const std::string* const name = value_of(input);
    if (name == nullptr) return input;
    const std::string new_name = names_.take(*name);
    for_each_table(second_.graph_module.graph, graph, [&](const auto& from, auto& to, ValueName::Table) {
      if (const auto* const entry = from.find(*name)) to.insert(new_name, *entry);
    });
    Argument argument(input);
    for_each_name(argument, [&](std::string& slot) { slot = new_name; });
    return argument;
  }

  void make_outputs(const std::vector<Argument>& made) {
    GraphModule& module = joined_.program.graph_module;
    module.graph.outputs.clear();
    module.signature.output_specs.clear();
    const auto add = [&](const Argument& argument, OutputSpec spec) {
      module.graph.outputs.push_back(argument);
      module.signature.output_specs.push_back(std::move(spec));
    };
    for (const bool are_mutations : {true, false}) {
      for (std::size_t i = 0; i < first_.graph_module.graph.outputs.size(); ++i) {
        const Argument& output = first_.graph_module.graph.outputs[i];
        const OutputSpec& spec = first_.graph_module.signature.output_specs[i];
        const std::string* const name = value_of(output);
        if (is_mutation(spec.kind()) != are_mutations) continue;
        if (!are_mutations && name != nullptr && used_.contains(*name)) continue;
        has_kept_outputs_ = has_kept_outputs_ || !are_mutations;
        add(output, spec);
      }
      for (std::size_t i = 0; i < made.size(); ++i) {
        OutputSpec spec = second_.graph_module.signature.output_specs[i];
        if (is_mutation(spec.kind()) != are_mutations || !rename_spec(spec, made[i])) continue;
        add(made[i], std::move(spec));
      }
    }
  }

  /// False for a mutation of a former user input, which must be dropped.
  bool rename_spec(OutputSpec& spec, const Argument& made) const {
    const auto parts = set_value(spec, made);
    if (!parts.target_is_input) return true;
    if (const Argument* const input = new_inputs_.find(*parts.target)) *parts.target = *value_of(*input);
    return user_inputs_.contains(*parts.target);
  }

  void join_modules() {
    GraphModule& module = joined_.program.graph_module;
    ModuleCallSignature* const second = root_signature(second_);
    ModuleCallSignature* const first = root_signature(joined_.program);
    if (first != nullptr && second != nullptr) {
      const Signature signature(module.signature);
      const ModuleCallSignature flat =
          *root_call(signature.user_inputs().size(), signature.user_outputs().size()).signature;
      if (has_own_inputs_) {
        first->in_spec = flat.in_spec;
        first->forward_arg_names.reset();
        joined_.program.guards_code.clear();
      }
      first->out_spec = has_kept_outputs_ ? flat.out_spec : second->out_spec;
    }
    schemagen::Map<bool> known;
    for (const ModuleCallEntry& call : module.module_call_graph) known.try_emplace(call.fqn);
    for (const ModuleCallEntry& call : second_.graph_module.module_call_graph) {
      if (known.try_emplace(call.fqn).second) module.module_call_graph.push_back({call.fqn, std::nullopt});
    }
    for (const auto& [name, fields] : second_.graph_module.treespec_namedtuple_fields) {
      module.treespec_namedtuple_fields.insert(name, fields);
    }
  }

  const ExportedProgram& first_;
  ExportedProgram second_;
  JoinedProgram joined_;
  FreshNames names_;
  Substitutes connected_;
  schemagen::Map<bool> used_;
  std::vector<Argument> inputs_;
  Substitutes new_inputs_;  // by their old names
  schemagen::Map<bool> user_inputs_;
  bool has_own_inputs_ = false;
  bool has_kept_outputs_ = false;
};

}  // namespace

std::vector<Connection> connections_in_order(const ExportedProgram& first, const ExportedProgram& second) {
  const ExportGraphSignature gives(first.graph_module.signature);
  const ExportGraphSignature takes(second.graph_module.signature);
  const std::vector<UserValue> outputs = gives.user_outputs();
  const std::vector<UserValue> inputs = takes.user_inputs();
  std::vector<Connection> connections;
  for (std::size_t i = 0; i < outputs.size() && i < inputs.size(); ++i) {
    connections.push_back({outputs[i].name, inputs[i].name});
  }
  return connections;
}

JoinedProgram join(const ExportedProgram& first, const ExportedProgram& second,
                   const std::vector<Connection>& connections) {
  return Joining(first, second).run(connections);
}

}  // namespace pt2
