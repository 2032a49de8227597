#include "pt2/scan/evaluated_program.h"

#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/json.h"
#include "pt2/scan/pickled_file.h"
#include "pt2/upgrade/upgrade.h"
#include "pt2/verify/check.h"
#include "pt2/versions/document_version.h"
#include "pt2/versions/version.h"
#include "schemagen/base/base64.h"
#include "schemagen/json/document.h"
#include "schemagen/tree/dom.h"

namespace pt2 {
namespace {

using schemagen::DomValue;

void scan_base64(const DomValue& value, const std::string& record, ScanState& state) {
  if (const DomValue::Object* const members = value.object()) {
    for (const schemagen::DomMember& member : *members) scan_base64(member.value, record, state);
  }
  if (const DomValue::List* const items = value.list()) {
    for (const DomValue& item : *items) scan_base64(item, record, state);
  }
  if (!value.is_string()) return;
  const std::optional<schemagen::Bytes> bytes = schemagen::from_base64(value.text());
  if (!bytes) {
    state.add(RuleId::not_understood, record, file_of(record), "expected a pickle encoded as base64");
    return;
  }
  scan_pickled_file({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, record, state);
}

/// Constants and example inputs, as torch.save files.
void scan_pickles_in(const schemagen::JsonDocument& document, std::string_view record, ScanState& state) {
  const DomValue program = schemagen::to_dom(document);
  const auto scan = [&](const DomValue* holder, const char* name) {
    const DomValue* const value = holder == nullptr ? nullptr : holder->find(name);
    if (value != nullptr) scan_base64(*value, nested_record(record, name), state);
  };
  scan(&program, "example_inputs");
  const DomValue* const module = program.find("graph_module");
  scan(module == nullptr ? nullptr : module->find("graph"), "constants");
}

/// Upgrading keeps all strings that the older torch evaluates.
ExportedProgram read_program(std::string_view json, std::string_view record, ScanState& state) {
  schemagen::JsonReadOptions reading;
  reading.limits = state.limits();
  const schemagen::JsonDocument document(json, reading);
  const SchemaVersion version = document_version(document);
  const schemagen::JsonReadOptions by_version = read_options_for(document, version, reading);
  if (support_for(version) != VersionSupport::older_release) {
    try {
      return schemagen::from_json<ExportedProgram>(document, by_version);
    } catch (const schemagen::DataError& error) {
      throw of_version(error, version);
    }
  }
  if (has_pickles(version)) scan_pickles_in(document, record, state);
  // The scan has already covered constants; an upgrade needs only their metadata.
  const auto read_constant = [](const std::string&, std::string file, const schemagen::Limits& limits) {
    return meta_of(PickledTensors(std::move(file), limits).only_tensor());
  };
  return schemagen::from_json<ExportedProgram>(upgrade_document(document, {}, read_constant).text,
                                               by_version);
}

}  // namespace

void scan_program(const ExportedProgram& program, std::string_view record, ScanState& state) {
  for (Finding& finding : find_code(program)) {
    std::string message = finding.path + ": " + finding.message;
    state.add(finding.rule, record, std::move(finding.path), std::move(message));
  }
}

void scan_program_json(std::string_view json, std::string_view record, ScanState& state) {
  state.attempt(RuleId::not_understood, record, "not a readable program",
                [&] { scan_program(read_program(json, record, state), record, state); });
}

}  // namespace pt2
