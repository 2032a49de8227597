#include <utility>

#include "output.h"
#include "pt2/canonical/canonical.h"

namespace pt2::tool {
namespace {

struct CanonicalizeArguments : FileArguments {
  std::string form = "normal";
  bool keep_provenance = false;
};

void run(const CanonicalizeArguments& arguments) {
  const std::optional<FileFormat> format =
      require_output(arguments.out, {FileFormat::json, FileFormat::archive});
  const ProgramFile file = open_input(arguments.in);
  const SaveTarget target = output_target(arguments.out);
  if (file.archive() == nullptr && format == FileFormat::archive)
    target.cannot_write("an archive needs weights, but IN is not an archive");
  LoadedProgram loaded = load_to_write(file, arguments.loading, format.value_or(FileFormat::json),
                                       notice_printer(arguments.in), "its canonical form is also unknown");
  const Provenance provenance = arguments.keep_provenance ? Provenance::keep : Provenance::drop;
  SaveOptions saving{&file, arguments.loading.model};
  saving.only_model = arguments.loading.model.has_value();
  save_program(canonicalize(std::move(loaded.program), canonical_form_named(arguments.form), provenance),
               target, saving);
}

}  // namespace

void add_canonicalize_command(Command command) {
  auto& arguments = add_file_arguments<CanonicalizeArguments>(command, "IN");
  add_output_option(command, arguments.out,
                    "Output file: FILE.json, FILE.pt2, or - for JSON on standard output");
  command.add_option("--form FORM", arguments.form, "torch, names or normal (default: normal)")
      .one_of({"torch", "names", "normal"});
  command.add_flag("--keep-provenance", arguments.keep_provenance,
                   "Keep stack traces and other provenance of nodes, and torch_version");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Forms:\n"
      "  names   names values, symbols, nodes and subgraphs by position (_0, s0, ...), and sorts all\n"
      "          unordered parts; keeps the order of nodes\n"
      "  normal  like names, but the node order depends only on the structure: programs that differ only in\n"
      "          names and in the order of independent nodes become equal\n"
      "  torch   the output of torch 2.13's canonicalize, byte for byte, including its bugs\n\n"
      "FILE.pt2 is a copy of the archive IN with the program in the chosen form.\n\n"
      "Examples:\n"
      "  pt2 canonicalize model.pt2 -o model.normal.json\n"
      "  pt2 canonicalize model.pt2 --form torch -o - | sha256sum");
}

}  // namespace pt2::tool
