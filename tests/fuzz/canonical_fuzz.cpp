#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "fault.h"
#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "pt2/show/print.h"
#include "pt2/stats/stats.h"
#include "schemagen/base/error.h"

namespace {

using pt2::CanonicalForm;
using pt2::ExportedProgram;

std::optional<std::string> form_of(const ExportedProgram& program, CanonicalForm form) {
  try {
    return schemagen::to_json(pt2::canonicalize(program, form));
  } catch (const schemagen::DataError& error) {
    require_message(error);
    return std::nullopt;
  }
}

std::vector<std::string> names_of(const std::vector<pt2::Argument>& arguments) {
  std::vector<std::string> names;
  for (const pt2::Argument& argument : arguments) {
    pt2::for_each_slot(argument, [&](const std::string* name, pt2::ValueName::Table) {
      if (name != nullptr) names.push_back(*name);
    });
  }
  return names;
}

std::vector<std::string> inputs_of(const pt2::Node& node) {
  std::vector<pt2::Argument> arguments;
  for (const pt2::NamedArgument& input : node.inputs) arguments.push_back(input.arg);
  return names_of(arguments);
}

bool have_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& name) { return std::find(b.begin(), b.end(), name) != b.end(); });
}

/// A separate list, so as not to share faults with pt2/effects.h.
bool is_pure(const pt2::Node& node) {
  static const std::string kPure[] = {"torch.ops.aten.add.Tensor",
                                      "torch.ops.aten.mul.Tensor",
                                      "torch.ops.aten.sub.Tensor",
                                      "torch.ops.aten.relu.default",
                                      "torch.ops.aten.sin.default",
                                      "torch.ops.aten.cos.default",
                                      "torch.ops.aten.permute.default",
                                      "torch.ops.aten.view.default",
                                      "torch.ops.aten.linear.default",
                                      "torch.ops.aten.addmm.default",
                                      "torch.ops.aten.mm.default",
                                      "torch.ops.aten.unsqueeze.default",
                                      "torch.ops.aten.sym_size.int",
                                      "_operator.add",
                                      "_operator.mul",
                                      "torch.ops.aten.sum.dim_IntList",
                                      "torch.ops.aten.slice.Tensor",
                                      "torch.ops.aten.full.default",
                                      "torch.ops.aten.to.dtype",
                                      "torch.ops.aten.softmax.int",
                                      "torch.ops.aten.gelu.default"};
  return std::find(std::begin(kPure), std::end(kPure), node.target) != std::end(kPure);
}

void shuffle(pt2::Graph& graph, std::mt19937& random) {
  std::vector<pt2::Node>& nodes = graph.nodes;
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      if (random() % 2 == 0 || !is_pure(nodes[i - 1]) || !is_pure(nodes[i])) continue;
      if (have_common(names_of(nodes[i - 1].outputs), inputs_of(nodes[i]))) continue;
      std::swap(nodes[i - 1], nodes[i]);
    }
  }
}

void check_forms(const ExportedProgram& program) {
  const std::optional<std::string> names = form_of(program, CanonicalForm::names);
  const std::optional<std::string> normal = form_of(program, CanonicalForm::normal);
  require(names || !normal, "what has a normal form has the form names");
  if (names) {
    const auto renamed = schemagen::from_json<ExportedProgram>(*names);
    require(form_of(renamed, CanonicalForm::names) == names, "the form names is idempotent");
    require(form_of(renamed, CanonicalForm::normal) == normal, "normal(names(p)) is normal(p)");
  }
  if (!normal) return;
  require(form_of(schemagen::from_json<ExportedProgram>(*normal), CanonicalForm::normal) == normal,
          "the form normal is idempotent");
}

void check_texts(const ExportedProgram& program) {
  require(!has_control_characters(pt2::program_text(program), Lines::many),
          "no control characters in a print");
  const pt2::ProgramSummary summary = pt2::summarize(program);
  require(summary.nodes >= program.graph_module.graph.nodes.size(), "a summary counts all nodes");
}

void check_differences(const ExportedProgram& a, const ExportedProgram& b) {
  const pt2::NormalProgram before = pt2::normalize(a);
  const pt2::NormalProgram after = pt2::normalize(b);
  const std::vector<pt2::Difference> differences = pt2::diff_programs(before, after);
  const bool same = schemagen::to_json(before.program) == schemagen::to_json(after.program);
  require(differences.empty() == same, "what differs has differences, and nothing else");
  for (const pt2::Difference& difference : differences) {
    std::string text = difference.where + difference.before + difference.after;
    for (const std::string& detail : difference.details) text += detail;
    require(!has_control_characters(text, Lines::one), "no control characters in a difference: " + text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  ExportedProgram program;
  schemagen::JsonReadOptions options;
  options.bare_nonfinite = true;
  try {
    program = schemagen::from_json<ExportedProgram>(json, options);
  } catch (const schemagen::DataError& error) {
    require_message(error);
    return 0;
  }
  form_of(program, CanonicalForm::torch);
  check_texts(program);
  check_forms(program);
  const std::optional<std::string> normal = form_of(program, CanonicalForm::normal);
  if (!normal) return 0;
  check_differences(program, program);

  std::mt19937 random(static_cast<std::mt19937::result_type>(std::hash<std::string_view>()(json)));
  ExportedProgram shuffled = program;
  shuffle(shuffled.graph_module.graph, random);
  require(form_of(shuffled, CanonicalForm::normal) == normal,
          "independent nodes that swapped places hash alike");

  if (!shuffled.graph_module.graph.nodes.empty()) {
    shuffled.graph_module.graph.nodes.erase(
        shuffled.graph_module.graph.nodes.begin() +
        static_cast<std::ptrdiff_t>(random() % shuffled.graph_module.graph.nodes.size()));
    if (form_of(shuffled, CanonicalForm::normal)) check_differences(program, shuffled);
  }
  return 0;
}
