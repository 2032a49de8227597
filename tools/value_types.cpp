#include "value_types.h"

#include "pt2/json.h"

namespace pt2::tool {
namespace {

template <class T>
std::string rewrite(std::string_view json, const schemagen::JsonReadOptions& options) {
  return schemagen::to_json(schemagen::from_json<T>(json, options));
}

constexpr ValueType kTypes[] = {
    {"Device", rewrite<Device>},
    {"SymExprHint", rewrite<SymExprHint>},
    {"SymExpr", rewrite<SymExpr>},
    {"SymInt", rewrite<SymInt>},
    {"SymFloat", rewrite<SymFloat>},
    {"SymBool", rewrite<SymBool>},
    {"TensorMeta", rewrite<TensorMeta>},
    {"SymIntArgument", rewrite<SymIntArgument>},
    {"SymFloatArgument", rewrite<SymFloatArgument>},
    {"SymBoolArgument", rewrite<SymBoolArgument>},
    {"TensorArgument", rewrite<TensorArgument>},
    {"TokenArgument", rewrite<TokenArgument>},
    {"OptionalTensorArgument", rewrite<OptionalTensorArgument>},
    {"GraphArgument", rewrite<GraphArgument>},
    {"CustomObjArgument", rewrite<CustomObjArgument>},
    {"ComplexValue", rewrite<ComplexValue>},
    {"Argument", rewrite<Argument>},
    {"NamedArgument", rewrite<NamedArgument>},
    {"Node", rewrite<Node>},
    {"Graph", rewrite<Graph>},
    {"UserInputSpec", rewrite<UserInputSpec>},
    {"ConstantValue", rewrite<ConstantValue>},
    {"InputToConstantInputSpec", rewrite<InputToConstantInputSpec>},
    {"InputToParameterSpec", rewrite<InputToParameterSpec>},
    {"InputToBufferSpec", rewrite<InputToBufferSpec>},
    {"InputToTensorConstantSpec", rewrite<InputToTensorConstantSpec>},
    {"InputToCustomObjSpec", rewrite<InputToCustomObjSpec>},
    {"InputTokenSpec", rewrite<InputTokenSpec>},
    {"InputSpec", rewrite<InputSpec>},
    {"UserOutputSpec", rewrite<UserOutputSpec>},
    {"LossOutputSpec", rewrite<LossOutputSpec>},
    {"BufferMutationSpec", rewrite<BufferMutationSpec>},
    {"ParameterMutationSpec", rewrite<ParameterMutationSpec>},
    {"GradientToParameterSpec", rewrite<GradientToParameterSpec>},
    {"GradientToUserInputSpec", rewrite<GradientToUserInputSpec>},
    {"UserInputMutationSpec", rewrite<UserInputMutationSpec>},
    {"OutputTokenSpec", rewrite<OutputTokenSpec>},
    {"OutputSpec", rewrite<OutputSpec>},
    {"GraphSignature", rewrite<GraphSignature>},
    {"RangeConstraint", rewrite<RangeConstraint>},
    {"ModuleCallSignature", rewrite<ModuleCallSignature>},
    {"ModuleCallEntry", rewrite<ModuleCallEntry>},
    {"NamedTupleDef", rewrite<NamedTupleDef>},
    {"GraphModule", rewrite<GraphModule>},
    {"SchemaVersion", rewrite<SchemaVersion>},
    {"ExportedProgram", rewrite<ExportedProgram>},
    {"PayloadMeta", rewrite<PayloadMeta>},
    {"PayloadConfig", rewrite<PayloadConfig>},
    {"AOTInductorModelPickleData", rewrite<AOTInductorModelPickleData>},
    {"ExternKernelNode", rewrite<ExternKernelNode>},
    {"ExternKernelNodes", rewrite<ExternKernelNodes>},
};

}  // namespace

const ValueType* find_value_type(std::string_view name) {
  for (const ValueType& type : kTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::vector<std::string> value_type_names() {
  std::vector<std::string> names;
  for (const ValueType& type : kTypes) names.emplace_back(type.name);
  return names;
}

}  // namespace pt2::tool
