// A separate executable would contain most of the library again.

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

}  // namespace

void bind_command(nb::module_& module) {
  module.def("run_command", run_command, nb::arg("arguments"));
}

}  // namespace pt2::python
