#include <algorithm>
#include <cstddef>

#include "command.h"
#include "pt2/archive/archive.h"
#include "pt2/archive/contents.h"
#include "pt2/binary/binary_file.h"
#include "pt2/report/reports.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"

namespace pt2::tool {
namespace {

void align_right(std::vector<Row>& rows, std::size_t column) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row[column].size());
  for (Row& row : rows) row[column].insert(0, width - row[column].size(), ' ');
}

std::string binary_file_text(const BinaryFileSource& source) {
  const BinaryFileHeader& header = source.header;
  return ".pt2b, schema " + version_text({header.schema_major, header.schema_minor}) + " (id " +
         schema_id_text(header) + (is_own_schema(header) ? ", known" : ", not known") + "), root " +
         printable(header.root) +
         (source.compression == Compression::zstd ? ", compressed (zstd)" : ", not compressed");
}

std::string container_text(const ProgramSource& source) {
  if (source.binary_file) return binary_file_text(*source.binary_file);
  if (!source.container) return "JSON";
  const std::string version =
      source.archive_version.empty() ? "" : ", version " + printable(source.archive_version);
  if (*source.container == Container::old_zip) return "torch.export zip" + version;
  const bool is_only = source.models.size() == 1;
  return "PT2 archive" + version + (is_only ? ", model " : ", models ") +
         join_texts(source.models, ", ", string_literal) +
         (is_only ? "" : "; this is " + string_literal(source.model));
}

std::string joined(const std::vector<std::string>& words) {
  const std::string text = join_texts(words, ", ", [](std::string_view word) { return printable(word); });
  return text.empty() ? "none" : text;
}

std::vector<Row> size_rows(const ProgramSource& source) {
  if (!source.binary_file) return {{"JSON", grouped(source.json_bytes, "byte")}};
  return {{"payload", grouped(source.binary_file->payload_bytes, "byte")},
          {"file", grouped(source.binary_file->file_bytes, "byte")}};
}

std::string schema_text(const LoadedProgram& loaded) {
  const std::string version = version_text(loaded.program.schema_version);
  return loaded.upgraded_from ? version + ", upgraded from " + version_text(*loaded.upgraded_from) : version;
}

std::string head_text(const std::string& path, const LoadedProgram& loaded) {
  const ExportedProgram& program = loaded.program;
  std::vector<std::string> opset;
  for (const auto& [name, version] : program.opset_version)
    opset.push_back(name + " " + std::to_string(version));
  std::vector<Row> rows = {{"container", container_text(loaded.source)},
                           {"schema", schema_text(loaded)},
                           {"torch", torch_version_text(program)},
                           {"opset", joined(opset)},
                           {"verifiers", joined(program.verifiers)}};
  for (Row& row : size_rows(loaded.source)) rows.push_back(std::move(row));
  return shown_path(path) + "\n" + table(rows);
}

template <class Spec>
std::string values_text(const std::string& title, const std::vector<SummaryValue>& values,
                        const KindCounts<Spec>& others) {
  std::vector<Row> rows;
  for (const SummaryValue& value : values) {
    rows.push_back({value.name, value.constant ? "always " + *value.constant : value.type});
  }
  std::string text = "\n" + title + "\n" + table(rows);
  const std::string rest = join_texts(others, ", ", [](const auto& other) {
    const KindWords words = words_of(other.first);
    return grouped(other.second) + " " + (other.second == 1 ? words.singular : words.plural);
  });
  if (!rest.empty()) text += std::string("  ") + (values.empty() ? "" : "and ") + rest + "\n";
  return values.empty() && others.empty() ? text + "  none\n" : text;
}

std::string weights_text(const ProgramSummary& summary) {
  const std::pair<const char*, const TensorCount*> kinds[] = {
      {"parameters", &summary.parameters},
      {"buffers", &summary.buffers},
      {"buffers, not persistent", &summary.non_persistent_buffers},
      {"constants", &summary.constants},
  };
  std::vector<Row> rows;
  for (const auto& [name, count] : kinds) {
    if (count->tensors == 0) continue;
    rows.push_back({name, grouped(count->tensors, "tensor"),
                    grouped(static_cast<std::uint64_t>(count->elements), "element"),
                    grouped(static_cast<std::uint64_t>(count->bytes), "byte")});
    if (count->unsized != 0) rows.back().push_back("and " + grouped(count->unsized) + " of unknown size");
  }
  for (const std::size_t column : {1U, 2U, 3U}) align_right(rows, column);
  return rows.empty() ? "" : "\nweights\n" + table(rows);
}

template <class Items, class Text>
std::string lines_text(const std::string& title, const Items& items, const Text& text_of) {
  return items.empty() ? "" : "\n" + title + "\n  " + join_texts(items, "\n  ", text_of) + "\n";
}

/// Besides programs and weights. Omits sample inputs, which nearly all archives have.
std::string package_text(const Archive& archive) {
  const ArchiveContents contents = contents_of(archive);
  std::vector<Row> rows;
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) rows.push_back({what, joined(names)});
  };
  add("AOTInductor", contents.aotinductor);
  for (const CompiledModel& model : compiled_models(archive))
    if (const std::string text = description_of(model); !text.empty())
      rows.push_back({"  " + printable(model.name), text});
  add("ExecuTorch", contents.executorch);
  add("extra", contents.extra);
  add("other", contents.other);
  return rows.empty() ? "" : "\npackage\n" + table(rows);
}

std::string operators_text(const ProgramSummary& summary) {
  std::string text = "\noperators: " + grouped(summary.nodes, "node");
  if (summary.subgraphs != 0) text += ", some of them in " + grouped(summary.subgraphs, "subgraph");
  text += "\n";
  std::vector<Row> rows;
  for (const auto& [name, count] : summary.operators) rows.push_back({grouped(count), name});
  align_right(rows, 0);
  for (const Row& row : rows) text += "  " + row[0] + "  " + row[1] + "\n";
  return text;
}

/// For an archive without programs.
std::string info_text(const std::string& path, const Archive& archive) {
  const std::size_t count = archive.models.size();
  const std::string container =
      "PT2 archive, version " + printable(archive.version) + ", " +
      (count == 0 ? "no exported program" : grouped(count, "model") + "; --model NAME describes one");
  std::vector<Row> models;
  for (const ArchivedModel& model : archive.models)
    models.push_back({printable(model.name), grouped(archive.zip.find(model.member)->size, "byte")});
  align_right(models, 1);
  return shown_path(path) + "\n" + table({{"container", container}}) +
         (models.empty() ? "" : "\nmodels\n" + table(models)) + package_text(archive);
}

std::string info_text(const std::string& path, const LoadedProgram& loaded, const Archive* archive) {
  const ProgramSummary summary = summarize(loaded.program);
  const auto range = [](const auto& entry) { return range_text(entry.key(), entry.value); };
  const auto guard = [](const std::string& text) { return printable(text); };
  return head_text(path, loaded) +
         values_text<InputSpec>("inputs", summary.user_inputs, summary.other_inputs) +
         values_text<OutputSpec>("outputs", summary.user_outputs, summary.other_outputs) +
         weights_text(summary) + lines_text("symbols", loaded.program.range_constraints, range) +
         lines_text("guards", loaded.program.guards_code, guard) +
         (archive == nullptr ? "" : package_text(*archive)) + operators_text(summary);
}

struct InfoArguments : FileArguments {};

void run(const InfoArguments& arguments) {
  const ProgramFile file = open_input(arguments.in);
  const Archive* const archive = file.archive();
  const std::string& name = arguments.in;
  const std::optional<LoadedProgram> loaded = load_only_model(file, arguments.loading, notice_printer(name));
  if (arguments.json) {
    write_output(info_json(shown_path(name), loaded ? &*loaded : nullptr, archive) + "\n");
  } else {
    write_text(loaded ? info_text(name, *loaded, archive) : info_text(name, *archive));
  }
}

}  // namespace

void add_info_command(Command command) {
  auto& arguments = add_file_arguments<InfoArguments>(command, "FILE");
  command.add_flag("--json", arguments.json, "Print a JSON object");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Examples:\n"
      "  pt2 info model.pt2\n"
      "  pt2 info package.pt2 --model encoder\n"
      "  pt2 info model.pt2 --json | jq .operators");
}

}  // namespace pt2::tool
