#include "pt2/strings/program_words.h"

#include "pt2/graph/signature.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/expression_value.h"
#include "pt2/text/literal.h"

namespace pt2 {
namespace {

template <class Kind>
struct KindWordsRow {
  Kind kind;
  KindWords words;
};

constexpr KindWordsRow<InputSpec::Kind> kInputWords[] = {
    {InputSpec::user_input, {"user input", "user input", "user inputs"}},
    {InputSpec::parameter, {"parameter", "parameter", "parameters"}},
    {InputSpec::buffer, {"buffer", "buffer", "buffers"}},
    {InputSpec::tensor_constant, {"constant", "constant", "constants"}},
    {InputSpec::custom_obj, {"custom object", "custom object", "custom objects"}},
    {InputSpec::token, {"token", "token", "tokens"}},
    {InputSpec::constant_input, {"user input, always", "fixed user input", "fixed user inputs"}},
};

constexpr KindWordsRow<OutputSpec::Kind> kOutputWords[] = {
    {OutputSpec::user_output, {"user output", "user output", "user outputs"}},
    {OutputSpec::loss_output, {"loss", "loss", "losses"}},
    {OutputSpec::buffer_mutation, {"mutation of buffer", "mutation of a buffer", "mutations of buffers"}},
    {OutputSpec::parameter_mutation,
     {"mutation of parameter", "mutation of a parameter", "mutations of parameters"}},
    {OutputSpec::user_input_mutation,
     {"mutation of user input", "mutation of a user input", "mutations of user inputs"}},
    {OutputSpec::gradient_to_parameter,
     {"gradient of parameter", "gradient of a parameter", "gradients of parameters"}},
    {OutputSpec::gradient_to_user_input,
     {"gradient of user input", "gradient of a user input", "gradients of user inputs"}},
    {OutputSpec::token, {"token", "token", "tokens"}},
};

template <class Rows, class Kind>
KindWords words_in(const Rows& rows, Kind kind) {
  for (const auto& row : rows) {
    if (row.kind == kind) return row.words;
  }
  return {"<unset>", "<unset>", "<unset>"};
}

template <class Spec>
std::string spec_text(const Spec& spec) {
  const auto parts = parts_of(spec);
  std::string text = words_of(parts.kind).meaning;
  if (parts.target != nullptr) text += " " + string_literal(*parts.target);
  if (parts.constant != nullptr) text += " " + constant_text(*parts.constant);
  return text + (parts.persistent == false ? " (not persistent)" : "");
}

}  // namespace

KindWords words_of(InputSpec::Kind kind) {
  return words_in(kInputWords, kind);
}
KindWords words_of(OutputSpec::Kind kind) {
  return words_in(kOutputWords, kind);
}

std::string torch_version_text(const ExportedProgram& program) {
  return program.torch_version == ExportedProgram().torch_version ? "version not recorded"
                                                                  : printable(program.torch_version);
}

std::string meaning_text(const InputSpec& spec) {
  return spec_text(spec);
}

std::string meaning_text(const OutputSpec& spec) {
  return spec_text(spec);
}

std::string range_text(const std::string& symbol, const RangeConstraint& range) {
  const std::string name = expression_text(symbol);
  if (range.min_val && range.max_val) {
    return std::to_string(*range.min_val) + " <= " + name + " <= " + std::to_string(*range.max_val);
  }
  if (range.min_val) return name + " >= " + std::to_string(*range.min_val);
  if (range.max_val) return name + " <= " + std::to_string(*range.max_val);
  return name + " unbounded";
}

}  // namespace pt2
