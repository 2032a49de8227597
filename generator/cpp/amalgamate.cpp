#include "cpp/amalgamate.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "cpp/generate.h"
#include "cpp/runtime_files.h"
#include "cpp/template_data.h"
#include "model/cpp_words.h"
#include "model/embedded_files.h"
#include "text/message.h"

namespace generator {
namespace {

using Files = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view kSource = ".cpp";
constexpr std::string_view kFolderOfC = "c/";

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Not inside a line: comments may contain examples.
struct Include {
  std::string_view name;
  bool is_quoted;
};

std::optional<Include> parse_include(std::string_view line) {
  constexpr std::string_view kDirective = "#include ";
  if (!starts_with(line, kDirective)) return std::nullopt;
  line.remove_prefix(kDirective.size());
  const bool is_quoted = line.front() == '"';
  const std::size_t end = line.find(is_quoted ? '"' : '>', 1);
  return Include{line.substr(1, end - 1), is_quoted};
}

std::optional<std::string> find_included(const Files& files, std::string_view from, const Include& include) {
  const std::filesystem::path beside = std::filesystem::path(from).parent_path() / include.name;
  const std::string name = beside.lexically_normal().generic_string();
  if (include.is_quoted && files.count(name) != 0) return name;
  if (files.count(include.name) != 0) return std::string(include.name);
  return std::nullopt;
}

std::optional<std::string> header_of(const Files& files, const std::string& source) {
  for (const std::string_view line : lines_of(files.at(source))) {
    if (const auto first = parse_include(line)) return find_included(files, source, *first);
  }
  return std::nullopt;
}

struct CodeScope {
  std::string name;
  std::string open;
  std::string close;
};

CodeScope scope_of(const Model& model, const std::string& name_space) {
  const std::string version = "v" + std::to_string(model.version.major_);
  return {"::" + name_space + "::" + version,
          "namespace " + name_space + " {\ninline namespace " + version + " {\n",
          "}  // namespace " + version + "\n}  // namespace " + name_space + "\n"};
}

bool is_of_library(std::string_view outermost_namespace) {
  return outermost_namespace == "schemagen" || outermost_namespace == copied_library().schema;
}

std::optional<std::string_view> library_namespace(std::string_view line, std::string_view before,
                                                  std::string_view after) {
  if (!starts_with(line, before) || !ends_with(line, after)) return std::nullopt;
  const std::string_view name = line.substr(before.size(), line.size() - before.size() - after.size());
  if (!is_of_library(name.substr(0, name.find("::")))) return std::nullopt;
  return name;
}

/// The copied library's namespace becomes `scope` itself, so it has no name there; schemagen becomes a
/// member.
std::string_view name_in_scope(std::string_view name) {
  const std::string& library = copied_library().schema;
  if (name == library) return {};
  return starts_with(name, library + "::") ? name.substr(library.size() + 2) : name;
}

std::string qualified_in_scope(std::string_view line, const CodeScope& scope) {
  if (line.find("::") == line.npos) return std::string(line);
  static const std::regex ours("(^|[^:\\w])schemagen(?=::)");
  static const std::regex library("(^|[^:\\w])" + copied_library().schema + "(?=::)");
  const std::string with_ours =
      std::regex_replace(std::string(line), ours, "$1" + scope.name + "::schemagen");
  return std::regex_replace(with_ours, library, "$1" + scope.name);
}

std::string in_scope(std::string_view text, const CodeScope& scope) {
  std::string result;
  bool is_inside = false;
  for (const std::string_view line : lines_of(text)) {
    if (const auto opened = library_namespace(line, "namespace ", " {")) {
      const std::string_view inner = name_in_scope(*opened);
      is_inside = true;
      result += scope.open;
      if (!inner.empty()) result += "namespace " + std::string(inner) + " {\n";
    } else if (const auto closed = library_namespace(line, "}  // namespace ", "")) {
      const std::string_view inner = name_in_scope(*closed);
      if (!inner.empty()) result += "}  // namespace " + std::string(inner) + "\n";
      is_inside = false;
      result += scope.close;
    } else {
      result.append(is_inside ? std::string(line) : qualified_in_scope(line, scope)).append("\n");
    }
  }
  return result;
}

std::string_view without_first_line(std::string_view text) {
  return text.substr(text.find('\n') + 1);
}

bool hides_macros(std::string_view file) {
  return ends_with(file, "undefine.h") || ends_with(file, "restore.h");
}

bool is_code(std::string_view name) {
  return name.find('/') != name.npos && (ends_with(name, ".h") || ends_with(name, kSource));
}

Files files_for(const Model& model, const std::string& name_space) {
  const CodeScope scope = scope_of(model, name_space);
  Files files;
  for (const auto& [name, text] : runtime_files()) {
    if (!is_code(name) || hides_macros(name)) continue;
    files.emplace(name, in_scope(text, scope));
  }
  for (const OutputFile& file : generate(model, model.name, name_space)) {
    if (hides_macros(file.path)) continue;
    files.insert_or_assign(file.path, std::string(without_first_line(file.text)));
  }
  return files;
}

struct Joiner {
  const Files& files;
  std::string text{};
  std::string includes{};
  std::vector<std::string> headers_of_c{};

  void add(const std::string& name) {
    if (!joined.insert(name).second) return;
    const std::vector<std::string_view> lines = lines_of(files.at(name));
    for (const std::string_view line : lines) {
      if (const auto own = find_own(name, line)) add(*own);
    }
    text += "\n// ---- " + name + "\n";
    conditions = 0;
    for (const std::string_view line : lines) add_line(name, line);
  }

  void add_sources() {
    for (bool has_more = true; has_more;) {
      has_more = false;
      for (const auto& [name, content] : files) {
        if (!ends_with(name, kSource) || joined.count(name) != 0) continue;
        const std::optional<std::string> header = header_of(files, name);
        if (!header || joined.count(*header) == 0) continue;
        add(name);
        has_more = true;
      }
    }
  }

  std::optional<std::string> find_own(std::string_view from, std::string_view line) const {
    const std::optional<Include> include = parse_include(line);
    return include ? find_included(files, from, *include) : std::nullopt;
  }

  void add_line(std::string_view name, std::string_view line) {
    if (line == "#pragma once" || find_own(name, line)) return;
    if (line.empty() && ends_with(text, "\n\n")) return;
    if (starts_with(line, "#if")) ++conditions;
    if (starts_with(line, "#endif")) --conditions;
    if (const auto include = parse_include(line)) {
      if (hides_macros(include->name)) return;
      if (is_of_c(*include)) return add_of_c(*include);
      // Under a condition, it may be for another compiler.
      if (include->is_quoted && conditions == 0)
        throw std::logic_error(std::string(name) + " includes an unknown file");
      if (conditions == 0) {
        if (included.emplace(include->name).second) includes.append(line).append("\n");
        return;
      }
    }
    text.append(line).append("\n");
  }

  /// Headers for C, the only ones outside a folder, stay separate.
  static bool is_of_c(const Include& include) {
    return include.is_quoted && include.name.find('/') == include.name.npos;
  }

  void add_of_c(const Include& include) {
    if (!included.emplace(include.name).second) return;
    headers_of_c.emplace_back(include.name);
    text.append("#include \"").append(kFolderOfC).append(include.name).append("\"\n");
  }

  std::set<std::string, std::less<>> joined{};
  std::set<std::string, std::less<>> included{};
  int conditions = 0;
};

void add_listed(std::vector<std::string>& headers, const std::string& library, std::string_view heading) {
  constexpr std::string_view kHeading = "# ";
  std::string_view current;
  for (std::string_view line : lines_of(runtime_files().at("public_headers.cmake"))) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (starts_with(line, kHeading)) current = line.substr(kHeading.size());
    if (heading != "*" && current != heading) continue;
    if (starts_with(line, library + "/") && ends_with(line, ".h") && !hides_macros(line)) {
      headers.emplace_back(line);
    }
  }
}

CopiedLibrary parse_copied_levels() {
  CopiedLibrary library;
  for (const std::string_view line : lines_of(runtime_files().at("copied_levels.txt"))) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words{std::string(line)};
    std::string key;
    words >> key;
    key.pop_back();
    std::vector<std::string> values;
    for (std::string word; words >> word;) {
      if (word.front() == '[') {
        add_listed(values, library.schema, word.substr(1, word.size() - 2));
      } else {
        values.push_back(word);
      }
    }
    if (key == "schema") {
      library.schema = values.at(0);
    } else if (key == "c") {
      library.c_header = values.at(0);
    } else {
      library.levels.push_back({key, values});
    }
  }
  return library;
}

std::vector<std::string> public_headers(const Model& model, const AmalgamationParts& parts) {
  std::vector<std::string> headers = {model.name + "/types.h", model.name + "/schema_info.h",
                                      model.name + "/visit.h"};
  if (parts.json) {
    headers.insert(headers.end(),
                   {model.name + "/json.h", "schemagen/base/huge_pages.h", "schemagen/json/records.h"});
  }
  if (parts.binary) {
    headers.insert(headers.end(), {model.name + "/binary.h", "schemagen/binary_file/records.h"});
  }
  if (parts.c) headers.emplace_back("schemagen/c/type.h");
  if (const CopyLevel* level = copied_library().find(parts.level)) {
    headers.insert(headers.end(), level->headers.begin(), level->headers.end());
  }
  return headers;
}

std::string file_stem(const Model& model) {
  return is_header_name(model.name) ? model.name + "_" : model.name;
}

TemplateData frame_of(const Model& model, const std::string& name_space, const AmalgamationParts& parts) {
  return TemplateData::of("schema", model.name, "file", file_stem(model), "major", model.version.major_,
                          "minor", model.version.minor_, "namespace", name_space, "macro_names",
                          macro_names(cpp_names(model)), "binary", parts.binary, "c", parts.c, "version",
                          SCHEMAGEN_VERSION, "licence", commented(runtime_files().at("LICENSE"), "//"));
}

OutputFile frame(std::string_view origin, std::string path, std::string_view template_name, TemplateData data,
                 const std::string& code, const std::string& includes = {}) {
  data.set("code", code, "includes", includes);
  const std::string body = template_renderer(data)(template_name, embedded_files().at(template_name));
  return {std::move(path), with_provenance(origin, "//", body)};
}

}  // namespace

const CopyLevel* CopiedLibrary::find(std::string_view name) const {
  return find_named(levels, name);
}

const CopiedLibrary& copied_library() {
  static const CopiedLibrary library = parse_copied_levels();
  return library;
}

bool has_copied_library() {
  return runtime_files().count(copied_library().levels.front().headers.front()) != 0;
}

std::vector<OutputFile> amalgamate(const Model& model, const std::string& folder,
                                   const std::string& name_space, const AmalgamationParts& parts) {
  const std::string in_folder = folder.empty() ? "" : folder + "/";
  const std::string path = in_folder + file_stem(model);
  TemplateData data = frame_of(model, name_space, parts);
  const Files files = files_for(model, name_space);
  const CopiedLibrary& library = copied_library();
  Joiner joiner{files};
  for (const std::string& header : public_headers(model, parts)) joiner.add(header);
  const std::string declarations = std::exchange(joiner.text, {});
  const std::string declarations_need = std::exchange(joiner.includes, {});
  // Headers for C declare functions that need all public headers.
  if (parts.c && parts.level == library.levels.back().name) joiner.add(library.c_header);
  joiner.add_sources();
  data.set("files", joiner.text.find("PT2_WITH_ZLIB") != std::string::npos);
  const std::string origin = origin_of(model);
  std::vector<OutputFile> outputs;
  outputs.push_back(frame(origin, path + ".h", "amalgamation.h", data, declarations, declarations_need));
  outputs.push_back(frame(origin, path + ".cpp", "amalgamation.cpp", data, joiner.text, joiner.includes));
  for (const std::string& header : joiner.headers_of_c) {
    outputs.push_back(
        {in_folder + std::string(kFolderOfC) + header, std::string(runtime_files().at(header))});
  }
  return outputs;
}

}  // namespace generator
