#include <algorithm>
#include <iostream>

#include "command.h"
#include "model/cpp_names.h"
#include "schemagen/base/atomic_file.h"
#include "schemagen/base/error.h"
#include "schemagen/base/file_system.h"
#include "text/characters.h"

namespace generator {
namespace {

std::string check_namespace(const std::string& text) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = std::min(text.find("::", begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    if (!is_identifier(part)) return quoted(text) + " is not a C++ namespace";
    if (std::string fault = namespace_fault(part, begin == 0); !fault.empty()) return fault;
    if (end == text.size()) return {};
    begin = end + 2;
  }
}

std::string check_folder(const std::string& text) {
  if (text != "-") return {};
  return quoted(text) + " is not a folder: expected an output folder for several files, e.g. .";
}

int check(const std::vector<OutputFile>& files, const OutputArguments& arguments,
          const std::string& command) {
  const std::vector<std::string> findings = check_outputs(files);
  for (const std::string& finding : findings) std::cerr << shown(finding) << "\n";
  if (findings.empty()) return kDone;
  std::string again = "schemagen " + command + " " + arguments.schema + " -o " + arguments.folder;
  if (!arguments.name_space.empty()) again += " --namespace " + arguments.name_space;
  std::cerr << "hint: run `" << shown(again) << "`\n";
  return kNo;
}

/// Otherwise one would replace the other.
void require_distinct(std::vector<std::string> outputs, const OutputArguments& arguments,
                      const std::vector<std::string>& sources) {
  for (const std::string& more : {arguments.depfile, arguments.stamp}) {
    if (!more.empty()) outputs.push_back(more);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto is_same = [&](const std::string& other) {
      return schemagen::is_same_output(outputs[i], other);
    };
    if (std::any_of(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), is_same)) {
      throw schemagen::UsageError("two outputs have the same path, " + quoted(outputs[i]));
    }
    if (std::any_of(sources.begin(), sources.end(), is_same)) {
      throw schemagen::UsageError("the output " + quoted(outputs[i]) + " is also an input");
    }
  }
}

}  // namespace

void add_output_options(Command command, OutputArguments& arguments) {
  command.add_option("SCHEMA", arguments.schema, "Schema to read, or - for stdin").required();
  command.add_option("-o", arguments.folder, "Output folder, created if missing")
      .required()
      .check(check_folder);
  command.add_option("--namespace", arguments.name_space, "C++ namespace (default: the schema's name)")
      .check(check_namespace);
  tools::Option check_flag = command.add_flag(
      "--check", arguments.check, "Write nothing; exit with 1 if a file is missing, stale or edited");
  command.add_option("--depfile", arguments.depfile,
                     "Also write a Make rule that lists the files that were read");
  command.add_option("--stamp", arguments.stamp,
                     "Also touch this file at the end, and use it as the target of the depfile's rule");
  command
      .add_flag("--list-outputs", arguments.list_outputs,
                "Write nothing; print the paths of the output files")
      .excludes(check_flag);
}

int deliver(const Model& model, const std::vector<OutputFile>& files, const OutputArguments& arguments,
            const std::string& command) {
  if (arguments.list_outputs) {
    for (const OutputFile& file : files) std::cout << file.path << "\n";
    return kDone;
  }
  if (arguments.check) return check(files, arguments, command);
  std::vector<std::string> sources = model.files;
  sources.front() = arguments.schema;
  std::vector<std::string> outputs;
  for (const OutputFile& file : files) outputs.push_back(file.path);
  require_distinct(outputs, arguments, sources);
  // Outputs may keep their timestamps, so the rule prefers the stamp.
  if (!arguments.stamp.empty()) outputs = {arguments.stamp};
  const OutputFile rule = {arguments.depfile, arguments.depfile.empty() ? "" : depfile(outputs, sources)};
  write_outputs(files);
  if (!rule.path.empty()) write_output(rule);
  if (!arguments.stamp.empty()) schemagen::write_file_atomically(arguments.stamp, "");  // even if it exists
  return kDone;
}

}  // namespace generator
