#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "progress.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/notices.h"
#include "pt2/operators/operators.h"
#include "pt2/program.h"
#include "pt2/types.h"
#include "pt2/visit.h"
#include "schemagen/base/quote.h"
#include "schemagen/python/gil.h"
#include "schemagen/python/module.h"

namespace pt2 {
class GraphBuilder;
struct Value;
}  // namespace pt2

namespace pt2::python {

namespace nb = nanobind;
using schemagen::python::View;

/// `work` must not use Python.
template <class Work>
auto without_gil(Work&& work) {
  const schemagen::python::WithoutGil released;
  return work();
}

template <class>
auto any_or_none() {
  return nb::arg().none();
}
/// All parameters may be None, as far as their types permit.
template <class Result, class... Parameters>
void def(nb::module_& module, const char* name, Result (*function)(Parameters...)) {
  module.def(name, function, any_or_none<Parameters>()...);
}

template <class Items, class Convert>
nb::list listed(const Items& items, const Convert& convert) {
  nb::list all;
  for (const auto& item : items) all.append(convert(item));
  return all;
}

/// What is preserved of a loaded program; the program in it is empty.
struct KeptProgram : schemagen::python::KeptFields {
  LoadedProgram beside;
};

/// Returns what is preserved of a program, or null.
inline std::shared_ptr<const LoadedProgram> loaded_program(const View& program) {
  const auto& kept = program.kept();
  const bool is_of_program = kept != nullptr && kept->format == schemagen::python::KeptFields::other;
  if (!is_of_program) return nullptr;
  return {kept, &static_cast<const KeptProgram&>(*kept).beside};
}

/// The value cannot change as long as this object exists. Reading does not lose what is preserved of a
/// program.
template <class T>
class Borrowed {
 public:
  explicit Borrowed(nb::handle object) : Borrowed(view_of(object)) {}

  const T& operator*() const noexcept { return *value_; }
  const T* operator->() const noexcept { return value_; }

 private:
  explicit Borrowed(View& view) : reading_(view), value_(static_cast<T*>(view.value())) {}

  static View& view_of(nb::handle object) {
    View* const view = View::of(object);
    if (view != nullptr && &view->type() == &schemagen::access_of<T>) {
      if (loaded_program(*view) == nullptr) view->require_nothing_kept("this function");
      return *view;
    }
    const std::string message = "expected " + schemagen::python::name_of(schemagen::access_of<T>) + ", got " +
                                nb::cast<std::string>(nb::str(nb::type_name(object.type())));
    throw nb::type_error(message.c_str());
  }

  View::Reading reading_;
  const T* value_;
};

template <class T>
nb::object to_python(T value) {
  return View::of_new(schemagen::access_of<T>, &value);
}

/// Bytes that are not UTF-8 are escaped, e.g. as `\xff`.
nb::object shown(std::string_view text);

std::string path_of(nb::handle path);

/// Throws OSError, with errno and filename, or DataError.
ProgramFile open_file(nb::handle path, const Progress& progress = Progress());
ProgramFile open_file_or_bytes(nb::handle path_or_bytes);

template <class Work>
auto with_program(nb::handle program_or_path, const Work& work, std::optional<std::string> model = {}) {
  if (View::of(program_or_path) != nullptr) {
    const Borrowed<ExportedProgram> program(program_or_path);
    return without_gil([&] { return work(*program); });
  }
  LoadOptions options;
  options.model = std::move(model);
  const ProgramFile file = open_file(program_or_path);
  return without_gil([&] { return work(load_program(file, options).program); });
}

/// The copy has what is preserved of the program.
template <class Change>
nb::object changed_copy(nb::handle program, const Change& change) {
  const Borrowed<ExportedProgram> given(program);
  nb::object made = to_python(without_gil([&] {
    ExportedProgram copy = *given;
    change(copy);
    return copy;
  }));
  View::of(made)->keep(View::of(program)->kept());
  return made;
}

/// Returns the program as an object that has what is preserved of it.
nb::object program_object(LoadedProgram loaded);

/// `change` must return whether it changed anything. Views of replaced parts become standalone values.
template <class Change>
void change_in_place(nb::handle program, const Change& change) {
  nb::object made;
  {
    const Borrowed<ExportedProgram> given(program);
    ExportedProgram copy;
    const bool is_changed = without_gil([&] {
      copy = *given;
      return change(copy, *given);
    });
    if (!is_changed) return;
    made = to_python(std::move(copy));
  }
  View::of(program)->take(*View::of(made));
}

OperatorSet declared_operators();

/// Errors name the argument. Also throws whatever GraphBuilder::call_all() throws.
std::vector<Value> call_operator(GraphBuilder& builder, const std::string& target, const nb::args& arguments,
                                 const nb::kwargs& keywords);

using SharedFile = std::shared_ptr<const ProgramFile>;

/// Returns the bytes of the tensor's storage as a one-dimensional array for DLPack. The array has its own
/// pages, so changes to it reach nothing else. Throws DataError or MemoryError.
nb::object own_array(const Tensor& tensor, Checksums checksums);

/// Collects what a function tells about a file.
class Notices {
 public:
  explicit Notices(std::string path) : path_(std::move(path)) {}

  NoticeSink notify() {
    return [this](const std::string& notice) { all_.push_back(schemagen::printable(path_ + ": " + notice)); };
  }

  /// Issues them as warnings of the package's caller.
  void warn() const {
    constexpr Py_ssize_t kCaller = 2;
    for (const std::string& notice : all_) {
      if (PyErr_WarnEx(PyExc_UserWarning, notice.c_str(), kCaller) != 0) throw nb::python_error();
    }
  }

 private:
  std::string path_;
  std::vector<std::string> all_;
};

void bind_command(nb::module_& module);
void bind_programs(nb::module_& module);
void bind_edits(nb::module_& module);
void bind_graph_edits(nb::module_& module);
void bind_reports(nb::module_& module);
void bind_builder(nb::module_& module);
void bind_files(nb::module_& module);
void bind_torch(nb::module_& module);

}  // namespace pt2::python
