#include "conversion.h"

#include <string>
#include <vector>

#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/plain_trees.h"
#include "pt2/edit/save_into.h"
#include "pt2/report/columns.h"
#include "pt2/text/treespec.h"
#include "pt2/weights.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "value_types.h"

namespace pt2::tool {
namespace {

std::string text_of(const PlainContainer& container) {
  std::string text = container.type;
  for (const schemagen::Json& name : container.names) {
    text += (&name == &container.names.front() ? " of " : ", ") + python_text(name);
  }
  return text;
}

/// On standard error if OUT is standard output.
void report_plain_trees(const Conversion& conversion, const PlainTrees& trees) {
  std::vector<Row> rows;
  for (const PlainContainer& container : trees.containers) {
    rows.push_back({container.module.empty() ? "model" : schemagen::printable(container.module),
                    schemagen::printable(container.place), schemagen::printable(container.class_name),
                    text_of(container)});
  }
  const std::string text = rows.empty() ? "  nothing to replace\n" : table(rows);
  conversion.out == "-" ? write_diagnostic(text) : write_text(text);
  std::string gone;
  for (const std::string& guard : trees.guards) {
    gone += shown_path(conversion.in) + ": warning: the guard " + schemagen::quoted(guard) +
            " was dropped: it uses a name that the inputs no longer have\n";
  }
  write_diagnostic(gone);
}

LoadedProgram load_input(const Conversion& conversion, const ProgramFile& file, const LoadOptions& loading,
                         PlainTrees& trees) {
  const BinaryFile* const binary = file.binary_file();
  if (binary != nullptr && binary->header().root != kProgramType) {
    const std::string root = schemagen::quoted(binary->header().root);
    throw schemagen::DataError("expected a program, got a value of type " + root + "; add --root " + root);
  }
  LoadedProgram loaded = load_to_write(conversion.in, file, loading, conversion.output.format);
  if (conversion.plain_tree) trees = make_trees_plain(loaded.program);
  return loaded;
}

std::string converted_value(const Conversion& conversion, const ProgramFile& file) {
  if (file.archive() != nullptr) {
    throw schemagen::DataError("--root: expected JSON or a .pt2b file, got a zip archive");
  }
  std::vector<schemagen::SkippedField> skipped;
  std::string converted = find_value_type(*conversion.value_type)->convert(file, conversion.output, skipped);
  if (const BinaryFile* const binary = file.binary_file()) {
    const BinaryFileHeader& header = binary->header();
    write_diagnostic(skipped_warnings(conversion.in, skipped, {header.schema_major, header.schema_minor}));
  }
  return converted;
}

/// Copies `file` itself, with raw tensors, or the archive of --into.
void write_archive_of(const Conversion& conversion, const ProgramFile& file, PlainTrees& trees) {
  LoadOptions loading = conversion.loading;
  if (conversion.into) {
    const ProgramFile into = open_input(*conversion.into);
    if (file.archive() == nullptr) loading.model.reset();  // selects a model of the other archive
    LoadedProgram loaded = load_input(conversion, file, loading, trees);
    loaded.source.model = conversion.loading.model.value_or("");
    return save_into(into, loaded, conversion.out);
  }
  require_source(file, conversion.out);
  const LoadedProgram loaded = load_input(conversion, file, loading, trees);
  save_program(loaded, conversion.out, {&file, loading.model, SaveWeights::raw, loading.model.has_value()});
}

/// They need the classes. torch reads an empty record as no samples.
void drop_sample_inputs(const Conversion& conversion) {
  const ProgramFile written = open_program_file(conversion.out);
  const Archive& archive = *written.archive();
  const ZipMember* const inputs = find_sample_inputs(archive, find_model(archive, conversion.loading.model));
  if (inputs == nullptr || inputs->size == 0) return;
  write_archive(archive, {{std::string(inputs->name), ""}}, conversion.out);
  write_diagnostic(shown_path(conversion.in) +
                   ": note: sample inputs were dropped, because they contain what was replaced\n");
}

PlainTrees convert_program(const Conversion& conversion, const ProgramFile& file) {
  PlainTrees trees;
  if (conversion.output.format == FileFormat::archive) {
    write_archive_of(conversion, file, trees);
    if (trees.changes_call()) drop_sample_inputs(conversion);
    return trees;
  }
  const LoadedProgram loaded = load_input(conversion, file, conversion.loading, trees);
  SaveOptions saving;
  saving.json = conversion.output.json;
  saving.binary = conversion.output.binary;
  save_program(loaded, output_target(conversion.out, conversion.output.format), saving);
  return trees;
}

}  // namespace

void convert(const Conversion& conversion) {
  const ProgramFile file = open_input(conversion.in);
  if (conversion.value_type) {
    write_bytes(converted_value(conversion, file), conversion.out);
    return;
  }
  const PlainTrees trees = convert_program(conversion, file);
  if (conversion.plain_tree) report_plain_trees(conversion, trees);
}

}  // namespace pt2::tool
