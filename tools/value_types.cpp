#include "value_types.h"

#include "pt2/binary.h"
#include "pt2/json.h"

namespace pt2::tool {
namespace {

template <class T>
T read(const ProgramFile& file, std::vector<schemagen::SkippedField>& skipped) {
  if (const Envelope* const envelope = file.envelope()) {
    schemagen::BinaryReadOptions options;
    options.skipped = &skipped;
    return from_envelope<T>(*envelope, options);
  }
  schemagen::JsonReadOptions options;
  options.readable_after = file.bytes().readable_after();
  return schemagen::from_json<T>(file.bytes().view(), options);
}

template <class T>
std::string convert(const ProgramFile& in, const OutputFormat& out,
                    std::vector<schemagen::SkippedField>& skipped) {
  return encode(read<T>(in, skipped), out);
}

constexpr ValueType kTypes[] = {
    {"Device", convert<Device>},
    {"SymExprHint", convert<SymExprHint>},
    {"SymExpr", convert<SymExpr>},
    {"SymInt", convert<SymInt>},
    {"SymFloat", convert<SymFloat>},
    {"SymBool", convert<SymBool>},
    {"TensorMeta", convert<TensorMeta>},
    {"SymIntArgument", convert<SymIntArgument>},
    {"SymFloatArgument", convert<SymFloatArgument>},
    {"SymBoolArgument", convert<SymBoolArgument>},
    {"TensorArgument", convert<TensorArgument>},
    {"TokenArgument", convert<TokenArgument>},
    {"OptionalTensorArgument", convert<OptionalTensorArgument>},
    {"GraphArgument", convert<GraphArgument>},
    {"CustomObjArgument", convert<CustomObjArgument>},
    {"ComplexValue", convert<ComplexValue>},
    {"Argument", convert<Argument>},
    {"NamedArgument", convert<NamedArgument>},
    {"Node", convert<Node>},
    {"Graph", convert<Graph>},
    {"UserInputSpec", convert<UserInputSpec>},
    {"ConstantValue", convert<ConstantValue>},
    {"InputToConstantInputSpec", convert<InputToConstantInputSpec>},
    {"InputToParameterSpec", convert<InputToParameterSpec>},
    {"InputToBufferSpec", convert<InputToBufferSpec>},
    {"InputToTensorConstantSpec", convert<InputToTensorConstantSpec>},
    {"InputToCustomObjSpec", convert<InputToCustomObjSpec>},
    {"InputTokenSpec", convert<InputTokenSpec>},
    {"InputSpec", convert<InputSpec>},
    {"UserOutputSpec", convert<UserOutputSpec>},
    {"LossOutputSpec", convert<LossOutputSpec>},
    {"BufferMutationSpec", convert<BufferMutationSpec>},
    {"ParameterMutationSpec", convert<ParameterMutationSpec>},
    {"GradientToParameterSpec", convert<GradientToParameterSpec>},
    {"GradientToUserInputSpec", convert<GradientToUserInputSpec>},
    {"UserInputMutationSpec", convert<UserInputMutationSpec>},
    {"OutputTokenSpec", convert<OutputTokenSpec>},
    {"OutputSpec", convert<OutputSpec>},
    {"GraphSignature", convert<GraphSignature>},
    {"RangeConstraint", convert<RangeConstraint>},
    {"ModuleCallSignature", convert<ModuleCallSignature>},
    {"ModuleCallEntry", convert<ModuleCallEntry>},
    {"NamedTupleDef", convert<NamedTupleDef>},
    {"GraphModule", convert<GraphModule>},
    {"SchemaVersion", convert<SchemaVersion>},
    {"ExportedProgram", convert<ExportedProgram>},
    {"PayloadMeta", convert<PayloadMeta>},
    {"PayloadConfig", convert<PayloadConfig>},
    {"AOTInductorModelPickleData", convert<AOTInductorModelPickleData>},
    {"ExternKernelNode", convert<ExternKernelNode>},
    {"ExternKernelNodes", convert<ExternKernelNodes>},
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
