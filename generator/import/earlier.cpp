#include "import/import.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "text/message.h"

namespace generator {
namespace {

constexpr std::int64_t kStep = 10;  // leaves room for fields in between

std::int64_t largest_id(const Definition& type) {
  std::int64_t largest = 0;
  for (const Field& field : type.fields) largest = std::max<std::int64_t>(largest, field.id);
  for (const std::int32_t id : type.reserved.ids) largest = std::max<std::int64_t>(largest, id);
  return largest;
}

void take_id(ImportedField& field, const std::string& owner, const std::vector<Model>& older) {
  for (const Model& model : older) {
    const Definition* const type = find_named(model.types, owner);
    const Field* const same = type == nullptr ? nullptr : find_named(type->fields, field.name);
    if (same == nullptr) continue;
    field.id = std::to_string(same->id);
    return;
  }
}

void assign_ids(ImportedDefinition& definition, const std::vector<Model>& older) {
  std::int64_t largest = 0;
  for (const ImportedField& field : definition.fields)
    largest = std::max<std::int64_t>(largest, std::strtoll(field.id.c_str(), nullptr, 10));
  for (const Model& model : older) {
    if (const Definition* const type = find_named(model.types, definition.name))
      largest = std::max(largest, largest_id(*type));
  }
  for (ImportedField& field : definition.fields) {
    if (!field.id.empty()) continue;
    largest = (largest / kStep + 1) * kStep;
    field.id = std::to_string(largest);
  }
}

bool has_id(const ImportedField& field) {
  return !field.id.empty();
}

void take_field_docs(ImportedField& field, const Field& older) {
  if (!older.doc.empty()) field.doc = older.doc;
  if (!older.since.empty()) field.since = older.since;
  if (!older.deprecated.empty()) field.deprecated = older.deprecated;
  if (older.cpp_name) field.cpp_name = *older.cpp_name;
  field.states_version = field.states_version || older.states_version;
  field.is_boxed = field.is_boxed || older.boxed;
}

void take_type_docs(ImportedDefinition& definition, const Definition& older) {
  if (!older.doc.empty()) definition.doc = older.doc;
  if (older.cpp_name) definition.cpp_name = *older.cpp_name;
  if (definition.kind == DefinitionKind::enumeration)
    definition.is_named_in_json = definition.is_named_in_json || older.is_named_in_json;
  for (ImportedField& field : definition.fields) {
    if (const Field* const same = find_named(older.fields, field.name)) take_field_docs(field, *same);
  }
}

void reserve_in(ImportedDefinition& definition, const Definition& older) {
  std::set<std::string> ids;
  std::set<std::string> names(definition.reserved_names.begin(), definition.reserved_names.end());
  const auto take = [&](const std::string& id, const std::string& name) {
    ids.insert(id);
    names.insert(name);
  };
  for (const ImportedField& field : definition.fields) take(field.id, field.name);
  for (const ImportedNumber& value : definition.values) take(value.number, value.name);
  for (const std::int32_t id : definition.reserved_ids) ids.insert(std::to_string(id));
  const auto reserve_id = [&](std::int32_t id) {
    if (ids.insert(std::to_string(id)).second) definition.reserved_ids.push_back(id);
  };
  const auto reserve_name = [&](const std::string& name) {
    if (names.insert(name).second) definition.reserved_names.push_back(name);
  };
  for (const Field& member : older.members()) {
    reserve_id(member.id);
    reserve_name(member.name);
  }
  for (const std::int32_t id : older.reserved.ids) reserve_id(id);
  for (const std::string& name : older.reserved.names) reserve_name(name);
  std::sort(definition.reserved_names.begin(), definition.reserved_names.end());
}

}  // namespace

void number_fields(ImportedSchema& schema, const std::vector<Model>& older, bool assigns,
                   Diagnostics& diagnostics) {
  for (ImportedDefinition& definition : schema.types) {
    const bool has_some = std::any_of(definition.fields.begin(), definition.fields.end(), has_id);
    for (ImportedField& field : definition.fields) {
      if (!has_id(field)) take_id(field, definition.name, older);
    }
    // If the source numbers some fields, a missing number is a mistake.
    if (assigns && !has_some) assign_ids(definition, older);
    for (const ImportedField& field : definition.fields) {
      if (has_id(field)) continue;
      diagnostics.error(
          field.span, label_of(field.name, definition.name) + " has no id",
          has_some
              ? "write Annotated[T, id]"
              : "--reserve-from OLD takes the ids of an older schema, and --assign-ids numbers new fields");
      if (!has_some) return;
    }
  }
}

void take_docs(ImportedSchema& schema, const std::vector<Model>& older) {
  // In reverse, so that earlier ones win.
  for (auto model = older.rbegin(); model != older.rend(); ++model) {
    for (ImportedDefinition& definition : schema.types) {
      if (const Definition* const type = find_named(model->types, definition.name))
        take_type_docs(definition, *type);
    }
  }
}

void reserve(ImportedSchema& schema, const Model& older) {
  for (ImportedDefinition& definition : schema.types) {
    const Definition* const type = find_named(older.types, definition.name);
    const bool is_enum = definition.kind == DefinitionKind::enumeration;
    if (type != nullptr && is_enum == type->is_enum()) reserve_in(definition, *type);
  }
}

}  // namespace generator
