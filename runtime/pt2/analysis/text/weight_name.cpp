#include "pt2/analysis/text/weight_name.h"

#include <algorithm>
#include <iterator>

#include "pt2/analysis/text/unicode_forms.h"
#include "pt2/versions/text/affix.h"
#include "pt2/versions/text/python_name.h"

namespace pt2 {
namespace {

/// Whether torch may paste a part of a name as an attribute, `self.part`, which Python then reads in its NFKC
/// form. Source: `_format_target` of torch/fx/graph.py, which asks str.isidentifier().
bool may_be_attribute(std::string_view part) {
  return is_unicode_identifier(part);
}

/// Whether `part` stays within the double quotes that torch puts it in, `getattr(self, "part")`. Python reads
/// other backslashes as escapes: the name that results is at most one that the module does not have.
bool stays_in_quotes(std::string_view part) {
  constexpr std::string_view kEnds("\"\n\r\0", 4);
  return part.find_first_of(kEnds) == part.npos && !ends_with(part, "\\");
}

/// Methods of torch.fx.GraphModule that are none of torch.nn.Module: no attribute that a model has of its
/// own.
bool is_method_of_graph_module(std::string_view part) {
  constexpr std::string_view kMethods[] = {"add_submodule",    "delete_all_unused_submodules",
                                           "delete_submodule", "print_readable",
                                           "recompile",        "to_folder"};
  return std::find(std::begin(kMethods), std::end(kMethods), part) != std::end(kMethods);
}

/// What dynamo's names of modules have, which are expressions:
/// `layers.0.forward.__closure__.3.cell_contents`.
bool is_attribute_of_function(std::string_view part) {
  constexpr std::string_view kAttributes[] = {"__closure__", "__func__", "__self__", "__wrapped__"};
  return std::find(std::begin(kAttributes), std::end(kAttributes), part) != std::end(kAttributes);
}

template <class IsGood>
bool all_parts(std::string_view name, const IsGood& is_good) {
  while (true) {
    const std::size_t dot = name.find('.');
    if (!is_good(name.substr(0, dot))) return false;
    if (dot == name.npos) return true;
    name.remove_prefix(dot + 1);
  }
}

bool is_weight_part(std::string_view part) {
  if (!may_be_attribute(part)) return stays_in_quotes(part);
  return !is_special_name(part) && !is_method_of_graph_module(part) && is_settled_nfkc(part);
}

}  // namespace

bool is_weight_name(std::string_view text) {
  return all_parts(text, is_weight_part);
}

bool is_module_path(std::string_view text) {
  return all_parts(
      text, [](std::string_view part) { return is_attribute_of_function(part) || is_weight_part(part); });
}

}  // namespace pt2
