#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "common/exit.h"
#include "cpp/output.h"
#include "evolution/compat.h"
#include "front/diagnostics.h"
#include "model/model.h"
#include "text/message.h"

namespace generator {

using tools::Command;
using tools::kBadInput;
using tools::kDone;
using tools::kNo;
using tools::kUsage;

int usage_error(std::string_view command, const std::string& message, const std::string& hint);

/// Prints `SCHEMA: error: WHAT` and the hint for an unsupported schema.
int schema_error(std::string_view schema, const std::string& what, const std::string& hint);

Diagnostics open_schema(const std::string& path);

/// Returns the schema, or nullopt after printing its errors. Throws std::system_error.
std::optional<Model> load_schema(const std::string& path);

/// Writes to stdout if `path` is empty or `-`.
void write_text(const std::string& path, const std::string& text);

std::string root_names(const Model& model);

/// Returns nullopt after printing a usage error of `command`.
std::optional<std::size_t> find_root(std::string_view command, const std::string& schema, const Model& model,
                                     const std::string& name);

template <typename Enum>
void add_enum_option(Command command, const std::string& option, Enum& value,
                     std::initializer_list<Enum> values, const std::string& what) {
  std::map<std::string, Enum> by_name;
  std::vector<std::string> names;
  for (const Enum one : values) by_name.emplace(names.emplace_back(name_of(one)), one);
  command
      .add_option(
          option, [&value, by_name](const std::string& name) { value = by_name.at(name); }, what)
      .one_of(names)
      .option_text("{" + joined(names, ",") + "} [" + std::string(name_of(value)) + "]");
}

void add_policy_option(Command command, Policy& policy);

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
