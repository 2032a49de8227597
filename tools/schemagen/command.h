// What the subcommands of `schemagen` share. Each has a file of its own.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "common/exit.h"
#include "evolution/compat.h"
#include "front/diagnostics.h"
#include "model/model.h"
#include "text/joined.h"

namespace generator {

using tools::Command;
using tools::kBadInput;
using tools::kDone;
using tools::kNo;
using tools::kUsage;

/// Prints the usage error of `command`; returns its exit code.
int usage_error(std::string_view command, const std::string& message, const std::string& hint);

/// Prints `SCHEMA: error: WHAT` and the hint, of a schema that cannot become what was asked for; returns the
/// exit code for it.
int schema_error(std::string_view schema, const std::string& what, const std::string& hint);

/// The text of the schema in `path`, which can be stdin, to be read. Errors: std::system_error.
Diagnostics open_schema(const std::string& path);

/// The schema in `path`; nullopt after its errors are on stderr. Errors: std::system_error.
std::optional<Model> load_schema(const std::string& path);

/// An option that takes the name of one of `values`, and leaves that one in `value`, which is the default.
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

/// The option --policy of commands that compare schemas.
void add_policy_option(Command command, Policy& policy);

}  // namespace generator
