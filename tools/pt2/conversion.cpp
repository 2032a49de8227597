#include "conversion.h"

#include <string>
#include <vector>

#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/edit/file_operations.h"
#include "pt2/report/columns.h"
#include "pt2/text/treespec.h"
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

/// Throws DataError if a .pt2b file has another root.
void require_program(const ProgramFile& file) {
  const BinaryFile* const binary = file.binary_file();
  if (binary == nullptr || binary->header().root == kProgramType) return;
  const std::string root = schemagen::quoted(binary->header().root);
  throw schemagen::DataError("expected a program, got a value of type " + root + "; add --root " + root);
}

std::string converted_value(const Conversion& conversion, const ProgramFile& file) {
  if (file.archive() != nullptr) {
    throw schemagen::DataError("--root: expected JSON or a .pt2b file, got a zip archive");
  }
  std::vector<schemagen::SkippedField> skipped;
  std::string converted = find_value_type(*conversion.value_type)->convert(file, conversion.output, skipped);
  if (const BinaryFile* const binary = file.binary_file()) {
    const BinaryFileHeader& header = binary->header();
    write_diagnostic(
        notice_lines(conversion.in, skipped_notices(skipped, {header.schema_major, header.schema_minor})));
  }
  return converted;
}

}  // namespace

void convert(const Conversion& conversion) {
  const ProgramFile file = open_input(conversion.in);
  if (conversion.value_type) return write_bytes(converted_value(conversion, file), conversion.out);
  std::optional<ProgramFile> into;
  if (conversion.into) into.emplace(open_input(*conversion.into));
  const SaveTarget target = output_target(conversion.out, conversion.output.format);
  require_program(file);
  const ConvertOptions options{conversion.loading, into ? &*into : nullptr, conversion.plain_tree,
                               conversion.output.json, conversion.output.binary};
  const PlainTrees trees =
      convert_file({file, conversion.loading.model, notice_printer(conversion.in)}, options, target);
  if (conversion.plain_tree) report_plain_trees(conversion, trees);
}

}  // namespace pt2::tool
