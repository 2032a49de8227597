#include "pt2/program.h"

#include <cstdio>
#include <functional>
#include <utility>

#include "pt2/binary/binary_file.h"
#include "pt2/json.h"
#include "pt2/version/document_version.h"
#include "pt2/version/version.h"
#include "schemagen/json/document.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

/// Whether the first character is one that a JSON value can begin with, after a byte order mark or not.
bool looks_like_json(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") return true;  // an error, but the JSON reader knows it better
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && std::string_view("{[\"-0123456789tfnNI").find(bytes[first]) != bytes.npos;
}

MemberBytes find_json(const ProgramFile& file, const std::optional<std::string>& model) {
  if (file.archive) return program_json(*file.archive, model);
  if (model) {
    throw DataError("there is no model " + schemagen::quoted(*model) +
                    " to choose: this is the JSON of one program");
  }
  return MemberBytes(file.bytes.view());
}

/// How many bytes after `text` may be read; 0 if it is no part of the file.
std::size_t readable_after(const FileBytes& bytes, std::string_view text) {
  const std::string_view all = bytes.view();
  const std::less_equal<const char*> not_after;
  const char* const end = text.data() + text.size();
  if (!not_after(all.data(), text.data()) || !not_after(end, all.data() + all.size())) return 0;
  return static_cast<std::size_t>(all.data() + all.size() - end) + bytes.readable_after();
}

ProgramSource describe_source(const ProgramFile& file, const std::optional<std::string>& model,
                              std::size_t json_bytes) {
  ProgramSource source;
  source.json_bytes = json_bytes;
  if (!file.archive) return source;
  source.container = file.archive->container;
  source.archive_version = file.archive->version;
  for (const ArchivedModel& other : file.archive->models) source.models.push_back(other.name);
  source.model = find_model(*file.archive, model).name;
  return source;
}

bool wants_upgrade(const SchemaVersion& version, Upgrading upgrading) {
  if (upgrading == Upgrading::all) return true;
  return support_for(version) == VersionSupport::older_release;
}

/// The program in a document that is not of its version, but of the head's after an upgrade.
ExportedProgram read_upgraded(const schemagen::JsonDocument& document, const LoadOptions& options,
                              schemagen::JsonReadOptions reading) {
  const std::string json = upgrade_document(document, options.upgrade);
  reading.readable_after = 0;
  try {
    ExportedProgram program = schemagen::from_json<ExportedProgram>(json, reading);
    for (schemagen::SkippedField& field : *reading.skipped) field.place = {};
    return program;
  } catch (const DataError& error) {
    throw DataError(
        error.reason() + "; found after the upgrade from version " + version_text(document_version(document)),
        error.path());
  }
}

/// Puts the program of `document`, upgraded, into `loaded`.
void load_upgraded(LoadedProgram& loaded, const schemagen::JsonDocument& document, const LoadOptions& options,
                   const schemagen::JsonReadOptions& reading) {
  const SchemaVersion version = document_version(document);
  loaded.program = read_upgraded(document, options, reading);
  if (!(version == loaded.program.schema_version)) loaded.upgraded_from = version;
}

LoadedProgram load_json(const ProgramFile& file, const LoadOptions& options) {
  const MemberBytes json = find_json(file, options.model);
  schemagen::JsonReadOptions parsing = options.json;
  parsing.readable_after = readable_after(file.bytes, json.view());
  const schemagen::JsonDocument document(json.view(), parsing);
  // From here the text is only needed to say where an error is.
  file.bytes.release_pages();

  LoadedProgram loaded;
  schemagen::JsonReadOptions reading = read_options_for(document, parsing);
  reading.skipped = &loaded.skipped;
  if (wants_upgrade(document_version(document), options.upgrading)) {
    load_upgraded(loaded, document, options, reading);
  } else {
    loaded.program = schemagen::from_json<ExportedProgram>(document, reading);
  }
  check_opset(loaded.program, options.supported_opset);
  loaded.source = describe_source(file, options.model, json.view().size());
  return loaded;
}

/// Of the version that the program in an envelope states itself.
void check_binary_version(const SchemaVersion& version) {
  const VersionSupport support = support_for(version);
  if (support == VersionSupport::readable || support == VersionSupport::newer_minor) return;
  throw DataError(binary_refusal_of(version), "schema_version");
}

LoadedProgram load_envelope(const ProgramFile& file, const LoadOptions& options) {
  if (options.model) {
    throw DataError("there is no model " + schemagen::quoted(*options.model) +
                    " to choose: this is the binary form of one program");
  }
  LoadedProgram loaded;
  schemagen::BinaryReadOptions reading;
  reading.limits = options.json.limits;
  reading.unknown_fields = options.json.unknown_fields;
  reading.skipped = &loaded.skipped;
  loaded.program = from_envelope<ExportedProgram>(*file.envelope, reading);
  check_binary_version(loaded.program.schema_version);
  if (wants_upgrade(loaded.program.schema_version, options.upgrading)) {
    const std::string json = schemagen::to_json(loaded.program);
    schemagen::JsonReadOptions rereading = options.json;
    rereading.readable_after = 0;
    std::vector<schemagen::SkippedField> none;  // all that is skipped was, on the way here
    rereading.skipped = &none;
    load_upgraded(loaded, schemagen::JsonDocument(json, rereading), options, rereading);
  }
  check_opset(loaded.program, options.supported_opset);
  loaded.source.envelope = EnvelopeSource{file.envelope->header(), file.envelope->compression(),
                                          file.envelope->payload().size(), file.bytes.view().size()};
  return loaded;
}

}  // namespace

ProgramFile open_program_bytes(FileBytes bytes, const ZipLimits& limits) {
  ProgramFile file{std::move(bytes), std::nullopt, std::nullopt};
  const std::string_view view = file.bytes.view();
  if (view.empty()) throw DataError("the file is empty");
  if (looks_like_zip(view)) {
    file.archive = open_archive(view, limits);
  } else if (looks_like_envelope(view)) {
    file.envelope.emplace(view, schemagen::Limits{});
  } else if (!looks_like_json(view)) {
    throw DataError("this is neither JSON, nor a zip archive, nor a .pt2b file");
  }
  return file;
}

ProgramFile open_program_file(const std::string& path, const ZipLimits& limits) {
  if (path == "-") return open_program_bytes(FileBytes(read_all(stdin, "<stdin>")), limits);
  return open_program_bytes(read_file(path), limits);
}

LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options) {
  return file.envelope ? load_envelope(file, options) : load_json(file, options);
}

LoadedProgram load_program(const std::string& path, const LoadOptions& options) {
  return load_program(open_program_file(path), options);
}

}  // namespace pt2
