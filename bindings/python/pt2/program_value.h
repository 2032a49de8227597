#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <utility>

#include "progress.h"
#include "pt2/operators/operators.h"
#include "pt2/program.h"
#include "pt2/types.h"
#include "pt2/visit.h"
#include "schemagen/python/gil.h"
#include "schemagen/python/module.h"

namespace pt2::python {

namespace nb = nanobind;

/// `work` must not use Python.
template <class Work>
auto without_gil(Work&& work) {
  const schemagen::python::WithoutGil released;
  return work();
}

/// The value cannot change as long as this object exists.
template <class T>
class Borrowed {
 public:
  explicit Borrowed(nb::handle object) : Borrowed(view_of(object)) {}

  const T& operator*() const noexcept { return *value_; }
  const T* operator->() const noexcept { return value_; }

 private:
  explicit Borrowed(schemagen::python::View& view) : reading_(view), value_(static_cast<T*>(view.value())) {}

  static schemagen::python::View& view_of(nb::handle object) {
    schemagen::python::View* const view = schemagen::python::View::of(object);
    if (view != nullptr && &view->type() == &schemagen::access_of<T>) {
      view->require_nothing_kept("this function");
      return *view;
    }
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

/// Bytes that are not UTF-8 are escaped, e.g. as `\xff`.
nb::object shown(std::string_view text);

std::string path_of(nb::handle path);

/// Throws OSError, with errno and filename, or DataError.
ProgramFile open_file(nb::handle path, const Progress& progress = Progress());
ProgramFile open_file_or_bytes(nb::handle path_or_bytes);

template <class Work>
auto with_program(nb::handle program_or_path, const Work& work) {
  if (schemagen::python::View::of(program_or_path) != nullptr) {
    const Borrowed<ExportedProgram> program(program_or_path);
    return without_gil([&] { return work(*program); });
  }
  const ProgramFile file = open_file(program_or_path);
  return without_gil([&] { return work(load_program(file).program); });
}

template <class Change>
nb::object changed_copy(nb::handle program, const Change& change) {
  const Borrowed<ExportedProgram> given(program);
  return to_python(without_gil([&] {
    ExportedProgram copy = *given;
    change(copy);
    return copy;
  }));
}

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
  schemagen::python::View::of(program)->take(*schemagen::python::View::of(made));
}

/// What is preserved of a loaded program; the program in it is empty.
struct Kept {
  LoadedProgram beside;
};

OperatorSet declared_operators();

void bind_command(nb::module_& module);
void bind_programs(nb::module_& module);
void bind_edits(nb::module_& module);
void bind_file_operations(nb::module_& module);
void bind_graph_edits(nb::module_& module);
void bind_reports(nb::module_& module);
void bind_texts(nb::module_& module);
void bind_builder(nb::module_& module);

}  // namespace pt2::python
