// The package's Python files have the public functions, with types and docs.

#include "program_value.h"
#include "pt2/archive/several_models.h"
#include "pt2/schema_info.h"

namespace pt2 {
void bind_python(nanobind::module_& module);
}  // namespace pt2

NB_MODULE(_pt2, module) {
  // pickle looks for classes in the package.
  module.attr("__name__") = "pt2";
  module.attr("__version__") = PT2_VERSION;
  module.attr("hash") = nanobind::str(pt2::kSchemaHash.data(), pt2::kSchemaHash.size());
  module.attr("schema_hash") = module.attr("hash");
  module.attr("schema_version") = nanobind::make_tuple(pt2::kSchemaMajor, pt2::kSchemaMinor);
  schemagen::python::bind_values(module);
  nanobind::register_exception_translator([](const std::exception_ptr& caught, void*) {
    if (caught == nullptr) schemagen::python::outlive_python();
    try {
      std::rethrow_exception(caught);
    } catch (const pt2::SeveralModels& error) {  // the next translator takes what this one throws
      throw schemagen::DataError(error.choose_with("model=\"", "\""));
    }
  });
  pt2::bind_python(module);
  module.def("set_class", schemagen::python::set_class);
  // For `import *`; later names are internal.
  nanobind::list classes;
  for (const auto& [name, value] : nanobind::cast<nanobind::dict>(module.attr("__dict__"))) {
    const std::string_view text = nanobind::borrow<nanobind::str>(name).c_str();
    const bool is_hidden = text == "Iterator" || text == "ExportedProgram";
    if (PyType_Check(value.ptr()) && !is_hidden) classes.append(name);
  }
  module.attr("__all__") = classes;
  pt2::python::bind_command(module);
  pt2::python::bind_programs(module);
  pt2::python::bind_edits(module);
  pt2::python::bind_reports(module);
  pt2::python::bind_builder(module);
  pt2::python::bind_graph_edits(module);
  pt2::python::bind_files(module);
  pt2::python::bind_torch(module);
}
