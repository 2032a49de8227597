#include <exception>
#include <utility>

#include "each_file.h"
#include "pt2/canonical/canonical.h"
#include "pt2/edit/file_operations.h"
#include "pt2/hash/weights_hash.h"
#include "pt2/report/report_writer.h"
#include "pt2/text/literal.h"

namespace pt2::tool {
namespace {

struct HashArguments : FileArguments {
  bool weights = false;
};

struct HashedModel {
  std::string name;  // empty unless the file has several
  std::string hash;
};

struct HashedFile {
  std::string warnings;
  std::vector<HashedModel> models;
  std::exception_ptr error;
};

HashedFile hash_file(const std::string& path, const HashArguments& arguments) {
  const ProgramFile file = open_input(path);
  HashedFile hashed;
  const auto warn = [&](const std::string& notice) { hashed.warnings += notice_lines(path, {notice}); };
  try {
    const std::vector<std::optional<std::string>> models = models_of(file, arguments.loading.model);
    for (const std::optional<std::string>& model : models) {
      LoadOptions loading;
      loading.model = model;
      LoadedProgram loaded = pt2::load_to_read(file, loading, warn);
      require_whole_unions(loaded, "hashed");
      hashed.models.push_back({models.size() > 1 ? *model : std::string(),
                               arguments.weights ? hash_with_weights(std::move(loaded.program), file, model)
                                                 : content_hash(std::move(loaded.program))});
    }
  } catch (...) {
    hashed.models.clear();
    hashed.error = std::current_exception();
  }
  return hashed;
}

int run(const HashArguments& arguments) {
  ReportWriter json;
  json.begin('[');
  const auto find = [&](const std::string& path) { return hash_file(path, arguments); };
  const int exit_code = for_each_file(arguments.files, find, [&](const std::string& path, auto& result) {
    HashedFile hashed;
    const int code = reported("hash", &path, [&] {
      hashed = result.get();
      write_diagnostic(hashed.warnings);
      if (hashed.error) std::rethrow_exception(hashed.error);
      return kDone;
    });
    if (hashed.models.empty()) json.object("file", shown_path(path), "hash", std::optional<bool>());
    std::string text;
    for (const HashedModel& model : hashed.models) {
      json.begin('{');
      json.members("file", shown_path(path), "hash", model.hash);
      if (!model.name.empty()) json.members("model", model.name);
      json.end('}');
      text += model.hash + (arguments.files.size() == 1 ? "" : "  " + shown_path(path)) +
              (model.name.empty() ? "" : "  " + printable(model.name)) + "\n";
    }
    if (!arguments.json) write_text(text);
    return code;
  });
  json.end(']');
  if (arguments.json) write_output(std::string(json.view()) + "\n");
  return exit_code;
}

}  // namespace

void add_hash_command(Command command) {
  auto& arguments = add_arguments<HashArguments>(command);
  add_program_arguments(command, arguments.files, "Programs to hash; - for standard input");
  command.add_flag("--json", arguments.json, "Print a JSON array with an object for each file");
  command.add_flag("--weights", arguments.weights, "Include the tensors in the hash");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Prints the SHA-256 of the program in normal form (see pt2 canonicalize --help). With --weights,\n"
      "the hash also covers all tensors by name, regardless of how the file stores them. For several\n"
      "files, prints one line per file with hash and name, and exits with the worst code.\n\n"
      "torch loses the storage offsets of views when it loads a program. The hash of a program with such\n"
      "views changes when torch.export loads and saves it.\n\n"
      "Examples:\n"
      "  pt2 hash model.pt2\n"
      "  pt2 hash --weights model.pt2\n"
      "  pt2 hash *.pt2 | sort\n"
      "  test \"$(pt2 hash a.pt2)\" = \"$(pt2 hash b.pt2)\" && echo same program");
}

}  // namespace pt2::tool
