#include "program_value.h"
#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/edit/file_operations.h"
#include "pt2/edit/port_calls.h"
#include "pt2/json.h"
#include "pt2/reflection.h"
#include "pt2/report/reports.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/node_text.h"
#include "pt2/upgrade/release_target.h"

namespace pt2::python {
namespace {

using schemagen::python::data_of;

schemagen::FieldName field_named(const std::string& text) {
  const std::size_t dot = text.find('.');
  const schemagen::Reflection& schema = kReflection;
  const std::uint32_t type = schema.find(text.substr(0, dot));
  if (dot != std::string::npos && type != schema.type_count) {
    const schemagen::ReflectedType& found = schema.types[type];
    const schemagen::ReflectedField* const field = found.named(text.substr(dot + 1));
    if (field != nullptr && found.kind == schemagen::ReflectedType::structure)
      return {found.name, field->name};
  }
  throw nb::value_error(
      ("leave_out: the schema has no field '" + text + "'; expected one such as 'Node.metadata'").c_str());
}

nb::object load(nb::handle path_or_bytes, std::optional<std::string> model,
                const std::optional<std::string>& upgrade, const std::vector<std::string>& leave_out,
                bool keep_unknown) {
  LoadOptions options;
  options.model = std::move(model);
  if (upgrade && *upgrade != "all") throw nb::value_error("upgrade: expected None or 'all'");
  if (upgrade) options.upgrading = Upgrading::all;
  for (const std::string& name : leave_out) options.leave_out.push_back(field_named(name));
  const ProgramFile file = open_file_or_bytes(path_or_bytes);
  if (keep_unknown) options.unknown_fields = schemagen::UnknownFields::keep;
  return program_object(without_gil([&] { return load_program(file, options); }));
}

nb::bytes to_pt2b(nb::handle program) {
  const Borrowed<ExportedProgram> written(program);
  const std::string bytes = without_gil([&] { return pt2::to_pt2b(*written, default_binary_options()); });
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object from_bytes(nb::handle data, bool is_binary) {
  const std::string_view bytes = data_of(data);
  return to_python(without_gil([&] {
    const ProgramFile file(FileBytes{std::string(bytes)});
    if (file.archive() != nullptr || (file.binary_file() != nullptr) != is_binary) {
      throw schemagen::DataError(is_binary ? "not a .pt2b file" : "not JSON");
    }
    return load_program(file).program;
  }));
}

nb::object upgrade(nb::handle program) {
  const Borrowed<ExportedProgram> given(program);
  return to_python(without_gil([&] {
    LoadOptions options;
    options.upgrading = Upgrading::all;
    LoadedProgram loaded = load_program(ProgramFile(FileBytes(schemagen::to_json(*given))), options);
    port_calls(loaded);
    return std::move(loaded.program);
  }));
}

nb::object downgrade(nb::handle program, const std::string& to) {
  const Borrowed<ExportedProgram> given(program);
  return to_python(without_gil([&] {
    const ReleaseTarget target = parse_release_target(to);
    require_current_major(target);
    ExportedProgram copy = *given;
    std::vector<std::string> refused;
    std::string json = downgrade_program(copy, target, refused, [](const std::string&) {});
    require_none_refused(refused);
    return load_program(ProgramFile(FileBytes(std::move(json)))).program;
  }));
}

nb::object canonical_copy(nb::handle program, const std::string& form) {
  const CanonicalForm wanted = canonical_form_named(form);
  return changed_copy(program, [&](ExportedProgram& copy) { copy = canonicalize(std::move(copy), wanted); });
}

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

std::string text_of_difference(const std::string& part, const std::string& where, const std::string& before,
                               const std::string& after, const std::vector<std::string>& details) {
  const std::string text =
      difference_text({{Difference::Kind::changed, part, where, before, after, details, {}, {}, {}, {}}});
  return text.substr(0, text.rfind("\n\n"));
}

}  // namespace

nb::object program_object(LoadedProgram loaded) {
  constexpr const char* kLoss =
      "preserved fields of a newer schema would be lost; hint: call drop_unknown() on the program to discard "
      "them";
  nb::object made = to_python(std::exchange(loaded.program, {}));
  if (!loaded.unknown_fields.empty()) {
    KeptProgram kept{{schemagen::python::KeptFields::other, {}, {}, kLoss}, std::move(loaded)};
    View::of(made)->keep(std::make_shared<const KeptProgram>(std::move(kept)));
  }
  return made;
}

nb::object shown(std::string_view text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

std::string path_of(nb::handle path) {
  const nb::module_ os = nb::module_::import_("os");
  const nb::object text = os.attr("fspath")(path);
  if (!PyUnicode_Check(text.ptr()))
    throw nb::type_error("expected str or os.PathLike[str], got a path of bytes");
  const nb::object encoded = os.attr("fsencode")(text);
  const std::string_view bytes = data_of(encoded);
  if (bytes.find('\0') != std::string_view::npos)
    throw nb::value_error("a path cannot contain null characters");
  return std::string(bytes);
}

ProgramFile open_file(nb::handle path, const Progress& progress) {
  const std::string name = path_of(path);
  FileOptions options;
  options.watcher = progress.watcher();
  ProgramFile file = without_gil([&] { return open_program_file(name, options); });
  progress.expect(file.bytes().view().size());
  return file;
}

ProgramFile open_file_or_bytes(nb::handle path_or_bytes) {
  if (!PyBytes_Check(path_or_bytes.ptr())) return open_file(path_or_bytes);
  std::string bytes(data_of(path_or_bytes));
  return without_gil([&] { return ProgramFile(FileBytes(std::move(bytes))); });
}

void bind_programs(nb::module_& module) {
  def(module, "load", load);
  def(
      module, "from_json", +[](nb::handle data) { return from_bytes(data, false); });
  def(
      module, "from_pt2b", +[](nb::handle data) { return from_bytes(data, true); });
  def(module, "to_pt2b", to_pt2b);
  def(
      module, "require_whole",
      +[](nb::handle program) { View::of(program)->require_nothing_kept("this function"); });
  def(module, "upgrade", upgrade);
  def(module, "downgrade", downgrade);
  def(module, "canonicalize", canonical_copy);
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
  def(module, "difference_text", text_of_difference);
}

}  // namespace pt2::python
