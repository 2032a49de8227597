// Commands that work on every model of an archive.
#pragma once

#include "command.h"

namespace pt2::tool {

struct ModelReport {
  std::string text;  // lines, or a line of JSON
  int exit_code = 0;
};

/// Prints what `report` returns for each of models_of() the input. If there are several, texts follow
/// headings, and JSON is an object with one member per model. Returns the highest exit code.
int print_each_model(const FileArguments& arguments,
                     const std::function<ModelReport(const ProgramFile&, const LoadOptions&)>& report,
                     Colours colours = Colours::none);

}  // namespace pt2::tool
