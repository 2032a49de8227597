#include "pt2/handles.h"

#include <limits>

#include "pt2/visit.h"
#include "schemagen/c/options.h"
#include "schemagen/c/type.h"

void pt2_program::replace(pt2::ExportedProgram&& program) noexcept {
  life.renew();
  loaded.program = std::move(program);
}

namespace pt2::c {

std::optional<std::string> optional_of(pt2_str text, const char* name) {
  const std::string_view view = view_of(text, name);
  if (text.data == nullptr) return std::nullopt;
  return std::string(view);
}

std::vector<std::string> texts_of(const pt2_str* texts, std::size_t count, const char* name) {
  if (count != 0) require(texts, name);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(view_of(texts[i], name));
  return all;
}

void require_nothing_kept(const LoadedProgram& loaded) {
  if (loaded.unknown_fields.empty()) return;
  throw schemagen::UsageError(
      "cannot change a program with preserved unknown fields; hint: save it unchanged, or "
      "load it with SCHEMAGEN_FIELDS_SKIP");
}

void require_whole(const LoadedProgram& loaded) {
  if (loaded.left_out.empty()) return;
  throw schemagen::UsageError(
      "the program was loaded without the metadata of its nodes; hint: load it with metadata to write it");
}

std::unique_ptr<pt2_program> copy_of(const pt2_program& program) {
  return std::make_unique<pt2_program>(LoadedProgram(program.loaded), program.limits);
}

std::unique_ptr<pt2_file> file_of(FileBytes bytes, const pt2_file_options* options) {
  const pt2_file_options set = schemagen::c::options_of(options);
  FileOptions opening;
  opening.limits = schemagen::c::limits_of(set);
  if (set.skip_checksums != 0) opening.checksums = Checksums::ignore;
  auto file = std::make_unique<pt2_file>();
  file->opened = std::make_shared<const ProgramFile>(std::move(bytes), opening);
  return file;
}

namespace {

LoadOptions load_options_of(const pt2_load_options* options) {
  const pt2_load_options set = schemagen::c::options_of(options);
  LoadOptions loading;
  loading.unknown_fields = schemagen::c::unknown_fields_of(set.unknown_fields, loading.unknown_fields);
  loading.newer_fields = schemagen::c::unknown_fields_of(set.newer_fields, loading.newer_fields);
  if (set.upgrade_all != 0) loading.upgrading = Upgrading::all;
  if (set.without_metadata != 0) loading.leave_out.push_back(schemagen::field_name<&Node::metadata>);
  loading.bare_nonfinite = set.bare_nonfinite != 0;
  return loading;
}

SaveOptions save_options_of(const pt2_program& program, const pt2_write_options& options) {
  SaveOptions saving;
  saving.json = schemagen::c::json_options_of(options);
  saving.json.limits = program.limits;
  saving.binary = schemagen::c::binary_options_of(options, default_binary_options().compression);
  saving.binary.payload.limits = program.limits;
  return saving;
}

std::string bytes_of(const pt2_program& program, FileFormat format, const pt2_write_options& options) {
  require_whole(program.loaded);
  std::string bytes;
  save_program(program.loaded, SaveTarget::memory(bytes, format), save_options_of(program, options));
  return bytes;
}

void save(const pt2_program& program, const std::string& path, const pt2_file* source,
          const pt2_write_options& options) {
  require_whole(program.loaded);
  if (format_of_name(path) != FileFormat::archive) {
    return save_program(program.loaded, path, save_options_of(program, options));
  }
  if (source == nullptr) {
    throw schemagen::UsageError("writing an archive requires a 'source' to copy, but 'source' is NULL");
  }
  save_program(program.loaded, path, {source->opened.get(), std::nullopt, SaveWeights::raw});
}

std::int32_t nearest_int32(std::int64_t number) noexcept {
  using Bounds = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(number, Bounds::min(), Bounds::max()));
}

void put_version(const SchemaVersion& version, std::int32_t* major, std::int32_t* minor) noexcept {
  if (major != nullptr) *major = nearest_int32(version.major);
  if (minor != nullptr) *minor = nearest_int32(version.minor);
}

const Archive* archive_of(const pt2_file* file) noexcept {
  return file == nullptr ? nullptr : file->opened->archive();
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

int32_t pt2_abi_version(void) {
  return PT2_ABI_VERSION;
}
pt2_str pt2_version(void) {
  return borrowed(PT2_VERSION);
}

int32_t pt2_error_kind(const pt2_error* error) {
  return schemagen_error_kind(error);
}
pt2_str pt2_error_message(const pt2_error* error) {
  return schemagen_error_message(error);
}
pt2_str pt2_error_reason(const pt2_error* error) {
  return schemagen_error_reason(error);
}
pt2_str pt2_error_path(const pt2_error* error) {
  return schemagen_error_path(error);
}
size_t pt2_error_line(const pt2_error* error) {
  return schemagen_error_line(error);
}
size_t pt2_error_column(const pt2_error* error) {
  return schemagen_error_column(error);
}
int64_t pt2_error_offset(const pt2_error* error) {
  return schemagen_error_offset(error);
}
void pt2_error_free(pt2_error* error) {
  schemagen_error_free(error);
}

pt2_str pt2_text(const char* text) {
  return schemagen_text(text);
}
void pt2_bytes_free(pt2_bytes* bytes) {
  schemagen_bytes_free(bytes);
}

pt2_error* pt2_file_open(const char* path, const pt2_file_options* options, pt2_file** out) {
  return made(out, [&] {
    require(path, "path");
    const std::string name = path;
    return file_of(name == "-" ? pt2::FileBytes(pt2::read_all(stdin, "<stdin>")) : pt2::read_file(name),
                   options);
  });
}

pt2_error* pt2_file_from_bytes(const void* data, size_t size, const pt2_file_options* options,
                               pt2_file** out) {
  return made(out,
              [&] { return file_of(pt2::FileBytes(std::string(view_of(data, size, "data"))), options); });
}

pt2_error* pt2_file_borrow(const void* data, size_t size, const pt2_file_options* options, pt2_file** out) {
  return made(out, [&] { return file_of(pt2::FileBytes::borrowed(view_of(data, size, "data")), options); });
}

int32_t pt2_file_kind(const pt2_file* file) {
  if (file == nullptr) return PT2_FILE_NONE;
  if (file->opened->archive() != nullptr) return PT2_FILE_ARCHIVE;
  return file->opened->binary_file() != nullptr ? PT2_FILE_PT2B : PT2_FILE_JSON;
}

size_t pt2_file_model_count(const pt2_file* file) {
  const pt2::Archive* const archive = archive_of(file);
  return archive == nullptr ? 0 : archive->models.size();
}

pt2_str pt2_file_model_name(const pt2_file* file, size_t index) {
  return borrowed(index < pt2_file_model_count(file) ? std::string_view(archive_of(file)->models[index].name)
                                                     : "");
}

void pt2_file_free(pt2_file* file) {
  delete file;
}

pt2_error* pt2_program_load(const pt2_file* file, pt2_str model, const pt2_load_options* options,
                            pt2_program** out) {
  return made(out, [&] {
    require(file, "file");
    pt2::LoadOptions loading = load_options_of(options);
    loading.model = optional_of(model, "model");
    return std::make_unique<pt2_program>(pt2::load_program(*file->opened, loading), file->opened->limits());
  });
}

void pt2_program_version(const pt2_program* program, int32_t* major, int32_t* minor) {
  put_version(program == nullptr ? pt2::SchemaVersion{} : program->loaded.program.schema_version, major,
              minor);
}

void pt2_program_upgraded_from(const pt2_program* program, int32_t* major, int32_t* minor) {
  const bool was = program != nullptr && program->loaded.upgraded_from;
  put_version(was ? *program->loaded.upgraded_from : pt2::SchemaVersion{}, major, minor);
}

pt2_str pt2_program_model(const pt2_program* program) {
  return borrowed(program == nullptr ? std::string_view() : program->loaded.source.model);
}

size_t pt2_program_skipped_count(const pt2_program* program) {
  return program == nullptr ? 0 : program->loaded.skipped.size();
}

pt2_str pt2_program_skipped_path(const pt2_program* program, size_t index) {
  const bool is_there = index < pt2_program_skipped_count(program);
  return borrowed(is_there ? std::string_view(program->loaded.skipped[index].path) : "");
}

pt2_error* pt2_program_copy(const pt2_program* program, pt2_program** out) {
  return made(out, [&] {
    require(program, "program");
    return copy_of(*program);
  });
}

pt2_error* pt2_program_to_json(const pt2_program* program, const pt2_write_options* options, pt2_bytes* out) {
  return given(out, [&] {
    require(program, "program");
    return bytes_of(*program, pt2::FileFormat::json, schemagen::c::options_of(options));
  });
}

pt2_error* pt2_program_to_pt2b(const pt2_program* program, const pt2_write_options* options, pt2_bytes* out) {
  return given(out, [&] {
    require(program, "program");
    return bytes_of(*program, pt2::FileFormat::pt2b, schemagen::c::options_of(options));
  });
}

pt2_error* pt2_program_save(const pt2_program* program, const char* path, const pt2_file* source,
                            const pt2_write_options* options) {
  return guarded([&] {
    require(program, "program");
    require(path, "path");
    save(*program, path, source, schemagen::c::options_of(options));
  });
}

void pt2_program_free(pt2_program* program) {
  delete program;
}

pt2_value pt2_program_value(const pt2_program* program) {
  if (program == nullptr) return {nullptr, nullptr, 0, 0};
  return schemagen::c::cursor(schemagen::access_of<pt2::ExportedProgram>, &program->loaded.program,
                              program->life.id());
}

}  // extern "C"
