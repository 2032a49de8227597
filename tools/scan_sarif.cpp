#include "scan_sarif.h"

#include "json_builder.h"
#include "schemagen/value/quote.h"
#include "text/uri.h"

namespace pt2::tool {
namespace {

void write_text(JsonBuilder& json, std::string_view key, std::string_view text) {
  json.key(key).begin('{').key("text").string(text).end('}');
}

void write_rules(JsonBuilder& json) {
  json.key("rules").begin('[');
  for (const Rule& rule : scan_rules()) {
    json.begin('{').key("id").string(rule.id);
    write_text(json, "shortDescription", rule.summary);
    write_text(json, "fullDescription", rule.explanation);
    json.key("defaultConfiguration").begin('{').key("level").string(level_text(rule.level)).end('}');
    json.end('}');
  }
  json.end(']');
}

void write_location(JsonBuilder& json, const std::string& path, const ScanFinding& finding) {
  json.key("locations").begin('[').begin('{');
  json.key("physicalLocation").begin('{');
  json.key("artifactLocation").begin('{').key("uri").string(generator::file_uri(path)).end('}');
  if (finding.record.empty() && finding.position) {
    json.key("region").begin('{').key("byteOffset").count(*finding.position).end('}');
  }
  json.end('}');
  if (!finding.record.empty()) {
    json.key("logicalLocations").begin('[').begin('{');
    json.key("fullyQualifiedName").string(schemagen::printable(finding.record)).end('}').end(']');
  }
  json.end('}').end(']');
}

void write_result(JsonBuilder& json, const std::string& path, const ScanFinding& finding) {
  json.begin('{').key("ruleId").string(finding.rule->id);
  json.key("ruleIndex").integer(finding.rule - scan_rules().data());
  json.key("level").string(level_text(finding.rule->level));
  const std::string record = finding.record.empty() ? "" : schemagen::printable(finding.record) + ": ";
  write_text(json, "message", record + schemagen::printable(finding.message));
  write_location(json, path, finding);
  json.key("properties").begin('{').key("what").string(schemagen::printable(finding.what)).end('}');
  json.end('}');
}

}  // namespace

std::string scan_sarif(const std::vector<ScannedFile>& files, std::string_view version) {
  JsonBuilder json;
  json.begin('{').key("$schema").string("https://json.schemastore.org/sarif-2.1.0.json");
  json.key("version").string("2.1.0").key("runs").begin('[').begin('{');
  json.key("tool").begin('{').key("driver").begin('{').key("name").string("pt2");
  json.key("version").string(version);
  write_rules(json);
  json.end('}').end('}').key("results").begin('[');
  for (const ScannedFile& file : files) {
    for (const ScanFinding& finding : file.findings) write_result(json, file.path, finding);
  }
  json.end(']').end('}').end(']').end('}');
  return std::string(json.view()) + "\n";
}

}  // namespace pt2::tool
