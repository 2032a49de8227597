// Programs on their way between Python and C++, for the functions of the module.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "progress.h"
#include "pt2/program.h"
#include "pt2/types.h"
#include "pt2/visit.h"
#include "schemagen/python/gil.h"
#include "schemagen/python/module.h"

namespace pt2::python {

namespace nb = nanobind;

/// What `work` gives, without the GIL: it must not touch anything of Python.
template <class Work>
auto without_gil(Work&& work) {
  const schemagen::python::WithoutGil released;
  return work();
}

/// A generated value that Python shows, in the reach of this object: not changed meanwhile.
template <class T>
class Borrowed {
 public:
  /// Errors: TypeError if it is of another type.
  explicit Borrowed(nb::handle object) : Borrowed(view_of(object)) {}

  const T& operator*() const noexcept { return *value_; }
  const T* operator->() const noexcept { return value_; }

 private:
  explicit Borrowed(schemagen::python::View& view) : reading_(view), value_(static_cast<T*>(view.value())) {}

  static schemagen::python::View& view_of(nb::handle object) {
    schemagen::python::View* const view = schemagen::python::View::of(object);
    if (view != nullptr && &view->type() == &schemagen::access_of<T>) return *view;
    const std::string message = "expected " + schemagen::python::name_of(schemagen::access_of<T>) + ", got " +
                                nb::cast<std::string>(nb::str(nb::type_name(object.type())));
    throw nb::type_error(message.c_str());
  }

  schemagen::python::View::Reading reading_;
  const T* value_;
};

template <class T>
nb::object to_python(T value) {
  return schemagen::python::View::of_new(schemagen::access_of<T>, &value);
}

/// A text that a file has, which may be any bytes: what is not UTF-8 is shown as `\xff`.
nb::object shown(std::string_view text);

/// The path of a str, bytes or os.PathLike.
std::string path_of(nb::handle path);

/// A file by its path, which `progress` expects to be gone through once. Errors: OSError, with errno and
/// filename; DataError.
ProgramFile open_file(nb::handle path, const Progress& progress = Progress());
/// The same, or of a file's bytes.
ProgramFile open_file_or_bytes(nb::handle path_or_bytes);

/// What `work` makes of a program, or of that of a file, without the GIL.
template <class Work>
auto with_program(nb::handle program_or_path, const Work& work) {
  if (schemagen::python::View::of(program_or_path) != nullptr) {
    const Borrowed<ExportedProgram> program(program_or_path);
    return without_gil([&] { return work(*program); });
  }
  const ProgramFile file = open_file(program_or_path);
  return without_gil([&] { return work(load_program(file).program); });
}

/// A copy of a program, changed by `change` without the GIL.
template <class Change>
nb::object changed_copy(nb::handle program, const Change& change) {
  const Borrowed<ExportedProgram> given(program);
  return to_python(without_gil([&] {
    ExportedProgram copy = *given;
    change(copy);
    return copy;
  }));
}

/// What was read beside a program, which is empty in it.
struct Kept {
  LoadedProgram beside;
};

// The functions of the module, by what they are about.
void bind_command(nb::module_& module);
void bind_programs(nb::module_& module);
void bind_edits(nb::module_& module);
void bind_reports(nb::module_& module);
void bind_builder(nb::module_& module);

}  // namespace pt2::python
