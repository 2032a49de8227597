// Compares and exports two schemas, separated by a line `---`. Formatting preserves the meaning.
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evolution/compat.h"
#include "evolution/findings.h"
#include "evolution/upgrade_steps.h"
#include "export/export.h"
#include "fault.h"
#include "front/fmt.h"
#include "front/resolve.h"
#include "model/model.h"
#include "schemagen/base/quote.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using generator::Diagnostics;
using generator::Model;

const std::string kSeparator = "\n---\n";
const std::string kImported =
    "name: i\nversion: {major: 1, minor: 0}\nconstants: {I: 1}\n"
    "types: {I: {kind: struct, fields: {x: {id: 1, type: int}}}, J: {kind: enum, fields: {A: 0}}}\n";

generator::SchemaFiles imported_files() {
  return {"", [](const std::string&) { return kImported; }};
}

void check_messages(const Diagnostics& diagnostics) {
  for (const generator::Diagnostic& diagnostic : diagnostics.all()) {
    stop_at(message_fault(schemagen::printable(diagnostic.message), Lines::many));
    stop_at(message_fault(schemagen::printable(diagnostic.hint), Lines::many));
    for (const generator::Note& note : diagnostic.notes)
      stop_at(message_fault(schemagen::printable(note.message), Lines::many));
  }
  require(!has_control_characters(diagnostics.render(), Lines::many), "errors can be shown");
}

std::optional<Model> model_of(const std::string& text) {
  Diagnostics diagnostics("s.yaml", text);
  std::optional<Model> model = generator::load_model(diagnostics, generator::rule_ids(), imported_files());
  require(model.has_value() == !diagnostics.has_errors(), "a schema or an error");
  check_messages(diagnostics);
  return model;
}

void check_format(const std::string& text, const Model& model) {
  Diagnostics diagnostics("s.yaml", text);
  const std::optional<std::string> once =
      generator::formatted(diagnostics, generator::rule_ids(), imported_files());
  check_messages(diagnostics);
  require(once.has_value() == !diagnostics.has_errors(), "a layout or an error");
  if (!once) return;
  const std::optional<Model> again = model_of(*once);
  require(again && generator::same_meaning(model, *again), "a schema means the same in the layout: " + *once);
  Diagnostics second("s.yaml", *once);
  require(generator::formatted(second, generator::rule_ids(), imported_files()) == once,
          "the layout stays as it is: " + *once);
}

void check_exports(const std::string& text, const Model& model) {
  generator::export_thrift(model);
  generator::export_torch_yaml(model);
  generator::export_json_schema(model);
  generator::export_dot(model);
  generator::export_html(model);
  generator::export_model(model);
  generator::export_python(model);
  const generator::Version version = {12, 345};
  const std::optional<Model> edited = model_of(generator::with_version(text, model, version));
  require(edited && edited->version.major_ == version.major_ && edited->version.minor_ == version.minor_,
          "another version can be written");
}

void check_findings(const generator::Release& before, const generator::Release& after) {
  for (const auto policy :
       {generator::Policy::full, generator::Policy::backward, generator::Policy::pytorch}) {
    const generator::Comparison comparison = generator::compared(before, after, {}, policy);
    for (const generator::Finding& finding : comparison.findings) {
      stop_at(message_fault(schemagen::printable(finding.message), Lines::many));
      stop_at(message_fault(schemagen::printable(finding.fix), Lines::many));
    }
    const std::vector<generator::Release> earlier;
    const generator::Findings findings(comparison, before, after, earlier);
    require(!has_control_characters(generator::findings_as_text(findings), Lines::many),
            "findings can be shown");
    require(!has_control_characters(generator::findings_as_github(findings), Lines::many),
            "GitHub's commands are lines");
    generator::findings_as_json(findings);
    generator::findings_as_sarif(findings, "0");
    generator::findings_as_markdown(findings);
  }
}

bool is_without_change(const generator::Release& release) {
  const generator::Comparison comparison = generator::compared(release, release, {}, generator::Policy::full);
  return comparison.required == generator::Bump::none && comparison.hash_before == comparison.hash_after &&
         comparison.count(generator::Level::breaking) == 0 && comparison.count(generator::Level::error) == 0;
}

std::string with_other_lines(const std::string& text, std::mt19937& random) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  const auto any = [&] { return lines.begin() + static_cast<std::ptrdiff_t>(random() % lines.size()); };
  switch (random() % 4) {
    case 0:
      std::swap(*any(), *any());
      break;
    case 1:
      lines.erase(any());
      break;
    case 2:
      lines.insert(any(), *any());
      break;
    default:
      *any() = *any();
  }
  std::string result;
  for (const std::string& line : lines) result += line;
  return result;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 2 == 0) {
    const std::string text = with_other_lines(std::string(reinterpret_cast<const char*>(data), size), random);
    if (!text.empty() && text.size() <= max_size) {
      std::memcpy(data, text.data(), text.size());
      return text.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find(kSeparator);
  const std::string texts[] = {
      text.substr(0, end), end == std::string::npos ? std::string() : text.substr(end + kSeparator.size())};
  std::vector<generator::Release> releases;
  for (const std::string& one : texts) {
    std::optional<Model> model = model_of(one);
    if (!model) continue;
    check_format(one, *model);
    check_exports(one, *model);
    std::vector<generator::SourceText> imported;
    for (std::size_t i = 1; i < model->files.size(); ++i) imported.push_back({model->files[i], kImported});
    releases.push_back({"s.yaml", one, std::move(*model), std::move(imported)});
    require(is_without_change(releases.back()), "a schema does not differ from itself");
  }
  if (releases.size() < 2) return 0;
  releases.back().file = "new.yaml";
  check_findings(releases.front(), releases.back());
  check_findings(releases.back(), releases.front());
  return 0;
}
