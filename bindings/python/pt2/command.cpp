// A separate executable would contain most of the library again.
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "command.h"
#include "program_value.h"

namespace pt2::python {
namespace {

int run_command(const std::vector<nb::bytes>& arguments) {
  std::vector<std::string> texts;
  texts.reserve(arguments.size());
  for (const nb::bytes& argument : arguments) texts.emplace_back(argument.c_str(), argument.size());
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return without_gil([&] { return tool::run_pt2(static_cast<int>(texts.size()), pointers.data()); });
}

nb::tuple call_command(const std::vector<nb::bytes>& arguments) {
  std::vector<std::string> texts;
  for (const nb::bytes& argument : arguments) texts.emplace_back(argument.c_str(), argument.size());
  const tool::Printed printed = without_gil([&] { return tool::call_pt2(texts); });
  return nb::make_tuple(nb::bytes(printed.output.data(), printed.output.size()), shown(printed.diagnostics));
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("call_command", call_command, nb::arg("arguments"));
  module.def("run_command", run_command, nb::arg("arguments"));
}

}  // namespace pt2::python
