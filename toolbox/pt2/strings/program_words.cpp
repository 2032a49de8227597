#include "pt2/strings/program_words.h"

#include "pt2/graph/signature.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/expression_value.h"
#include "pt2/strings/kind_words.h"
#include "pt2/text/literal.h"

namespace pt2 {
namespace {

template <class Spec>
std::string spec_text(const Spec& spec) {
  const auto parts = parts_of(spec);
  std::string text = words_of(parts.kind).meaning;
  if (parts.target != nullptr) text += " " + string_literal(*parts.target);
  if (parts.constant != nullptr) text += " " + constant_text(*parts.constant);
  return text + (parts.persistent == false ? " (not persistent)" : "");
}

}  // namespace

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
