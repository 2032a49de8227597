#include "import/import.h"

#include <algorithm>
#include <map>
#include <set>

#include "text/message.h"

namespace generator {
namespace {

const ImportedDefinition* held(const ImportedSchema& schema, const ImportedField& field) {
  const ImportedType& type = field.type.head == "Optional" ? field.type.args.front() : field.type;
  const ImportedDefinition* const inner = find_named(schema.types, type.head);
  return inner != nullptr && inner->kind != DefinitionKind::enumeration ? inner : nullptr;
}

using References = std::map<std::string, std::set<std::string>, std::less<>>;

References references(const ImportedSchema& schema) {
  References all;
  for (const ImportedDefinition& type : schema.types) {
    std::vector<std::string> heads;
    for (const ImportedField& field : type.fields) add_heads(field.type, heads);
    all[type.name].insert(heads.begin(), heads.end());
  }
  return all;
}

bool can_contain(const References& references, const std::string& from, const std::string& to) {
  std::set<std::string> found;
  std::vector<std::string> waiting = {from};
  while (!waiting.empty()) {
    const auto type = references.find(waiting.back());
    waiting.pop_back();
    if (type == references.end() || !found.insert(type->first).second) continue;
    waiting.insert(waiting.end(), type->second.begin(), type->second.end());
  }
  return found.count(to) != 0;
}

/// In declaration order: boxes members that close a cycle. `around` has the types around this one.
void cut_cycles(ImportedSchema& schema, const std::string& name, std::set<std::string>& around,
                std::set<std::string>& finished) {
  if (!finished.insert(name).second) return;
  around.insert(name);
  for (ImportedField& field : find_named(schema.types, name)->fields) {
    const ImportedDefinition* const inner = field.is_boxed ? nullptr : held(schema, field);
    if (inner == nullptr) continue;
    field.is_boxed = around.count(inner->name) != 0;
    if (!field.is_boxed) cut_cycles(schema, inner->name, around, finished);
  }
  around.erase(name);
}

std::string box(ImportedSchema& schema, const std::string& request) {
  const std::size_t dot = std::min(request.find('.'), request.size());
  ImportedDefinition* const owner = find_named(schema.types, request.substr(0, dot));
  const std::string name = dot == request.size() ? "" : request.substr(dot + 1);
  for (std::size_t i = 0; owner != nullptr && i < owner->fields.size(); ++i) {
    ImportedField& field = owner->fields[i];
    if (field.name != name) continue;
    field.is_boxed = held(schema, field) != nullptr;
    return field.is_boxed ? ""
                          : "--box " + request + ": only a member that is a struct or union can be boxed";
  }
  return "--box " + request + ": no such field; write TYPE.FIELD";
}

}  // namespace

std::string choose_boxes(ImportedSchema& schema, const std::vector<std::string>& requested) {
  for (const std::string& request : requested) {
    std::string fault = box(schema, request);
    if (!fault.empty()) return fault;
  }
  const References all = references(schema);
  for (ImportedDefinition& type : schema.types) {
    for (ImportedField& field : type.fields) {
      const ImportedDefinition* const inner = held(schema, field);
      const bool is_recursive =
          inner != nullptr && field.type.is_quoted && can_contain(all, inner->name, type.name);
      field.is_boxed = inner != nullptr && (field.is_boxed || is_recursive);
    }
  }
  std::set<std::string> around;
  std::set<std::string> finished;
  for (const ImportedDefinition& type : schema.types) cut_cycles(schema, type.name, around, finished);
  return "";
}

std::string choose_roots(ImportedSchema& schema, const std::vector<std::string>& requested) {
  for (const std::string& name : requested) {
    if (find_named(schema.types, name) == nullptr) return "--root " + name + ": no such type";
  }
  const References all = references(schema);
  for (const ImportedDefinition& type : schema.types) {
    const bool is_named = contains(requested, type.name);
    const bool is_referred = std::any_of(all.begin(), all.end(), [&](const auto& one) {
      return one.first != type.name && one.second.count(type.name) != 0;
    });
    const bool is_struct = type.kind == DefinitionKind::structure;
    if (is_named || (is_struct && !is_referred)) schema.roots.push_back(type.name);
  }
  return "";
}

}  // namespace generator
