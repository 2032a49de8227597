#include "front/imports.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

#include "front/keys.h"
#include "schemagen/base/limits.h"
#include "text/characters.h"

namespace generator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 256;  // also limits the depth of imports
// Some escapes of YAML, such as \L, make three bytes of two.
static_assert(kMaxSchemaBytes / 2 * 3 <= schemagen::kMostDefaultText);

/// Git resolves it relative to the current folder.
bool is_from_here(const std::string& path) {
  return path.substr(0, 2) == "./" || path.substr(0, 3) == "../";
}

/// Keeps a leading `./`, which matters to Git.
std::string normal_path(const fs::path& path, bool from_here) {
  const std::string normal = path.lexically_normal().generic_string();
  return from_here && !is_from_here(normal) ? "./" + normal : normal;
}

struct ImportReader {
  Diagnostics& diagnostics;
  const SchemaFiles& files;

  std::vector<Document> run() {
    const std::string path = diagnostics.file().substr(files.prefix.size());
    const std::string name = files.prefix + normal_path(path, is_from_here(path));
    imports.push_back({name, files.identity(name), {}});
    documents_by_identity.emplace(imports.back().identity, std::nullopt);
    add_document(parse_yaml(diagnostics));
    if (!is_complete) documents.clear();
    return std::move(documents);
  }

  struct Import {
    std::string name;
    std::string identity;
    Span span;
  };

  std::size_t add_document(YamlNode root) {
    if (root.kind == YamlNode::Kind::invalid) is_complete = false;
    Document document;
    document.known.insert(root.span.file);
    const YamlEntry* const entry = root.find("imports");
    if (entry != nullptr &&
        check_kind(entry->value, YamlNode::Kind::sequence, "'imports'", diagnostics, "write [other.yaml]")) {
      std::map<std::string, Span> places;
      for (const YamlNode& item : entry->value.items) {
        const std::optional<std::size_t> index = read_import(item, places);
        if (!index) {
          is_complete = false;
          continue;
        }
        const std::set<std::size_t>& known = documents[*index].known;
        document.known.insert(known.begin(), known.end());
      }
    }
    document.root = std::move(root);
    documents.push_back(std::move(document));
    return documents.size() - 1;
  }

  std::optional<std::size_t> read_import(const YamlNode& item, std::map<std::string, Span>& places) {
    if (!check_path(item)) return std::nullopt;
    const std::string name = beside(imports.back().name, item.text);
    if (name.empty()) return diagnostics.error(item.span, quoted(item.text) + " is outside the repository");
    const auto [first, is_new] = places.emplace(name, item.span);
    if (!is_new) {
      diagnostics.error(item.span, quoted(item.text) + " is imported twice", "remove one of the two",
                        {{first->second, "first imported here"}});
    }
    const auto found = documents_by_identity.find(files.identity(name));
    if (found == documents_by_identity.end()) return read_file_of(item, name);
    if (!found->second) report_cycle(item, name);
    return found->second;
  }

  std::optional<std::size_t> read_file_of(const YamlNode& item, const std::string& name) {
    if (diagnostics.files().size() == kMaxFiles)
      return diagnostics.error(item.span, "more than " + std::to_string(kMaxFiles) + " files in one schema");
    std::string text;
    try {
      text = files.read(name);
    } catch (const std::runtime_error& error) {
      return diagnostics.error(item.span, error.what(), "write a path relative to the folder of this file");
    }
    bytes += text.size();
    if (bytes > kMaxSchemaBytes)
      return diagnostics.error(
          item.span, "more than " + std::to_string(kMaxSchemaBytes) + " bytes in the files of one schema");
    Diagnostics imported(name, std::move(text));
    YamlNode root = parse_yaml(imported, diagnostics.files().size());
    if (const std::optional<Span> place = not_a_schema(imported, root)) {
      // The file may be private: a schema from elsewhere can name any file.
      return diagnostics.error(
          item.span, filled("'$' is not a schema: see line $, column $", name, place->line, place->column),
          "run 'schemagen check' on the file for its errors");
    }
    diagnostics.add_file(std::move(imported));
    const std::string file_identity = files.identity(name);
    documents_by_identity.emplace(file_identity, std::nullopt);
    imports.push_back({name, file_identity, item.span});
    const std::size_t index = add_document(std::move(root));
    imports.pop_back();
    documents_by_identity[file_identity] = index;
    return index;
  }

  /// Returns the first place that no schema has, if any.
  static std::optional<Span> not_a_schema(const Diagnostics& imported, const YamlNode& root) {
    if (imported.has_errors()) return imported.by_place().front()->span;
    if (root.kind != YamlNode::Kind::map) return root.span;
    if (root.find("version") != nullptr && root.find("types") != nullptr) return std::nullopt;
    const auto unknown = std::find_if(root.entries.begin(), root.entries.end(), [](const YamlEntry& entry) {
      return find_key(Part::schema, entry.key.text) == nullptr;
    });
    return unknown == root.entries.end() ? root.span : unknown->key.span;
  }

  /// Relative to `importer`; empty if the path leaves the repository.
  std::string beside(const std::string& importer, const std::string& path) const {
    const std::size_t prefix = files.prefix.size();
    const std::string from = importer.substr(prefix);
    const std::string name = normal_path(fs::path(from).parent_path() / path, is_from_here(from));
    // Git would resolve it relative to the current folder.
    const bool leaves = prefix != 0 && is_from_here(name) && !is_from_here(from);
    return leaves ? "" : files.prefix + name;
  }

  bool check_path(const YamlNode& item) {
    const std::optional<std::string> path = read_string(item, "an entry in 'imports'", diagnostics);
    if (!path) return false;
    const bool is_portable =
        !path->empty() && path->front() != '/' && path->find_first_of("\\:") == std::string::npos;
    if (is_portable && !find_control(*path)) return true;
    return diagnostics.refuse(item.span, "cannot import " + quoted(*path) + ": expected a relative path",
                              "write a path relative to the folder of this file, with '/' as the separator");
  }

  void report_cycle(const YamlNode& item, const std::string& name) {
    Diagnostic cycle;
    cycle.span = item.span;
    cycle.message = quoted(name) + " imports itself";
    std::size_t first = imports.size() - 1;
    const std::string wanted = files.identity(name);
    while (imports[first].identity != wanted) --first;
    for (std::size_t i = first + 1; i < imports.size(); ++i) {
      cycle.notes.push_back({imports[i].span, "through " + quoted(imports[i].name)});
    }
    cycle.hint =
        cycle.notes.empty() ? "remove it" : "move the types that both need to a file that both import";
    diagnostics.add(std::move(cycle));
  }

  std::vector<Document> documents{};
  std::map<std::string, std::optional<std::size_t>> documents_by_identity{};
  std::vector<Import> imports{};
  std::size_t bytes = diagnostics.text().size();
  bool is_complete = true;
};

}  // namespace

std::vector<Document> read_documents(Diagnostics& diagnostics, const SchemaFiles& files) {
  return ImportReader{diagnostics, files}.run();
}

}  // namespace generator
