#include "front/keys.h"

namespace generator {
namespace {

// As JSON Schema; language_schema() has the definitions.
constexpr std::string_view kName = R"({"$ref": "#/definitions/name"})";
constexpr std::string_view kText = R"({"$ref": "#/definitions/text"})";
constexpr std::string_view kSentence = R"({"minLength": 1, "allOf": [{"$ref": "#/definitions/text"}]})";
constexpr std::string_view kBool = R"({"type": "boolean"})";
constexpr std::string_view kCount = R"({"type": "integer", "minimum": 0, "maximum": 2147483647})";
constexpr std::string_view kAllowances = R"({"type": "array", "items": {"$ref": "#/definitions/allowance"}})";

constexpr std::string_view kVersionExample = "version: {major: 1, minor: 0}";

constexpr Key kKeys[] = {
    {Part::schema, "name", Part::names, true, "", "Name of the schema, and the default C++ namespace.", kName,
     "name: and the name of the schema"},
    {Part::schema, "version", Part::version, true, "",
     "The version that `diff` and `bump` check; readers reject files with a different major version.",
     R"({"$ref": "#/definitions/version"})", kVersionExample},
    {Part::schema, "imports", Part::other, false, "[]",
     "Schemas whose types and constants become part of this one, as paths relative to this file.",
     R"({"type": "array", "items": {"type": "string", "pattern": "^[^/\\\\:][^\\\\:]*$"}, "uniqueItems": true})"},
    {Part::schema, "constants", Part::numbers, false, "{}", "Named 64-bit integers.",
     R"({"type": "object", "propertyNames": {"$ref": "#/definitions/name"}, "additionalProperties": {"$ref": "#/definitions/int"}})"},
    {Part::schema, "roots", Part::names, false, "[]", "Types that a file can hold as a whole.",
     R"({"type": "array", "items": {"$ref": "#/definitions/type_name"}, "uniqueItems": true})"},
    {Part::schema, "types", Part::types, true, "",
     "The types by name, in the order of their C++ declarations.",
     R"({"type": "object", "propertyNames": {"$ref": "#/definitions/type_name"}, "additionalProperties": {"$ref": "#/definitions/type"}})",
     "types: and below it each type as Name: {kind: struct, fields: {}}"},
    {Part::schema, "allow", Part::other, false, "",
     "Accepted findings of `schemagen diff` about the version, roots, constants and removed types.",
     kAllowances},
    {Part::version, "major", Part::numbers, true, "", "Increases with changes that break old or new readers.",
     kCount, kVersionExample},
    {Part::version, "minor", Part::numbers, true, "", "Increases with additions.", kCount, kVersionExample},
    {Part::type, "kind", Part::names, true, "",
     "`struct`: all fields are present; `union`: exactly one member is set; `enum`: named numbers.",
     R"({"enum": ["struct", "union", "enum"]})", "kind: struct, kind: union or kind: enum"},
    {Part::type, "json", Part::names, false, "",
     "How JSON stores the members of an enum: by `name` or by `number`.",
     R"({"enum": ["number", "name"], "default": "number"})"},
    {Part::type, "cpp_name", Part::other, false, "", "The type's name in C++, if it must differ.", kName},
    {Part::type, "doc", Part::other, false, "\"\"", "Documentation; becomes a comment in the code.", kText},
    {Part::type, "fields", Part::fields, true, "",
     "The fields or members by name, in the order of JSON keys; for an enum, NAME: number.",
     R"({"type": "object", "propertyNames": {"$ref": "#/definitions/name"}})",
     "fields: {name: {id: 10, type: str}}, or for an enum fields: {NAME: 0}"},
    {Part::type, "reserved", Part::reserved, false, "{}", "Ids and names that must never be used again.",
     R"({"$ref": "#/definitions/reserved"})"},
    {Part::type, "allow", Part::other, false, "",
     "Accepted findings of `schemagen diff` about the type, enum members and removed fields.", kAllowances},
    // Required, but checked together with the other ids.
    {Part::field, "id", Part::numbers, false, "",
     "Id of the field in binary files, never reused for another field; steps of ten leave room.",
     R"({"type": "integer", "minimum": 1, "maximum": 32767})"},
    {Part::field, "type", Part::field_type, true, "",
     "A built-in type, List[T], Dict[K, T], Optional[T] or a type of the schema; in quotes if it has "
     "brackets.",
     R"({"$ref": "#/definitions/type_expression"})"},
    {Part::field, "default", Part::default_value, false, "",
     "Value of the field if a file lacks it; a field without a default is required. For a struct, the fields "
     "that differ from their own defaults; for a union, {member: value}.",
     R"({"type": ["null", "boolean", "number", "string", "array", "object"]})"},
    {Part::field, "boxed", Part::names, false, "false",
     "Stores the value on the heap, to allow recursion or keep a type small.", kBool},
    {Part::field, "states_version", Part::names, false, "false",
     "In JSON, this field of a root contains the schema version of the file.", kBool},
    {Part::field, "since", Part::other, false, "", "First version with this field, e.g. \"1.4\".",
     R"({"type": ["string", "number"], "pattern": "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$"})"},
    {Part::field, "deprecated", Part::other, false, "",
     "Why the field should no longer be used, and what to use instead.", kSentence},
    {Part::field, "cpp_name", Part::other, false, "", "The field's name in C++, if it must differ.", kName},
    {Part::field, "doc", Part::other, false, "\"\"", "Documentation; becomes a comment in the code.", kText},
    {Part::field, "allow", Part::other, false, "", "Accepted findings of `schemagen diff` about the field.",
     kAllowances},
    {Part::reserved, "ids", Part::ids, false, "[]",
     "Ids of removed fields, or numbers of removed enum members.",
     R"({"type": "array", "items": {"$ref": "#/definitions/number"}, "uniqueItems": true})"},
    {Part::reserved, "names", Part::names, false, "[]", "Names of removed fields or members.",
     R"({"type": "array", "items": {"$ref": "#/definitions/name"}, "uniqueItems": true})"},
    {Part::allowance, "rule", Part::other, true, "", "Id of a rule; see `schemagen rules`.",
     R"({"$ref": "#/definitions/rule"})"},
    {Part::allowance, "reason", Part::other, true, "", "Why the change is harmless.", kSentence},
};

}  // namespace

const Key* find_key(Part owner, std::string_view name) {
  const Key* const found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const Key& key) {
    return key.owner == owner && key.name == name;
  });
  return found == std::end(kKeys) ? nullptr : found;
}

std::size_t rank(const Key& key) {
  return static_cast<std::size_t>(&key - kKeys);
}

std::vector<const Key*> keys_of(Part owner) {
  std::vector<const Key*> keys;
  for (const Key& key : kKeys) {
    if (key.owner == owner) keys.push_back(&key);
  }
  return keys;
}

Names key_names(Part owner, bool only_required) {
  Names names;
  for (const Key* const key : keys_of(owner)) {
    if (key->is_required || !only_required) names.push_back(key->name);
  }
  return names;
}

}  // namespace generator
