#include "pt2/edit/inner_tensors.h"

#include "pt2/edit/placement.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::string_view kReadInner = "torch.ops.export.access_subclass_inner_tensor.default";

class TakenApart {
 public:
  TakenApart(ExportedProgram& program, const std::vector<Weight>& weights)
      : program_(program), graph_(program.graph_module.graph), names_(graph_) {
    for (const Weight& weight : weights) {
      if (weight.class_name.empty()) continue;
      subclasses_[weight.name] = &weight;
      for (const NamedTensor& part : weight.parts) tensors_.insert(weight.name + "." + part.name);
    }
  }

  void run() {
    if (subclasses_.empty()) return;
    find_inputs();
    replace_nodes(program_, graph_, substitutes_, [&](const Node& node, std::size_t) {
      return reads(node) ? NewNodes(std::vector<Node>()) : NewNodes();
    });
    replace_inputs();
    require_no_other_use();
    remove_values(graph_, gone_);
  }

 private:
  struct Place {
    const Weight* weight;
    std::string path;  // of an inner subclass, e.g. `tensor_impl.`
    std::size_t input;
  };

  void find_inputs() {
    const std::vector<InputSpec>& specs = program_.graph_module.signature.input_specs;
    added_.resize(specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const auto parts = parts_of(specs[i]);
      if (parts.target == nullptr || parts.name == nullptr) continue;
      const Weight* const* const weight = subclasses_.find(*parts.target);
      if (weight == nullptr || !tensor_kind(parts.kind)) continue;
      places_[*parts.name] = {*weight, "", i};
      gone_.try_emplace(*parts.name);
    }
  }

  bool reads(const Node& node) {
    if (node.target != kReadInner || node.inputs.size() != 2 || node.outputs.size() != 1) return false;
    const std::string* const whole = value_of(node.inputs[0].arg);
    const Place* const found = whole == nullptr ? nullptr : places_.find(*whole);
    const std::string* const attribute = node.inputs[1].arg.get_if<Argument::as_string>();
    const std::string* const result = value_of(node.outputs[0]);
    if (found == nullptr || attribute == nullptr || result == nullptr) return false;
    read(Place{*found}, *attribute, *result);
    return true;
  }

  void read(Place place, const std::string& attribute, const std::string& result) {
    place.path += attribute;
    std::string name = place.weight->name + "." + place.path;
    if (tensors_.count(name) != 0) {
      substitutes_[result] = value_argument(ValueName::Table::tensors, input_of(place, result));
      return;
    }
    place.path += ".";
    name += ".";
    const auto inner = tensors_.lower_bound(name);
    if (inner == tensors_.end() || !starts_with(*inner, name)) {
      fail(*place.weight, "does not contain the tensor " + schemagen::quoted(attribute) + ", which " +
                              schemagen::quoted(result) + " reads");
    }
    places_[result] = std::move(place);
  }

  const std::string& input_of(const Place& place, const std::string& result) {
    const auto [name, is_new] = inputs_.try_emplace(place.weight->name + "." + place.path);
    if (!is_new) return *name;
    const InputSpec& spec = program_.graph_module.signature.input_specs[place.input];
    InputSpec inner = spec;
    const auto parts = parts_of(inner);
    *name = names_.take(input_name_of(*parts.name + "_", place.path));
    *parts.name = *name;
    *parts.target += "." + place.path;
    added_[place.input].push_back(std::move(inner));
    TensorMeta meta = graph_.tensor_values.at(result);
    graph_.tensor_values[*name] = std::move(meta);
    return *name;
  }

  void require_no_other_use() const {
    const auto check = [&](const auto& user, const std::string& shown) {
      for_each_name(user, [&](const std::string& name) {
        if (const Place* const found = places_.find(name)) {
          fail(*found->weight, "is used as a whole by " + shown);
        }
      });
    };
    for (const Node& node : graph_.nodes) check(node.inputs, schemagen::quoted(node.target));
    check(graph_.outputs, "an output");
    for (const ModuleCallEntry& call : program_.graph_module.module_call_graph) {
      if (!call.signature) continue;
      const std::string shown = "the signature of module " + schemagen::quoted(call.fqn);
      check(call.signature->inputs, shown);
      check(call.signature->outputs, shown);
    }
    for (const OutputSpec& spec : program_.graph_module.signature.output_specs) {
      const auto parts = parts_of(spec);
      if (parts.target == nullptr || parts.target_is_input) continue;
      const Weight* const* const weight = subclasses_.find(*parts.target);
      if (weight != nullptr) fail(**weight, "has a new value or a gradient among the outputs");
    }
  }

  void replace_inputs() {
    std::vector<InputSpec>& specs = program_.graph_module.signature.input_specs;
    std::vector<InputSpec> new_specs;
    std::vector<Argument> new_inputs;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const auto parts = parts_of(specs[i]);
      if (parts.name == nullptr || !gone_.contains(*parts.name)) {
        new_specs.push_back(std::move(specs[i]));
        new_inputs.push_back(std::move(graph_.inputs.at(i)));
      }
      for (InputSpec& inner : added_[i]) {
        new_inputs.push_back(value_argument(ValueName::Table::tensors, *parts_of(inner).name));
        new_specs.push_back(std::move(inner));
      }
    }
    specs = std::move(new_specs);
    graph_.inputs = std::move(new_inputs);
  }

  [[noreturn]] static void fail(const Weight& weight, const std::string& what) {
    throw schemagen::DataError("the weight " + schemagen::quoted(weight.name) + ", a " + weight.class_name +
                               ", cannot be taken apart: it " + what);
  }

  ExportedProgram& program_;
  Graph& graph_;
  FreshNames names_;
  schemagen::Map<const Weight*> subclasses_;
  std::set<std::string> tensors_;       // the names of the tensors in them
  schemagen::Map<Place> places_;        // by value
  schemagen::Map<std::string> inputs_;  // by the name of the weight
  schemagen::Map<bool> gone_;
  std::vector<std::vector<InputSpec>> added_;  // by the number of the input they replace
  Substitutes substitutes_;
};

}  // namespace

std::vector<Weight> take_apart(ExportedProgram& program, std::vector<Weight> weights) {
  TakenApart(program, weights).run();
  weights = with_parts(std::move(weights));
  const auto is_subclass = [](const Weight& weight) { return !weight.class_name.empty(); };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_subclass), weights.end());
  return weights;
}

}  // namespace pt2
