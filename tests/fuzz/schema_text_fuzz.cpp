// Text in a schema stays inside its comment or literal: the output has the same tokens as for harmless text.
// The input is a doc, a reason, a default and a name, separated by a byte 0xFF.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "export/export.h"
#include "fault.h"
#include "front/fmt.h"
#include "front/resolve.h"
#include "front/yaml.h"
#include "schemagen/base/utf8.h"
#include "source_tokens.h"

namespace {

struct Texts {
  std::string doc = "x";
  std::string reason = "x";
  std::string fallback = "x";
  std::string name = "x";
};

std::string in_yaml(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<char32_t> c = schemagen::next_code_point(text, at);
    if (!c) {
      ++at;
      continue;
    }
    out += "\\U";
    for (unsigned shift = 32; shift > 0; shift -= 4) out += kHex[(*c >> (shift - 4)) & 15U];
  }
  return out + "\"";
}

std::string schema_of(const Texts& texts) {
  const std::string doc = in_yaml(texts.doc);
  const std::string reason = in_yaml(texts.reason);
  const std::string name = in_yaml(texts.name);
  return "name: s\nversion: {major: 1, minor: 0}\nroots: [T, U]\nconstants: {" + name +
         ": 1}\ntypes:\n  E: {kind: enum, doc: " + doc + ", fields: {" + name +
         ": 0, OTHER: 1}}\n  T:\n    doc: " + doc +
         "\n    kind: struct\n    fields:\n      e: {id: 10, type: E, default: OTHER, doc: " + doc +
         "}\n      " + name + ": {id: 20, type: str, doc: " + doc + ", deprecated: " + reason +
         ", default: " + in_yaml(texts.fallback) +
         "}\n    reserved: {names: [gone]}\n  U:\n    kind: union\n    doc: " + doc +
         "\n    fields:\n      " + name + ": {id: 10, type: int, doc: " + doc +
         ", allow: [{rule: FIELD_RENAMED, reason: " + reason +
         "}]}\n      as_t: {id: 20, type: T, deprecated: " + reason + "}\n";
}

std::optional<generator::Model> model_of(const Texts& texts) {
  generator::Diagnostics diagnostics("s.yaml", schema_of(texts));
  return generator::load_model(diagnostics, generator::rule_ids());
}

/// NULs stay, because they change the spelling of a default.
std::string harmless(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (const auto c = schemagen::next_code_point(text, at)) {
      out.append(at - begin, *c == 0 ? '\0' : 'x');
    } else {
      ++at;
    }
  }
  return out;
}

std::string shape(const generator::YamlNode& node) {
  std::string out(1, "?s[{"[static_cast<std::size_t>(node.kind)]);
  for (const generator::YamlNode& item : node.items) out += shape(item);
  for (const generator::YamlEntry& entry : node.entries) out += entry.key.text + ":" + shape(entry.value);
  return out + ";";
}

std::string yaml_shape(const std::string& text) {
  generator::Diagnostics diagnostics("s.yaml", text);
  const generator::YamlNode root = generator::parse_yaml(diagnostics);
  require(!diagnostics.has_errors(), "what is written is YAML: " + diagnostics.render());
  return shape(root);
}

std::string formatted(const Texts& texts) {
  generator::Diagnostics diagnostics("s.yaml", schema_of(texts));
  const auto text = generator::formatted(diagnostics, generator::rule_ids());
  require(text.has_value(), "a schema has a layout: " + diagnostics.render());
  return *text;
}

void require_same(const std::vector<std::string>& found, const std::vector<std::string>& wanted,
                  const std::string& what, const std::string& text) {
  const auto [at, other] = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
  if (at == found.end() && other == wanted.end()) return;
  stop_at(what + " has another token: " + (at == found.end() ? "none" : *at) + " for " +
          (other == wanted.end() ? "none" : *other) + "\n" + text);
}

void check_code(const generator::Model& hostile, const generator::Model& plain) {
  const auto files = generator::generate(hostile, "", "s");
  const auto wanted = generator::generate(plain, "", "s");
  require(files.size() == wanted.size(), "the same files are written");
  for (std::size_t i = 0; i < files.size(); ++i)
    require_same(cpp_tokens(files[i].text), cpp_tokens(wanted[i].text), files[i].path, files[i].text);
}

std::string json_schema(const generator::Model& model) {
  return generator::export_json_schema(model);
}

void check_exports(const generator::Model& hostile, const generator::Model& plain) {
  struct Export {
    std::string (*write)(const generator::Model&);
    const char* what;
  };
  for (const auto& [write, what] :
       {Export{generator::export_thrift, "Thrift"}, Export{generator::export_dot, "dot"},
        Export{json_schema, "JSON Schema"}, Export{generator::export_model, "model"}}) {
    const std::string text = write(hostile);
    require_same(data_tokens(text), data_tokens(write(plain)), what, text);
  }
  const std::string python = generator::export_python(hostile);
  require_same(python_tokens(python), python_tokens(generator::export_python(plain)), "Python", python);
  const std::string page = generator::export_html(hostile);
  require_same(html_tokens(page), html_tokens(generator::export_html(plain)), "HTML", page);
  const std::string yaml = generator::export_torch_yaml(hostile);
  require(yaml_shape(yaml) == yaml_shape(generator::export_torch_yaml(plain)),
          "YAML is of one shape: " + yaml);
}

bool check_texts(const Texts& texts) {
  const std::optional<generator::Model> hostile = model_of(texts);
  if (!hostile) return false;
  Texts plain;
  plain.doc = harmless(texts.doc);
  plain.reason = harmless(texts.reason);
  plain.fallback = harmless(texts.fallback);
  const std::optional<generator::Model> model = model_of(plain);
  if (!model) stop_at("harmless texts are refused");
  check_code(*hostile, *model);
  if (texts.name != plain.name) return true;
  check_exports(*hostile, *model);
  require(yaml_shape(formatted(texts)) == yaml_shape(formatted(plain)), "the layout is of one shape");
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == 0xff) {
      parts.emplace_back();
    } else {
      parts.back() += static_cast<char>(data[i]);
    }
  }
  parts.resize(4);
  const Texts plain;
  const bool are_written = check_texts({parts[0], parts[1], parts[2], plain.name});
  // If one is rejected, tries the reason as a default, which may contain more.
  if (!are_written) check_texts({plain.doc, plain.reason, parts[0] + parts[2], plain.name});
  check_texts({plain.doc, plain.reason, plain.fallback, parts[3]});
  return 0;
}
