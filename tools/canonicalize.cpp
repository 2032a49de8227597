// `pt2 canonicalize` and `pt2 hash`: a program in a canonical form, and what it hashes to.
#include <utility>

#include "commands.h"
#include "console.h"
#include "output.h"
#include "output_format.h"
#include "pt2/archive/file.h"
#include "pt2/compare/canonical.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "sha256.h"

namespace pt2::tool {
namespace {

ExportedProgram canonical_program(const std::string& path, const ProgramFile& file,
                                  const std::optional<std::string>& model, CanonicalForm form,
                                  Provenance provenance) {
  LoadOptions options;
  options.model = model;
  LoadedProgram loaded = load_program(file, options);
  write_diagnostic(skipped_warnings(path, loaded.skipped));
  return canonicalize(std::move(loaded.program), form, provenance);
}

}  // namespace

std::string check_canonical_output(const std::string& out) {
  if (out == "-" || format_of_name(out) == Format::json || is_archive_name(out)) return {};
  return "cannot write '" + out + "': OUT must end in .json or .pt2, or be - for JSON on standard output";
}

int run_canonicalize(const CanonicalizeArguments& arguments) {
  const ProgramFile file = open_program_file(arguments.in);
  if (is_archive_name(arguments.out) && !file.archive) {
    write_usage_error("canonicalize", "cannot write '" + arguments.out +
                                          "': IN is no archive, so OUT must end in .json, or be - for "
                                          "standard output");
    return kUsage;
  }
  const Provenance provenance = arguments.keep_provenance ? Provenance::keep : Provenance::drop;
  std::string json =
      schemagen::to_json(canonical_program(arguments.in, file, arguments.model, arguments.form, provenance));
  if (is_archive_name(arguments.out)) {
    const std::string member = find_model(*file.archive, arguments.model).member;
    write_archive(*file.archive, {{member, std::move(json)}}, arguments.out);
  } else {
    write_bytes(json, arguments.out);
  }
  return kDone;
}

int run_hash(const HashArguments& arguments) {
  const ExportedProgram program = canonical_program(arguments.file, open_program_file(arguments.file),
                                                    arguments.model, CanonicalForm::normal, Provenance::drop);
  write_output("sha256:" + sha256_hex(schemagen::to_json(program)) + "\n");
  return kDone;
}

}  // namespace pt2::tool
