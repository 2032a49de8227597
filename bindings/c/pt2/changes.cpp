#include "pt2/handles.h"

#include "pt2/canonical/canonical.h"
#include "pt2/edit/file_operations.h"
#include "pt2/edit/port_calls.h"
#include "pt2/json.h"
#include "pt2/report/report_writer.h"
#include "pt2/versions/version.h"
#include "schemagen/base/quote.h"

namespace pt2::c {
namespace {

std::string calls_json(const std::vector<CallChange>& calls) {
  ReportWriter json;
  json.list(calls, [&](const CallChange& call) {
    json.object("path", schemagen::printable(call.path), "what", schemagen::printable(call.what), "done",
                call.is_done);
  });
  return json.text();
}

DowngradedDocument downgraded(const pt2_program& program, const SchemaVersion& to) {
  require_whole(program.loaded);
  require_nothing_kept(program.loaded);
  require_no_constants(program.loaded);
  schemagen::JsonWriteOptions writing;
  schemagen::JsonReadOptions reading;
  writing.limits = reading.limits = program.limits;
  const std::string text = schemagen::to_json(program.loaded.program, writing);
  DowngradedDocument document = downgrade_document(schemagen::JsonDocument(text, reading), to);
  if (document.unsupported.empty()) return document;
  std::string reason = "schema " + version_text(to) + " cannot express the program";
  for (const UnsupportedValue& value : document.unsupported) {
    if (&value != &document.unsupported.front()) reason += "; " + schemagen::shortened(value.path);
    reason += ": " + value.what;
    if (reason.size() > 400) break;
  }
  throw schemagen::DataError(schemagen::printable(reason), document.unsupported.front().path);
}

std::string dropped_json(const DowngradedDocument& document) {
  ReportWriter json;
  json.begin('{');
  for (const DroppedField& field : document.dropped) json.members(field.name, field.count);
  json.end('}');
  return json.text();
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

pt2_error* pt2_program_upgrade(pt2_program* program, pt2_bytes* changes) {
  return guarded([&] {
    if (changes != nullptr) *changes = {nullptr, 0};
    require(program, "program");
    require_nothing_kept(program->loaded);
    pt2::LoadedProgram copy = program->loaded;
    const std::vector<pt2::CallChange> calls = pt2::port_calls(copy);
    if (changes != nullptr) *changes = owned(calls_json(calls));
    program->replace(std::move(copy.program));
  });
}

pt2_error* pt2_program_downgrade(const pt2_program* program, int32_t major, int32_t minor, pt2_bytes* out,
                                 pt2_bytes* dropped) {
  if (dropped != nullptr) *dropped = {nullptr, 0};
  pt2_error* const error = given(out, [&] {
    require(program, "program");
    pt2::SchemaVersion to;
    to.major = major;
    to.minor = minor;
    pt2::DowngradedDocument document = downgraded(*program, to);
    if (dropped != nullptr) *dropped = owned(dropped_json(document));
    return std::move(document.text);
  });
  if (error != nullptr) pt2_bytes_free(dropped);
  return error;
}

pt2_error* pt2_program_canonicalize(pt2_program* program, const char* form, bool keep_provenance) {
  return changed(program, [&](pt2::ExportedProgram& copy) {
    const pt2::CanonicalForm chosen = pt2::canonical_form_named(form == nullptr ? "" : form);
    copy = pt2::canonicalize(std::move(copy), chosen,
                             keep_provenance ? pt2::Provenance::keep : pt2::Provenance::drop);
  });
}

pt2_error* pt2_program_rename(pt2_program* program, const pt2_str* old_names, const pt2_str* new_names,
                              size_t count) {
  return changed(program, [&](pt2::ExportedProgram& copy) {
    std::vector<std::string> olds = texts_of(old_names, count, "old_names");
    std::vector<std::string> news = texts_of(new_names, count, "new_names");
    std::vector<pt2::NameChange> changes;
    for (size_t i = 0; i < count; ++i) changes.push_back({std::move(olds[i]), std::move(news[i])});
    pt2::rename(copy, changes);
  });
}

pt2_error* pt2_program_retarget(pt2_program* program, pt2_str to, pt2_str from, size_t* changed_devices) {
  const auto change = [&](pt2::ExportedProgram& copy) {
    const size_t count =
        pt2::retarget(copy, pt2::device_change(view_of(to, "to"), optional_of(from, "from")));
    if (changed_devices != nullptr) *changed_devices = count;
  };
  return changed(program, change, Places::stay);
}

pt2_error* pt2_program_retype(pt2_program* program, int32_t dtype, const pt2_str* keep, size_t count) {
  return changed(program, [&](pt2::ExportedProgram& copy) {
    pt2::retarget(copy, pt2::DtypeChange{static_cast<pt2::ScalarType>(dtype), texts_of(keep, count, "keep")});
  });
}

pt2_error* pt2_program_extract(const pt2_program* program, const pt2_str* inputs, size_t input_count,
                               const pt2_str* outputs, size_t output_count, pt2_program** out) {
  return made(out, [&] {
    require(program, "program");
    require_nothing_kept(program->loaded);
    auto part = copy_of(*program);  // with its origin and missing fields
    part->loaded.program = pt2::extract(program->loaded.program, texts_of(inputs, input_count, "inputs"),
                                        texts_of(outputs, output_count, "outputs"));
    return part;
  });
}

pt2_error* pt2_program_slim(pt2_program* program, const char* part) {
  return changed(program, [&](pt2::ExportedProgram& copy) {
    pt2::slim(copy, pt2::slim_part_named(part == nullptr ? "" : part));
  });
}

}  // extern "C"
