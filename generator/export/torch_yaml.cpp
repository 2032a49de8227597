#include <algorithm>
#include <regex>
#include <string_view>
#include <utility>
#include <variant>

#include "export/export.h"
#include "model/embedded_files.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/sha256.h"
#include "schemagen/base/utf8.h"
#include "text/characters.h"
#include "text/message.h"
#include "text/quoting.h"
#include "text/source_lines.h"

namespace generator {
namespace {

constexpr std::size_t kWidth = 80;  // beyond this column, PyYAML folds at the next space

/// YAML 1.1 reads these as null, a bool, a number, a date or a merge key.
bool is_more_than_text(const std::string& text) {
  static const std::regex pattern(
      "~|null|Null|NULL|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|<<|="
      "|[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(:[0-5]?[0-9])*)"
      "|[-+]?[0-9][0-9_]*((:[0-5]?[0-9])+\\.[0-9_]*|\\.[0-9_]*([eE][-+][0-9]+)?)"
      "|\\.[0-9][0-9_]*([eE][-+][0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
      "|[0-9]{4}-[0-9]{2}-[0-9]{2}"
      "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*)?"
      "([ \\t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?");
  return text.empty() || std::regex_match(text, pattern);
}

bool needs_quotes(const std::string& text) {
  if (is_more_than_text(text) || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return true;
  if (text.compare(0, 3, "---") == 0 || text.compare(0, 3, "...") == 0) return true;
  if (text.find_first_of("#,[]{}&*!|>'\"%@`") == 0) return true;
  const bool indicator_alone = text.size() == 1 || text[1] == ' ';
  if (text.find_first_of("-?:") == 0 && indicator_alone) return true;
  return text.find(": ") != std::string::npos || text.find(" #") != std::string::npos;
}

std::string plain_scalar(const std::string& text, std::size_t column, std::size_t indent) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool lone_space = text[at] == ' ' && text[at - 1] != ' ' && text[at + 1] != ' ';
    if (lone_space && column > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else {
      out += text[at];
      ++column;
    }
  }
  return out;
}

std::string single_quoted(const std::string& text, std::size_t indent) {
  std::string out = "'";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') {
      out += at == 0 || text[at - 1] != '\n' ? "\n\n" : "\n";
      if (at + 1 == text.size() || text[at + 1] != '\n') out += std::string(indent, ' ');
    } else {
      out += c == '\'' ? "''" : std::string(1, c);
    }
  }
  return out + "'";
}

std::string escaped(char32_t c) {
  constexpr std::pair<char32_t, char> kShort[] = {
      {0, '0'},  {7, 'a'},   {8, 'b'},     {9, 't'},    {10, 'n'},   {11, 'v'},     {12, 'f'},    {13, 'r'},
      {27, 'e'}, {'"', '"'}, {'\\', '\\'}, {0x85, 'N'}, {0xa0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
  for (const auto& [code, letter] : kShort) {
    if (code == c) return std::string("\\") + letter;
  }
  const std::size_t digits = c <= 0xff ? 2 : c <= 0xffff ? 4 : 8;
  return (c <= 0xff ? "\\x" : c <= 0xffff ? "\\u" : "\\U") + hex(c, digits, kUpperHex);
}

std::string double_quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = schemagen::next_code_point(text, at).value();
    const bool as_it_is = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    out += as_it_is ? std::string(1, static_cast<char>(c)) : escaped(c);
  }
  return out + "\"";
}

/// PyYAML folds plain text beyond column 80, but not quoted text.
std::string scalar(const std::string& text, std::size_t column, std::size_t indent) {
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
  const bool blank_at_line_end =
      text.find(" \n") != std::string::npos || text.find("\n ") != std::string::npos;
  if (!printable || blank_at_line_end) return double_quoted(text);
  if (text.find('\n') != std::string::npos || needs_quotes(text)) return single_quoted(text, indent);
  return plain_scalar(text, column, indent);
}

std::string key(const std::string& name) {
  return is_more_than_text(name) ? "'" + name + "'" : name;
}

/// As PyTorch's `str` prints it. Lists and maps are always empty.
struct DefaultText {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(double value) const { return schemagen::float_text(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const EnumMember& member) const { return std::to_string(member.number); }
  template <typename Other>
  std::string operator()(const Other& value) const {
    return spelled(Literal(value));
  }
};

struct TorchYamlWriter {
  const Model& model;
  std::string yaml{};
  std::string python{};

  std::string write() {
    add_all();
    return "# @generated by update_schema.py\n# checksum<<" + sum() + ">>\n" + yaml;
  }

  std::string checksum() {
    add_all();
    return sum();
  }

  std::string sum() const { return schemagen::sha256_hex("{" + python + "}"); }

  void add_all() {
    for (const Definition* type : model.types_by_name()) add_type(*type);
    add_version();
    for (const Constant& constant : model.constants) {
      add_key(0, constant.name);
      add_number(constant.value);
    }
  }

  void add_key(std::size_t indent, const std::string& name) {
    yaml += std::string(indent, ' ') + key(name) + ":";
    const bool first = python.empty() || python.back() == '{';
    python += (first ? "" : ", ") + python_repr(name) + ": ";
  }

  void add_number(std::int64_t number) {
    yaml += " " + std::to_string(number) + "\n";
    python += std::to_string(number);
  }

  void add_text(const std::string& text) {
    const std::size_t line = yaml.find_last_of('\n') + 1;  // npos + 1 is 0
    const std::size_t indent = yaml.find_first_not_of(' ', line) - line;
    yaml += " " + scalar(text, yaml.size() - line + 1, indent + 2) + "\n";
    python += python_repr(text);
  }

  void add_type(const Definition& type) {
    add_key(0, type.name);
    yaml += "\n";
    python += "{";
    add_key(2, "kind");
    add_text(std::string(name_of(type.kind)));
    add_key(2, "fields");
    yaml += !type.is_enum() && type.fields.empty() ? " {}\n" : "\n";
    python += "{";
    for (const Field& value : type.values) {
      add_key(4, value.name);
      add_number(value.id);
    }
    for (const Field& field : type.fields) add_field(field);
    python += "}}";
  }

  void add_field(const Field& field) {
    add_key(4, field.name);
    yaml += "\n";
    python += "{";
    add_key(6, "type");
    add_text(spelled(model, field.type));
    if (field.fallback) {
      add_key(6, "default");
      add_text(std::visit(DefaultText{}, *field.fallback));
    }
    python += "}";
  }

  void add_version() {
    const Version& version = model.version;
    add_key(0, "SCHEMA_VERSION");
    yaml += "\n- " + std::to_string(version.major_) + "\n- " + std::to_string(version.minor_) + "\n";
    python += "[" + std::to_string(version.major_) + ", " + std::to_string(version.minor_) + "]";
  }
};

bool is_foreign_number(Type::Kind kind) {
  return kind == Type::Kind::float32 || (kind != Type::Kind::integer && integer_type(kind) != nullptr);
}

}  // namespace

std::string unsupported_in_torch_yaml(const Model& model) {
  for (const Definition& type : model.types) {
    for (const Field& field : type.fields) {
      const std::string name = quoted(type.name + "." + field.name);
      if (is_foreign_number(innermost(field.type).kind)) {
        return name + " is of type " + quoted(spelled(model, field.type)) +
               ", but PyTorch's schema.yaml has only the number types int and float";
      }
      if (field.fallback && is_composed(*field.fallback)) {
        return "PyTorch's schemas cannot express the default of " + name + ": " + spelled(*field.fallback);
      }
    }
  }
  return {};
}

std::string export_torch_yaml(const Model& model) {
  return TorchYamlWriter{model}.write();
}

std::string torch_module(const Model& model) {
  const std::string start = model.name + ": ";
  for (const std::string_view line : lines_of(embedded_files().at("torch_modules.txt"))) {
    if (line.substr(0, start.size()) == start) return std::string(line.substr(start.size()));
  }
  return {};
}

std::string torch_checksum(const Model& model) {
  return TorchYamlWriter{model}.checksum();
}

}  // namespace generator
