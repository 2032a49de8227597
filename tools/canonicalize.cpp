// `pt2 canonicalize` and `pt2 hash`: a program in a canonical form, and what it hashes to.
#include <utility>

#include "commands.h"
#include "console.h"
#include "pt2/canonical.h"
#include "pt2/file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "sha256.h"

namespace pt2::tool {
namespace {

std::string canonical_json(const std::string& file, const std::optional<std::string>& model,
                           CanonicalForm form, Provenance provenance) {
  LoadOptions options;
  options.model = model;
  LoadedProgram loaded = load_program(file, options);
  write_diagnostic(skipped_warnings(file, loaded.skipped));
  return schemagen::to_json(canonicalize(std::move(loaded.program), form, provenance));
}

}  // namespace

int run_canonicalize(const CanonicalizeArguments& arguments) {
  const std::string json = canonical_json(arguments.in, arguments.model, arguments.form,
                                          arguments.keep_provenance ? Provenance::keep : Provenance::drop);
  if (arguments.out == "-") {
    write_output(json);
  } else {
    write_file_atomically(arguments.out, json);
  }
  return kDone;
}

int run_hash(const HashArguments& arguments) {
  const std::string json =
      canonical_json(arguments.file, arguments.model, CanonicalForm::normal, Provenance::drop);
  write_output("sha256:" + sha256_hex(json) + "\n");
  return kDone;
}

}  // namespace pt2::tool
