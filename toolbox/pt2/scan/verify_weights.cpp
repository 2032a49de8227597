#include "pt2/scan/verify_weights.h"

#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/schema_info.h"
#include "pt2/strings/argument_text.h"
#include "pt2/verify/check.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

using WeightsByName = schemagen::Map<const Weight*>;

void check_input(Check& check, const SpecParts<const InputSpec>& input, const WeightsByName& weights,
                 const std::string& path) {
  if (input.target == nullptr) return;
  const Weight* const* const found = weights.find(*input.target);
  if (found == nullptr) {
    return check.add(RuleId::weight_missing, path,
                     "the archive has no tensor or object " + schemagen::quoted(*input.target));
  }
  if (!(*found)->class_name.empty()) {
    const std::optional<std::string> torchao = torchao_for((*found)->class_name);
    check.add(RuleId::weight_class, torchao ? Severity::note : Severity::warning, path,
              schemagen::quoted(*input.target) + " is a " + (*found)->class_name +
                  (torchao ? ", which needs " + *torchao : ", a class that torch imports to load it"));
  }
  const TensorMeta* const meta = check.program.graph_module.graph.tensor_values.find(*input.name);
  if (meta == nullptr || !(*found)->tensor) return;
  const TensorLayout& layout = (*found)->tensor->layout;
  if (layout.dtype != meta->dtype) {
    check.add(RuleId::weight_mismatch, path,
              schemagen::quoted(*input.target) + " is " + enumerator_text(meta->dtype) +
                  " in the graph, but " + enumerator_text(layout.dtype) + " in the archive");
  } else if (!has_shape(*meta, layout.shape)) {
    check.add(RuleId::weight_mismatch, path,
              schemagen::quoted(*input.target) + " has the sizes " + shape_text(layout.shape) +
                  " in the archive, but different sizes in the graph");
  }
}

void check_bytes(Check& check, const std::vector<Weight>& weights) {
  const auto is_stripped = [](const Weight& weight) {
    return weight.tensor && weight.tensor->is_absent() && !weight.tensor->is_on_meta();
  };
  const auto first = std::find_if(weights.begin(), weights.end(), is_stripped);
  if (first == weights.end()) return;
  const auto count = static_cast<std::size_t>(std::count_if(first, weights.end(), is_stripped));
  check.add(RuleId::weight_stripped, "",
            "the archive has no bytes for " + schemagen::counted(count, "tensor") + ", such as " +
                schemagen::quoted(first->name) + ": torch loads zeros");
}

}  // namespace

std::vector<Finding> verify_weights(const ExportedProgram& program, const Archive& archive,
                                    std::string_view model, const std::vector<NamedTensor>& constants,
                                    const schemagen::Limits& limits) {
  const ProgramIndex index(program);
  Check check(program, index);
  try {
    std::vector<Weight> weights = weights_of(archive, model, program.graph_module.signature, limits);
    append_constants(weights, constants, "");
    check_bytes(check, weights);
    WeightsByName by_name;
    for (const Weight& weight : weights) by_name.insert(weight.name, &weight);
    const auto& inputs = index.signature().inputs();
    for (std::size_t i = 0; i < inputs.size() && !weights.empty(); ++i) {
      check_input(check, inputs[i], by_name, at_index("graph_module.signature.input_specs", i));
    }
  } catch (const schemagen::DataError& error) {
    check.add(RuleId::weight_record, "", error.what());
  }
  return check.take();
}

}  // namespace pt2
