#include "pt2/stats/stats.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "pt2/graph/walk.h"
#include "pt2/nodes/arguments.h"
#include "pt2/nodes/moved_operators.h"
#include "pt2/operators/higher_order.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/affix.h"
#include "pt2/text/lines.h"
#include "pt2/versions/releases.h"
#include "schemagen/base/ascii.h"
#include "schemagen/base/error.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::string why_not_in_torch(std::string_view release, const Node& node, const Graph& graph) {
  const Operator* const op = find_operator(node.target);
  if (op == nullptr) return "is unknown";
  const Operator* const there = find_operator(node.target, release);
  if (there == nullptr) {
    const bool is_too_new = op->since && is_earlier_release(release, *op->since);
    return is_too_new ? "was added in torch " + *op->since : "last existed in torch " + *op->until;
  }
  if (const MovedOperator* const moved = find_moved(node, graph, release)) return moved_text(*moved);
  try {
    const NodeArguments arguments(node, *there);
  } catch (const schemagen::DataError& error) {
    return std::string("has different arguments in that release: ") + error.what();
  }
  return {};
}

std::string plain_name(std::string_view name) {
  if (starts_with(name, kOperatorPrefix)) name.remove_prefix(kOperatorPrefix.size());
  std::string plain(name);
  const std::size_t colons = plain.find("::");
  return colons == plain.npos ? plain : plain.replace(colons, 2, ".");
}

/// Two or more identifiers with dots between them.
bool is_operator_text(std::string_view text) {
  char before = '.';
  for (const char c : text) {
    if (!schemagen::is_name_char(c) && (c != '.' || before == '.')) return false;
    before = c;
  }
  return before != '.' && text.find('.') != text.npos;
}

std::string_view without_overload(std::string_view plain) {
  return plain.substr(0, plain.rfind('.'));
}

/// The plain names of all operators in the table, with and without overloads.
struct KnownNames {
  KnownNames() {
    for (std::size_t i = 0; i < operator_count(); ++i) {
      const std::string plain = plain_name(operator_at(i).target);
      if (plain.find('.') == plain.npos) continue;
      // Python's modules have more functions than the table.
      if (starts_with(operator_at(i).target, "torch.")) namespaces.emplace(plain.substr(0, plain.find('.')));
      names.emplace(without_overload(plain));
      names.insert(plain);
    }
  }

  bool has(const std::string& plain) const {
    const std::size_t dot = plain.find('.');
    if (names.count(plain) != 0) return true;
    return namespaces.count(plain.substr(0, dot)) == 0 && meant(plain).empty();
  }

  /// The name that was meant, or an empty string.
  std::string meant(const std::string& plain) const {
    std::string in_aten = "aten." + plain;
    if (names.count(in_aten) != 0) return in_aten;
    const std::size_t dot = plain.find('.');
    const std::string within(
        schemagen::nearest_name(plain.substr(0, dot), {namespaces.begin(), namespaces.end()}));
    std::string renamed = within + plain.substr(std::min(dot, plain.size()));
    if (!within.empty() && names.count(renamed) != 0) return renamed;
    if (namespaces.count(plain.substr(0, dot)) == 0) return {};
    std::string as_aten = "aten" + plain.substr(std::min(dot, plain.size()));
    if (names.count(as_aten) != 0) return as_aten;
    std::vector<std::string_view> near;
    for (const std::string& name : names) {
      const bool is_close = name.compare(0, dot + 2, plain, 0, dot + 2) == 0 &&
                            name.size() + 2 >= plain.size() && name.size() <= plain.size() + 2;
      if (is_close) near.push_back(name);
    }
    return std::string(schemagen::nearest_name(plain, near));
  }

  using Names = std::set<std::string, std::less<>>;

  Names names;
  Names namespaces;
};

std::string suggestion(const KnownNames& known, const std::string& plain) {
  const std::string meant = known.meant(plain);
  return meant.empty() ? "" : ", did you mean " + schemagen::quoted(meant) + "?";
}

/// Calls `visit(plain name, line number)` for each name. Throws DataError.
template <class Visit>
void for_each_operator(std::string_view text, std::string_view name, const Visit& visit) {
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    const std::string_view word = trimmed(line.substr(0, line.find('#')));
    if (word.empty()) return;
    const std::string plain = plain_name(word);
    if (!is_operator_text(plain)) {
      throw schemagen::DataError(schemagen::printable(name) + ":" + std::to_string(number) +
                                 ": expected the name of an operator, such as aten.add.Tensor, got " +
                                 schemagen::quoted(word) + suggestion(KnownNames(), plain));
    }
    visit(plain, number);
  });
}

template <class Arguments>
std::vector<ScalarType> dtypes_of(const Graph& graph, const Arguments& arguments) {
  std::vector<ScalarType> dtypes;
  for_each_name(arguments, [&](const std::string& name, ValueName::Table table) {
    if (table != ValueName::Table::tensors) return;
    const TensorMeta* const meta = graph.tensor_values.find(name);
    if (meta == nullptr || std::find(dtypes.begin(), dtypes.end(), meta->dtype) != dtypes.end()) return;
    dtypes.push_back(meta->dtype);
  });
  return dtypes;
}

std::string name_of_node(const Node& node) {
  if (const std::string* const result = first_name(node.outputs)) return *result;
  return node.name && !node.name->empty() ? *node.name : operator_text(node.target);
}

void add_dtypes(std::vector<OperatorDtypes>& known, std::vector<ScalarType> arguments,
                std::vector<ScalarType> results) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const OperatorDtypes& each) {
    return each.arguments == arguments && each.results == results;
  });
  if (found != known.end()) {
    ++found->nodes;
  } else {
    known.push_back({std::move(arguments), std::move(results), 1});
  }
}

void add_uses(const Graph& graph, const std::string& where, const OperatorSupport& support,
              schemagen::Map<OperatorUse>& uses) {
  for (const Node& node : graph.nodes) {
    OperatorUse& use = uses[node.target];
    use.target = node.target;
    ++use.nodes;
    add_dtypes(use.dtypes, dtypes_of(graph, node.inputs), dtypes_of(graph, node.outputs));
    std::string missing = support ? support(node, graph) : std::string();
    if (!missing.empty()) {
      if (use.missing.empty()) use.missing = std::move(missing);
      use.missing_nodes.push_back(where + name_of_node(node));
    }
    for_each_subgraph(node, [&](const GraphArgument& inner) {
      add_uses(*inner.graph, where + name_of_node(node) + "/" + inner.name + "/", support, uses);
    });
  }
}

}  // namespace

OperatorSupport supported_by_torch(std::string_view release) {
  const bool is_known = std::any_of(std::begin(kReleases), std::end(kReleases), [&](const Release& each) {
    return release == "2." + std::to_string(each.torch_minor);
  });
  if (!is_known) {
    throw schemagen::UsageError("unknown torch release " + schemagen::quoted(release) + ": expected " +
                                std::string(operator_releases().first) + " to " +
                                std::string(operator_releases().last));
  }
  return [release = std::string(release)](const Node& node, const Graph& graph) {
    return why_not_in_torch(release, node, graph);
  };
}

OperatorSupport supported_by_core_aten() {
  return [](const Node& node, const Graph&) -> std::string {
    const Operator* const op = find_operator(node.target);
    const bool is_core =
        op != nullptr && (op->kind != OperatorKind::overload || has_tag(*op, OperatorTag::core));
    return is_core ? "" : "is not in Core ATen";
  };
}

OperatorSupport supported_by_list(std::string_view text, std::string_view name) {
  std::set<std::string, std::less<>> names;
  for_each_operator(text, name, [&](const std::string& plain, std::size_t) { names.insert(plain); });
  if (names.empty())
    throw schemagen::DataError(schemagen::printable(name) + ": expected names of operators, got none");
  return [names = std::move(names)](const Node& node, const Graph&) -> std::string {
    const std::string plain = plain_name(node.target);
    const bool is_listed = names.count(plain) != 0 || names.count(without_overload(plain)) != 0;
    return is_listed ? "" : "is not listed";
  };
}

std::vector<std::pair<std::size_t, std::string>> unknown_names(std::string_view text, std::string_view name) {
  const KnownNames known;
  std::vector<std::pair<std::size_t, std::string>> unknown;
  for_each_operator(text, name, [&](const std::string& plain, std::size_t line) {
    if (known.has(plain)) return;
    unknown.emplace_back(line, "unknown operator " + schemagen::quoted(plain) + suggestion(known, plain));
  });
  return unknown;
}

std::vector<OperatorUse> operator_report(const ExportedProgram& program, const OperatorSupport& support) {
  schemagen::Map<OperatorUse> by_target;
  add_uses(program.graph_module.graph, "", support, by_target);
  std::vector<OperatorUse> uses;
  for (auto& entry : by_target) uses.push_back(std::move(entry.value));
  for (OperatorUse& use : uses) {
    if (const Operator* const op = find_operator(use.target)) use.decomposes_to = op->decomposes_to;
    std::stable_sort(use.dtypes.begin(), use.dtypes.end(),
                     [](const OperatorDtypes& a, const OperatorDtypes& b) { return a.nodes > b.nodes; });
  }
  std::sort(uses.begin(), uses.end(), [](const OperatorUse& a, const OperatorUse& b) {
    return a.nodes != b.nodes ? a.nodes > b.nodes : a.target < b.target;
  });
  return uses;
}

}  // namespace pt2
