#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "cpp/output.h"

namespace generator {

struct OutputArguments {
  std::string schema;
  std::string folder;
  std::string name_space;
  std::string depfile;
  std::string stamp;
  bool check = false;
  bool list_outputs = false;
};

/// Adds SCHEMA, -o, --namespace, --check, --depfile, --stamp and --list-outputs.
void add_output_options(Command command, OutputArguments& arguments);

/// The first line of each file names `command` with its options other than `arguments`.
int deliver(const Model& model, const std::vector<OutputFile>& files, const OutputArguments& arguments,
            const std::string& command);

}  // namespace generator
