#pragma once

#include <utility>

#include "program_value.h"

namespace pt2::python {

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

}  // namespace pt2::python
