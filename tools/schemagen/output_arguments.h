// What the subcommands that write files of a schema share.
#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "cpp/output.h"

namespace generator {

struct OutputArguments {
  std::string schema;
  std::string folder;
  std::string name_space;  // empty: the schema's name
  std::string depfile;
  std::string stamp;
  bool check = false;
  bool list_outputs = false;
};

/// SCHEMA, -o, --namespace, --check, --depfile, --stamp and --list-outputs.
void add_output_options(Command command, OutputArguments& arguments);

/// Writes, checks or lists `files` of a schema, as `arguments` say. Returns the exit code. `command` names
/// what made the files, with those of its options that are not in `arguments`.
int deliver(const Model& model, const std::vector<OutputFile>& files, const OutputArguments& arguments,
            const std::string& command);

}  // namespace generator
