#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "program_value.h"
#include "pt2/diff/program_diff.h"
#include "pt2/report/reports.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/node_text.h"
#include "schemagen/base/quote.h"

namespace pt2::python {
namespace {

using schemagen::python::View;

/// Also reads values with preserved fields.
template <class T, class Read>
std::string text_of(nb::handle self, const Read& read) {
  constexpr std::size_t kMost = 500;
  View& view = *View::of(self);
  const View::Reading reading(view);
  return schemagen::printable_start(read(*static_cast<const T*>(view.value())), {}, kMost);
}

/// The types of its results are unknown if the node is in no graph.
std::string node_line(nb::handle self) {
  View* graph = View::of(self);
  while (graph != nullptr && &graph->type() != &schemagen::access_of<Graph>) graph = graph->owner();
  const Graph none;
  return text_of<Node>(self, [&](const Node& node) {
    return node_text(types_in(graph == nullptr ? none : *static_cast<const Graph*>(graph->value())), node);
  });
}

template <class Symbol>
void show_as(nb::module_& module, const char* name, std::string (*text)(const Symbol&)) {
  module.attr(name).attr("__repr__") =
      nb::cpp_function([text](nb::handle self) { return text_of<Symbol>(self, text); }, nb::is_method());
}

std::string text_of_difference(const std::string& kind, std::string part, std::string where,
                               std::string before, std::string after, std::vector<std::string> details) {
  Difference difference;
  for (const auto each : {Difference::Kind::added, Difference::Kind::removed, Difference::Kind::changed})
    if (kind == kind_name(each)) difference.kind = each;
  difference.part = std::move(part);
  difference.where = std::move(where);
  difference.before = std::move(before);
  difference.after = std::move(after);
  difference.details = std::move(details);
  const std::string text = difference_text({difference});
  return text.substr(0, text.rfind("\n\n"));
}

}  // namespace

void bind_texts(nb::module_& module) {
  module.attr("Node").attr("__repr__") = nb::cpp_function(node_line, nb::is_method());
  show_as<SymInt>(module, "SymInt", sym_int_text);
  show_as<SymFloat>(module, "SymFloat", sym_float_text);
  show_as<SymBool>(module, "SymBool", sym_bool_text);
  module.def("definition_text", [](nb::handle graph, nb::handle argument) {
    const Borrowed<Graph> types(graph);
    return text_of<Argument>(argument, [&](const Argument& given) {
      return definition_text(types_in(*types), given, Colours::none);
    });
  });
  module.def("difference_text", text_of_difference);
}

}  // namespace pt2::python
