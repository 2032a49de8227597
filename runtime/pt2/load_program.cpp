#include "pt2/load_program.h"

#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/json.h"
#include "pt2/schema_info.h"
#include "pt2/versions/document_version.h"
#include "pt2/versions/version.h"
#include "schemagen/base/attempt.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

[[noreturn]] void refuse_choice(const std::string& model, const char* what) {
  throw DataError("unknown model " + schemagen::quoted(model) + ": this is " + what);
}

/// Returns the model, or null if the file is the JSON of a single program, and its JSON.
std::pair<const ArchivedModel*, MemberBytes> choose_program(const ProgramFile& file,
                                                            const std::optional<std::string>& model) {
  if (const Archive* const archive = file.archive()) {
    const ArchivedModel& found = find_model(*archive, model);
    return {&found, archive->zip.read(*archive->zip.find(found.member))};
  }
  if (model) refuse_choice(*model, "the JSON of a single program");
  return {nullptr, MemberBytes(file.bytes().view())};
}

std::size_t readable_after(const FileBytes& bytes, std::string_view text) {
  const std::string_view all = bytes.view();
  const std::less_equal<const char*> not_after;
  const char* const end = text.data() + text.size();
  if (!not_after(all.data(), text.data()) || !not_after(end, all.data() + all.size())) return 0;
  return static_cast<std::size_t>(all.data() + all.size() - end) + bytes.readable_after();
}

ProgramSource describe_source(const ProgramFile& file, const ArchivedModel* model, std::size_t json_bytes) {
  ProgramSource source;
  source.json_bytes = json_bytes;
  const Archive* const archive = file.archive();
  if (archive == nullptr) return source;
  source.container = archive->container;
  source.archive_version = archive->version;
  for (const ArchivedModel& other : archive->models) source.models.push_back(other.name);
  source.model = model->name;
  return source;
}

bool wants_upgrade(const SchemaVersion& version, Upgrading upgrading) {
  if (upgrading == Upgrading::all) return true;
  if (upgrading == Upgrading::older_minors && version.major == kSchemaMajor && version.minor < kSchemaMinor)
    return true;
  return support_for(version) == VersionSupport::older_release;
}

void load_upgraded(LoadedProgram& loaded, const schemagen::JsonDocument& document,
                   const SchemaVersion& version, const LoadOptions& options,
                   schemagen::JsonReadOptions reading) {
  const auto read_constant = [&](const std::string& name, std::string constant,
                                 const schemagen::Limits& limits) {
    Tensor tensor = PickledTensors(std::move(constant), limits).only_tensor();
    TensorMeta meta = meta_of(tensor);
    loaded.constants.push_back({name, std::move(tensor)});
    return meta;
  };
  UpgradedDocument upgraded = upgrade_document(document, options.upgrade, read_constant);
  reading.readable_after = 0;
  // The first document stays in memory until the second is read.
  const std::size_t left = document.memory_left();
  if (upgraded.text.size() > left) throw DataError(schemagen::too_much_memory(document.limits()));
  reading.limits.memory_bytes = left - upgraded.text.size();
  try {
    loaded.program = schemagen::from_json<ExportedProgram>(upgraded.text, reading);
  } catch (const DataError& error) {
    throw DataError(error.reason() + "; found after the upgrade from version " + version_text(version),
                    error.path());
  }
  for (schemagen::SkippedField& field : *reading.skipped) field.place = {};
  loaded.changes = std::move(upgraded.changes);
  if (!(version == loaded.program.schema_version)) loaded.upgraded_from = version;
}

enum class Destination { fresh, over };

/// False if the text is not plain or needs an upgrade.
bool read_plain(std::string_view json, const schemagen::JsonReadOptions& reading, Upgrading upgrading,
                Destination destination, ExportedProgram& program) {
  if (upgrading == Upgrading::all) return false;
  if (destination == Destination::over) {
    if (!schemagen::from_plain_json(json, program, reading)) return false;
  } else {
    auto plain = schemagen::from_plain_json<ExportedProgram>(json, reading);
    if (!plain) return false;
    program = *std::move(plain);
  }
  const SchemaVersion& version = program.schema_version;
  if (version.minor >= 0 && !wants_upgrade(version, upgrading) && !why_unreadable(version, Encoding::json))
    return true;
  program = ExportedProgram();
  return false;
}

void load_document(LoadedProgram& loaded, std::string_view json, const schemagen::JsonReadOptions& reading,
                   const LoadOptions& options) {
  const schemagen::JsonDocument document(json, reading);
  const SchemaVersion version = document_version(document);
  schemagen::JsonReadOptions by_version = read_options_for(document, version, reading, options.newer_fields);
  if (wants_upgrade(version, options.upgrading)) {
    by_version.progress = {};
    return load_upgraded(loaded, document, version, options, by_version);
  }
  try {
    loaded.program = schemagen::from_json<ExportedProgram>(document, by_version);
  } catch (const DataError& error) {
    throw of_version(error, version);
  }
}

schemagen::JsonReadOptions json_options(const ProgramFile& file, const LoadOptions& options) {
  schemagen::JsonReadOptions reading;
  reading.limits = file.limits();
  reading.unknown_fields = options.unknown_fields;
  reading.bare_nonfinite = options.bare_nonfinite;
  reading.leave_out = options.leave_out;
  return reading;
}

struct TextPages {
  MappedPages pages;
  std::string_view text;
};

void release_text(void* context, std::size_t bytes) {
  const auto& text = *static_cast<const TextPages*>(context);
  text.pages.release(text.text.substr(0, bytes));
}

/// A failure leaves at most the program in `loaded` filled; it is replaced.
void load_json(const ProgramFile& file, const LoadOptions& options, Destination destination,
               LoadedProgram& loaded) {
  const auto [model, json] = choose_program(file, options.model);
  schemagen::JsonReadOptions reading = json_options(file, options);
  reading.limits.memory_bytes -= json.owned_bytes();
  reading.readable_after = readable_after(file.bytes(), json.view());
  reading.skipped = &loaded.skipped;
  reading.preserved = &loaded.unknown_fields;
  reading.left_out = &loaded.left_out;
  // Positions in errors are the only use of text before the reader's position.
  TextPages text{file.bytes().pages(), json.view()};
  reading.progress = {release_text, &text};
  if (!read_plain(json.view(), reading, options.upgrading, destination, loaded.program)) {
    load_document(loaded, json.view(), reading, options);
  }
  loaded.source = describe_source(file, model, json.view().size());
}

void load_binary_file(const ProgramFile& file, const LoadOptions& options, Destination destination,
                      LoadedProgram& loaded) {
  if (options.model) refuse_choice(*options.model, "the binary form of a single program");
  const BinaryFile& binary = *file.binary_file();
  schemagen::BinaryReadOptions reading;
  reading.limits = file.limits();
  reading.limits.memory_bytes -= binary.owned_bytes();
  reading.unknown_fields = options.unknown_fields;
  reading.skipped = &loaded.skipped;
  reading.preserved = &loaded.unknown_fields;
  reading.leave_out = options.leave_out;
  reading.left_out = &loaded.left_out;
  const BinaryFileHeader& header = binary.header();
  const SchemaVersion version = {static_cast<std::int64_t>(header.schema_major),
                                 static_cast<std::int64_t>(header.schema_minor)};
  if (support_for(version) == VersionSupport::newer_minor &&
      reading.unknown_fields == schemagen::UnknownFields::error) {
    reading.unknown_fields = options.newer_fields;
  }
  try {
    if (destination == Destination::over) {
      schemagen::from_binary_file(binary, loaded.program, reading);
    } else {
      loaded.program = schemagen::from_binary_file<ExportedProgram>(binary, reading);
    }
  } catch (const DataError& error) {
    throw of_version(error, version);
  }
  require_readable(loaded.program.schema_version, Encoding::binary);
  if (wants_upgrade(loaded.program.schema_version, options.upgrading)) {
    if (!loaded.unknown_fields.empty()) {
      throw of_version(DataError("unknown field: an upgrade needs its JSON name, which is also unknown",
                                 path_text(loaded.unknown_fields.front())),
                       version);
    }
    const std::string json = schemagen::to_json(loaded.program);
    schemagen::JsonReadOptions rereading = json_options(file, options);
    std::vector<schemagen::SkippedField> none;
    rereading.skipped = &none;
    rereading.preserved = &loaded.unknown_fields;
    rereading.leave_out.clear();
    const schemagen::JsonDocument document(json, rereading);
    load_upgraded(loaded, document, document_version(document), options, rereading);
  }
  loaded.source.binary_file = BinaryFileSource{binary.header(), binary.compression(), binary.payload().size(),
                                               file.bytes().view().size()};
}

void load_any(const ProgramFile& file, const LoadOptions& options, Destination destination,
              LoadedProgram& loaded) {
  if (file.binary_file() != nullptr) {
    load_binary_file(file, options, destination, loaded);
  } else {
    load_json(file, options, destination, loaded);
  }
  check_opset(loaded.program, options.supported_opset);
}

}  // namespace

SchemaVersion writer_of(const LoadedProgram& loaded) {
  const std::optional<BinaryFileSource>& binary = loaded.source.binary_file;
  if (!binary) return loaded.program.schema_version;
  return {binary->header.schema_major, binary->header.schema_minor};
}

LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options) {
  LoadedProgram loaded;
  load_any(file, options, Destination::fresh, loaded);
  return loaded;
}

void load_program(const ProgramFile& file, LoadedProgram& into, const LoadOptions& options) {
  LoadedProgram loaded;
  loaded.program = std::move(into.program);
  into = LoadedProgram();
  load_any(file, options, Destination::over, loaded);
  into = std::move(loaded);
}

LoadedProgram load_program(const std::string& path, const LoadOptions& options,
                           const FileOptions& file_options) {
  return load_program(open_program_file(path, file_options), options);
}

schemagen::Result<LoadedProgram> try_load_program(const ProgramFile& file,
                                                  const LoadOptions& options) noexcept {
  return schemagen::attempt([&] { return load_program(file, options); });
}

schemagen::Result<void> try_load_program(const ProgramFile& file, LoadedProgram& into,
                                         const LoadOptions& options) noexcept {
  return schemagen::attempt([&] { load_program(file, into, options); });
}

schemagen::Result<LoadedProgram> try_load_program(const std::string& path, const LoadOptions& options,
                                                  const FileOptions& file_options) noexcept {
  return schemagen::attempt([&] { return load_program(path, options, file_options); });
}

}  // namespace pt2
