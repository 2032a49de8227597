// There are no rules for what this language lacks: sets, JSON aliases, closed enums, enum members with equal
// numbers, empty unions, and limits. Only the runtime knows whether a new major version has an upgrader.
#include <algorithm>
#include <iterator>

#include "evolution/compat_checks.h"

namespace generator {
namespace {

using B = Bump;
using L = Level;
using T = TorchVerdict;

constexpr Verdict kYes = Verdict::yes;
constexpr Verdict kMay = Verdict::depends;
constexpr Verdict kNo = Verdict::no;

// How a rule walks to what its function checks. Without whole<>, it also checks the types inside a field that
// now refers to a different type.

template <auto kCheck>
void whole(const Scope& scope, Report& report) {
  if (scope.is_whole()) kCheck(scope, report);
}

template <auto kCheck>
void types(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    TypeCheck in(scope, report, *pair);
    kCheck(in);
  }
}

template <auto kItems, auto kCheck>
void items(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    TypeCheck in(scope, report, *pair);
    for (const auto& item : pair->*kItems) kCheck(in, item);
  }
}

constexpr auto kFields = &TypePair::fields;
constexpr auto kAdded = &TypePair::added;
constexpr auto kRemoved = &TypePair::removed;
constexpr auto kValues = &TypePair::values;
constexpr auto kAddedValues = &TypePair::added_values;
constexpr auto kRemovedValues = &TypePair::removed_values;

template <Change kChange>
void change(TypeCheck& in, const FieldPair& fields) {
  report_change(in, fields, kChange);
}

// Each rule: id, purpose; level; {new readers of old JSON, old readers of new JSON, the same for binary data,
// code}; the highest version it needs under the policies full and backward, see Report::limit_to_effects();
// PyTorch's verdict; why, example, fix; the walk with the check.
// clang-format off
constexpr Rule kRules[] = {

{"FIELD_ADDED_OPTIONAL", "An Optional field was added.",
 L::note, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
 "If a file lacks the field, readers use null. JSON writers write null; binary writers omit the field. By default, "
 "old readers reject unknown fields. With UnknownFields::skip_empty, which libpt2 uses for programs with a newer minor "
 "version, they skip the field if it is null and reject any other value. With UnknownFields::skip they always skip "
 "it, and with UnknownFields::keep they write it back unchanged. Code that initializes the struct by position breaks "
 "unless the field is last.",
 "   fields:\n     name: {id: 10, type: str}\n+    note: {id: 20, type: \"Optional[str]\", default: null}\n",
 "Raise the minor version. Add new fields at the end.",
 items<kAdded, field_added_optional>},

{"FIELD_ADDED_DEFAULTED", "A field with a default was added.",
 L::warning, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
 "If a file lacks the field, readers use the default. However, writers write every field, even if it has its "
 "default value, so every new file has the field, and by default old readers reject unknown fields. With "
 "UnknownFields::skip_empty, which libpt2 uses for programs with a newer minor version, they skip the field if it is "
 "empty ([], {}, \"\") and reject any other value, including 0 and false. With UnknownFields::skip they always skip "
 "it, and with UnknownFields::keep they write it back unchanged. Under the `backward` policy, which considers only "
 "new readers, this is a note.",
 "   fields:\n     name: {id: 10, type: str}\n+    tags: {id: 20, type: \"List[str]\", default: []}\n",
 "Raise the minor version. If old readers matter, make the field Optional with null as the default, or give it an "
 "empty default and have old readers skip empty fields.",
 items<kAdded, field_added_defaulted>},

{"FIELD_ADDED_REQUIRED", "A field without a default was added.",
 L::breaking, {kNo, kMay, kNo, kMay, kMay}, B::major, B::major, T::major,
 "Existing files lack the field, so new readers reject all of them.",
 "   fields:\n     name: {id: 10, type: str}\n+    size: {id: 20, type: int}\n",
 "Give the field a default, or make it Optional with null as the default.",
 items<kAdded, field_added_required>},

{"FIELD_REMOVED_OPTIONAL", "A field with a default was removed.",
 L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::minor, T::major,
 "Every old JSON file has the field, even if it is null; old binary files omit it only if it is null. New readers "
 "reject the field as unknown unless told to skip unknown fields, which loses the value. Old readers use the default "
 "when they read new files.",
 "   fields:\n     name: {id: 10, type: str}\n-    note: {id: 20, type: \"Optional[str]\", default: null}\n"
 "+  reserved: {ids: [20], names: [note]}\n",
 "Keep the field, with `deprecated: \"...\"`, until the next major version.",
 items<kRemoved, field_removed_optional>},

{"FIELD_REMOVED_REQUIRED", "A required field was removed.",
 L::breaking, {kMay, kNo, kMay, kNo, kNo}, B::major, B::minor, T::major,
 "Old readers require the field and reject every new file. New readers reject the field in old files unless told to "
 "skip unknown fields.",
 "   fields:\n     name: {id: 10, type: str}\n-    size: {id: 20, type: int}\n"
 "+  reserved: {ids: [20], names: [size]}\n",
 "Keep the field, with `deprecated: \"...\"`, until the next major version.",
 items<kRemoved, field_removed_required>},

{"FIELD_REMOVED_NOT_RESERVED", "A field or member was removed or renamed without reserving its id or name.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
 "Nothing breaks yet. However, files with the field still exist, and a field added later may take its id or name. "
 "Readers then silently mistake the old value for the new field's. For a renamed field, reserve only the name. If the "
 "major version changes, this is a warning, because readers reject files with a different major version.",
 "   fields:\n     name: {id: 10, type: str}\n-    note: {id: 20, type: str}\n",
 "Copy the line shown in the finding into the type, for example reserved: {ids: [20], names: [note]}",
 whole<types<field_removed_not_reserved>>},

{"FIELD_MOVED_INTO_UNION", "A field was moved into a union.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::unseen,
 "The value is now one level deeper in JSON and binary data, so old readers cannot find it in new files, and "
 "vice versa.",
 "-    name: {id: 10, type: str}\n+    value: {id: 20, type: Value}  # a union with `name: {id: 10, type: str}`\n",
 "Keep the field next to the union, with `deprecated: \"...\"`.",
 items<kRemoved, field_moved_into_union>},

{"UNION_MEMBER_ADDED", "A union member was added.",
 L::warning, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
 "Old readers reject files that use the new member, and read all others. A switch over the members lacks a case.",
 "   Value:\n     kind: union\n     fields:\n       as_int: {id: 10, type: int}\n+      as_str: {id: 20, type: str}\n",
 "Raise the minor version, and use the new member only where it is needed.",
 items<kAdded, union_member_added>},

{"UNION_MEMBER_REMOVED", "A union member was removed.",
 L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::major, T::major,
 "New readers reject files that use the member.",
 "   Value:\n     kind: union\n     fields:\n       as_int: {id: 10, type: int}\n-      as_str: {id: 20, type: str}\n",
 "Keep the member, with `deprecated: \"...\"`, until the next major version.",
 items<kRemoved, union_member_removed>},

{"FIELD_REORDERED", "Fields or members were reordered.",
 L::note, {kYes, kYes, kYes, kYes, kMay}, B::none, B::none, T::unseen,
 "Readers accept fields in any order. JSON output and the C++ struct follow the schema's order, so the JSON text "
 "changes and code that initializes the struct by position may break.",
 "-    name: {id: 10, type: str}\n     size: {id: 20, type: int}\n+    name: {id: 10, type: str}\n",
 "No action is needed.",
 whole<types<field_reordered>>},

{"FIELD_ID_CHANGED", "The id of a field or member changed.",
 L::breaking, {kYes, kYes, kNo, kNo, kYes}, B::major, B::major, T::unseen,
 "Binary data identifies fields only by id: readers see the old field as unknown and the new one as absent. Given a "
 "folder of releases, the check also finds fields that were removed and later added again with a different id.",
 "-    name: {id: 10, type: str}\n+    name: {id: 20, type: str}\n",
 "Restore the id.",
 types<field_id_changed>},

{"FIELD_ID_REUSED", "An id that once belonged to another field was reused.",
 L::error, {kYes, kYes, kNo, kNo, kYes}, B::major, B::major, T::unseen,
 "Binary data identifies fields only by id, so a reader mistakes the old field's bytes for the new field's. If the "
 "encodings differ, it rejects the bytes; if they match, it silently misreads the bytes. The check covers the old "
 "schema, its reservations and, given a folder of releases, earlier releases of the same major version. If the major "
 "version changes, this is breaking but not an error, because readers reject files with a different major version.",
 "-    path: {id: 20, type: str}\n+    guard: {id: 20, type: str}\n",
 "Use the unused id that the finding suggests.",
 types<field_id_reused>},

{"FIELD_NAME_REUSED", "A name that once belonged to another field was reused.",
 L::error, {kNo, kNo, kYes, kYes, kYes}, B::major, B::major, T::unseen,
 "JSON identifies fields only by name, so a reader mistakes the old field's value for the new field's. The check covers "
 "reserved names and earlier releases of the same major version. A field that is added again with its original type is "
 "not reported.",
 "   fields:\n+    note: {id: 30, type: int}\n-  reserved: {ids: [20], names: [note]}  # was a str\n",
 "Choose a name that has never been used.",
 whole<types<field_name_reused>>},

{"FIELD_RENAMED", "A field or member was renamed.",
 L::breaking, {kNo, kNo, kYes, kYes, kNo}, B::major, B::major, T::unseen,
 "JSON identifies fields only by name: old and new readers each see the other's name as an unknown field. Binary data "
 "is unaffected. A field counts as renamed if its id and type stay the same; PyTorch's checker sees one field removed "
 "and one added.",
 "-    name: {id: 10, type: str}\n+    title: {id: 10, type: str}\n",
 "Keep the name in the schema; `cpp_name: title` renames it in C++ only.",
 items<kFields, field_renamed>},

{"FIELD_TYPE_CHANGED", "The type of a field or member changed.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "Readers reject a value of the wrong type, or misread it if the binary encodings match.",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: str}\n",
 "Keep the field, and add a second one with the new type and a default.",
 items<kFields, change<Change::other>>},

{"INT_TO_DOUBLE", "An int became a float.",
 L::breaking, {kMay, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "New readers read JSON integers as floats, but round them above 2^53 (2^24 for a float32). Values of types with up to "
 "32 bits (16 for a float32) stay exact. Old readers reject `1.0` for an int. The binary encodings differ.",
 "-    scale: {id: 10, type: int}\n+    scale: {id: 10, type: float}\n",
 "Keep the field, and add a second one with the new type and a default.",
 items<kFields, change<Change::to_double>>},

{"NUMBER_WIDENED", "A number type was widened.",
 L::breaking, {kYes, kMay, kYes, kMay, kMay}, B::major, B::minor, T::error,
 "New readers read all old files. Old readers reject values outside the old range, except that they round floats in "
 "JSON. In binary data they reject every value if the new type has a larger encoding: int16 has a larger encoding than "
 "int8, but the same encoding as uint8. The same holds for Dict keys.",
 "-    count: {id: 10, type: uint8}\n+    count: {id: 10, type: uint16}\n",
 "Keep the type if old readers matter; under the `backward` policy, this is a minor change.",
 items<kFields, change<Change::widened>>},

{"NUMBER_NARROWED", "A number type was narrowed.",
 L::breaking, {kMay, kYes, kMay, kYes, kMay}, B::major, B::major, T::error,
 "New readers reject values outside the new range, except that they round floats in JSON. In binary data they reject "
 "every value if the old type has a larger encoding: int16 has a larger encoding than int8, but the same encoding as "
 "uint8.",
 "-    count: {id: 10, type: uint16}\n+    count: {id: 10, type: uint8}\n",
 "Keep the wider type.",
 items<kFields, change<Change::narrowed>>},

{"NUMBER_RANGE_CHANGED", "An integer type changed to one with an overlapping range.",
 L::breaking, {kMay, kMay, kMay, kMay, kMay}, B::major, B::major, T::error,
 "Each reader rejects values outside the range of its type. In binary data it rejects every value if the other type has "
 "a larger encoding. Binary data does not distinguish uint64 from int: readers of an int read numbers of 2^63 and above "
 "as negative numbers, and vice versa.",
 "-    offset: {id: 10, type: int}\n+    offset: {id: 10, type: uint64}\n",
 "Keep the field, and add a second one with the new type and a default.",
 items<kFields, change<Change::range_changed>>},

{"STRING_TO_BINARY", "A str became bytes.",
 L::breaking, {kNo, kNo, kYes, kMay, kNo}, B::major, B::major, T::error,
 "In JSON, bytes are base64, so readers reject old text or decode it to something else. The binary encodings match, "
 "but old readers reject bytes that are not UTF-8.",
 "-    data: {id: 10, type: str}\n+    data: {id: 10, type: bytes}\n",
 "Keep the field, and add a second one with the new type and a default.",
 items<kFields, change<Change::to_binary>>},

{"BINARY_TO_STRING", "Bytes became a str.",
 L::breaking, {kNo, kNo, kMay, kYes, kNo}, B::major, B::major, T::error,
 "In JSON, old bytes are read as their base64 text. The binary encodings match, but new readers reject bytes that are "
 "not UTF-8.",
 "-    data: {id: 10, type: bytes}\n+    data: {id: 10, type: str}\n",
 "Keep the field, and add a second one with the new type and a default.",
 items<kFields, change<Change::to_string>>},

{"ENUM_TO_INT", "An enum became an int.",
 L::breaking, {kYes, kMay, kYes, kNo, kNo}, B::major, B::major, T::error,
 "Binary data and, by default, JSON store an enum member as its number, which new readers accept. If JSON stores names "
 "instead, new readers reject the names. Old readers reject numbers that do not fit in 32 bits. In binary data they "
 "reject every int, because an int is an i64 and an enum an i32. An int32 has the same encodings as an enum whose "
 "members JSON stores as numbers, so that change is a note and needs no new version.",
 "-    layout: {id: 10, type: Layout}\n+    layout: {id: 10, type: int}\n",
 "Keep the enum: it is open, so it can hold any 32-bit number.",
 items<kFields, change<Change::enum_to_int>>},

{"INT_TO_ENUM", "An int became an enum.",
 L::breaking, {kMay, kYes, kNo, kYes, kNo}, B::major, B::major, T::error,
 "Binary data and, by default, JSON store an enum member as its number, which old readers accept. If JSON stores names "
 "instead, old readers reject the names. New readers reject numbers that do not fit in 32 bits. In binary data they "
 "reject every int, because an int is an i64 and an enum an i32. An int32 has the same encodings as an enum whose "
 "members JSON stores as numbers, so that change is a note and needs no new version.",
 "-    layout: {id: 10, type: int}\n+    layout: {id: 10, type: Layout}\n",
 "Keep the field, and add a second one with the new type and a default.",
 items<kFields, change<Change::int_to_enum>>},

{"TYPE_TO_ANY", "The type of a field became Any.",
 L::breaking, {kYes, kMay, kNo, kNo, kNo}, B::major, B::major, T::error,
 "Any accepts every JSON value, but old readers reject values of other types. In binary data Any is JSON text, which "
 "has a different encoding or, for a str, the same encoding with a different meaning.",
 "-    note: {id: 10, type: str}\n+    note: {id: 10, type: Any}\n",
 "Keep the field, and add a second one of type Any.",
 items<kFields, change<Change::to_any>>},

{"ANY_TO_TYPE", "The type of a field changed from Any to a specific type.",
 L::breaking, {kMay, kYes, kNo, kNo, kNo}, B::major, B::major, T::error,
 "New readers reject JSON values of other types. In binary data Any is JSON text, which has a different encoding or, "
 "for a str, the same encoding with a different meaning.",
 "-    note: {id: 10, type: Any}\n+    note: {id: 10, type: str}\n",
 "Keep the field, and add a second one with the new type and a default.",
 items<kFields, change<Change::from_any>>},

{"T_TO_LIST", "One value became a list of values.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "Neither JSON nor binary data stores a single value as a list of one.",
 "-    output: {id: 10, type: Argument}\n+    output: {id: 10, type: \"List[Argument]\"}\n",
 "Keep the field, and add a list with [] as its default.",
 items<kFields, change<Change::to_list>>},

{"TYPE_RETARGETED", "A field or member refers to another type of the same kind.",
 L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::major, T::error,
 "Files do not contain type names, so a field can refer to another type if nothing else differs. All other rules "
 "compare the two types, and the types that they refer to. The resulting findings are listed with paths, and this "
 "finding is as severe as the most severe of them.",
 "-    input: {id: 10, type: Tensor}\n+    input: {id: 10, type: TensorRef}\n",
 "Fix the listed findings, if there are any.",
 whole<items<kFields, type_retargeted>>},

{"REQUIRED_TO_OPTIONAL", "A required field became Optional.",
 L::breaking, {kYes, kMay, kYes, kMay, kNo}, B::major, B::minor, T::error,
 "New readers read all old files. Old readers read new files in which the field is set. They reject null in JSON, "
 "except in a field of type Any, and they reject binary data that omits the field.",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: \"Optional[int]\", default: null}\n",
 "Keep the type if old readers matter; under the `backward` policy, this is a minor change.",
 items<kFields, required_to_optional>},

{"OPTIONAL_TO_REQUIRED", "An Optional field became required.",
 L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::major, T::error,
 "New readers reject old files in which the field is null or absent. In JSON, a field of type Any accepts null.",
 "-    size: {id: 10, type: \"Optional[int]\", default: null}\n+    size: {id: 10, type: int}\n",
 "Keep the field Optional.",
 items<kFields, optional_to_required>},

{"REQUIRED_TO_DEFAULTED", "A required field gained a default.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::minor,
 "New readers no longer require the field, and writers still write every field, so old readers find it. (The JSON "
 "writer's option omit_null_defaults omits null fields whose default is null; old readers then reject the file.)",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: int, default: 0}\n",
 "Raise the minor version.",
 items<kFields, required_to_defaulted>},

{"DEFAULTED_TO_REQUIRED", "A field lost its default.",
 L::breaking, {kMay, kYes, kMay, kYes, kYes}, B::major, B::major, T::major,
 "New readers reject files that lack the field. Such files predate the field, or their writer omits defaults (torch up "
 "to 2.6 omits null).",
 "-    size: {id: 10, type: int, default: 0}\n+    size: {id: 10, type: int}\n",
 "Restore the default.",
 items<kFields, defaulted_to_required>},

{"OPTIONAL_TO_DEFAULTED", "An Optional field became a field with a default other than null.",
 L::breaking, {kMay, kMay, kMay, kMay, kNo}, B::major, B::major, T::error,
 "New readers reject null in JSON. Binary data omits null fields, which new readers read as the default. If the writer "
 "omits defaults, old readers read null.",
 "-    size: {id: 10, type: \"Optional[int]\", default: null}\n+    size: {id: 10, type: int, default: 0}\n",
 "Keep the field Optional.",
 items<kFields, optional_to_defaulted>},

{"DEFAULTED_TO_OPTIONAL", "A field with a default became Optional.",
 L::breaking, {kMay, kMay, kMay, kMay, kNo}, B::major, B::minor, T::error,
 "Old readers reject null in JSON, and in binary data read the default instead. New readers read null, instead of the "
 "default, from files that lack the field.",
 "-    size: {id: 10, type: int, default: 0}\n+    size: {id: 10, type: \"Optional[int]\", default: null}\n",
 "Keep the type.",
 items<kFields, defaulted_to_optional>},

{"DEFAULT_CHANGED", "A default changed.",
 L::breaking, {kMay, kMay, kMay, kMay, kMay}, B::major, B::major, T::unseen,
 "A file that lacks the field, because it predates the field or its writer omits defaults, is silently read with a "
 "different value.",
 "-    persistent: {id: 10, type: bool, default: true}\n+    persistent: {id: 10, type: bool, default: false}\n",
 "Restore the default, and have writers set the other value explicitly.",
 items<kFields, default_changed>},

{"ENUM_VALUE_ADDED", "An enum member was added.",
 L::note, {kYes, kYes, kYes, kYes, kMay}, B::minor, B::minor, T::minor,
 "Enums are open: old readers keep the number, though they have no name for it. If JSON stores names, old readers "
 "reject files that use the member, so this is a warning. A switch over the members lacks a case.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Strided: 1, Sparse: 2}\n",
 "Raise the minor version.",
 items<kAddedValues, enum_value_added>},

{"ENUM_VALUE_REMOVED", "An enum member was removed.",
 L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::major, T::major,
 "Enums are open, so new readers keep the number from old files, but its meaning is lost. If JSON stores names, new "
 "readers reject files that use the member.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0}\n+  reserved: {ids: [1], names: [Strided]}\n",
 "Keep the member.",
 items<kRemovedValues, enum_value_removed>},

{"ENUM_VALUE_REMOVED_NOT_RESERVED", "An enum member was removed without reserving its number.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
 "Nothing breaks yet. However, a member added later may take its number, which would change the meaning of existing "
 "files. If the major version changes, this is a warning, because readers reject files with a different major version.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0}\n",
 "Copy the line shown in the finding into the enum, for example reserved: {ids: [1]}",
 whole<types<enum_value_removed_not_reserved>>},

{"ENUM_VALUE_RENAMED", "An enum member was renamed.",
 L::warning, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Files store only the number, so they are unaffected if the member keeps its meaning. Otherwise the meaning of the "
 "number changes in every existing file. If JSON stores names, ENUM_JSON_NAME_CHANGED applies. PyTorch's checker sees "
 "one member removed and one added.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Dense: 1}\n",
 "No action is needed if the meaning is the same; otherwise choose a number that has never been used.",
 items<kValues, enum_value_renamed>},

{"ENUM_JSON_NAME_CHANGED", "A member was renamed in an enum that JSON stores by name.",
 L::breaking, {kNo, kNo, kYes, kYes, kNo}, B::major, B::major, T::unseen,
 "Old and new readers each reject the other's name as unknown. Binary data stores the number.",
 "   json: name\n-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Dense: 1}\n",
 "Restore the name, or raise the major version.",
 items<kValues, enum_json_name_changed>},

{"ENUM_JSON_TO_NAMES", "JSON now stores the members of an enum by name.",
 L::breaking, {kYes, kNo, kYes, kYes, kYes}, B::major, B::minor, T::unseen,
 "New readers also accept numbers, but old readers reject names. Binary data stores the number in both cases. Under "
 "the `backward` policy, which considers only new readers, this is a warning.",
 "   kind: enum\n+  json: name\n",
 "Raise the major version, or add another enum for new fields.",
 types<enum_json_to_names>},

{"ENUM_JSON_TO_NUMBERS", "JSON now stores the members of an enum by number.",
 L::breaking, {kNo, kYes, kYes, kYes, kYes}, B::major, B::major, T::unseen,
 "New readers reject the names in old files. Old readers accept numbers. Binary data stores the number in both cases.",
 "   kind: enum\n-  json: name\n",
 "Keep the names.",
 types<enum_json_to_numbers>},

{"ENUM_VALUE_RENUMBERED", "The number of an enum member changed.",
 L::breaking, {kNo, kNo, kNo, kNo, kYes}, B::major, B::major, T::error,
 "Old readers silently read the new number as a different member, or as an unknown number if no member has it, and the "
 "same happens when new readers read the old number. JSON that stores names is unaffected; binary data stores numbers.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Strided: 2}\n",
 "Restore the number.",
 items<kValues, enum_value_renumbered>},

{"ENUM_NUMBER_REUSED", "A number that once belonged to another enum member was reused.",
 L::error, {kNo, kNo, kNo, kNo, kYes}, B::major, B::major, T::unseen,
 "Files store only the number, which stands for the earlier member in existing files. The check covers reservations "
 "and, given a folder of releases, earlier releases of the same major version.",
 "   fields:\n     Unknown: 0\n+    Dense: 1\n-  reserved: {ids: [1], names: [Strided]}\n",
 "Use the unused number that the finding suggests.",
 whole<items<kAddedValues, enum_number_reused>>},

{"TYPE_ADDED", "A type was added.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::minor,
 "Only fields that refer to the type affect files; they are reported separately.",
 "+  Complex:\n+    kind: struct\n+    fields: {real: {id: 10, type: float}, imag: {id: 20, type: float}}\n",
 "Raise the minor version.",
 whole<type_added>},

{"TYPE_REMOVED", "A type was removed.",
 L::warning, {kYes, kYes, kYes, kYes, kNo}, B::minor, B::minor, T::minor,
 "Nothing refers to the type any more. Fields that referred to it, and a removed root, are reported separately. Code "
 "that uses the type no longer compiles.",
 "-  Program:\n-    kind: struct\n-    fields: {methods: {id: 10, type: \"Dict[str, Graph]\"}}\n",
 "If no code needs the type, raise the minor version.",
 whole<type_removed>},

{"TYPE_RENAMED", "A type was renamed.",
 L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Files do not contain type names, except that binary files contain the root's name; see ROOT_RENAMED. A type "
 "counts as renamed if it has the same kind, keeps at least half of its members, and either is used in the same "
 "places or has the same encoding. Other differences are reported separately. Code that uses the name no longer "
 "compiles.",
 "-  ConstantInputSpec:\n+  InputToConstantInputSpec:\n",
 "No action is needed for files.",
 whole<types<type_renamed>>},

{"KIND_CHANGED", "The kind of a type changed.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "In JSON, a union is an object with one key, and an enum is a number. In binary data, structs and unions have the "
 "same encoding, but a union has exactly one field.",
 "   Value:\n-    kind: struct\n+    kind: union\n",
 "Keep the type, and give the new one a different name.",
 types<kind_changed>},

{"RECURSION_INTRODUCED", "A type became recursive.",
 L::note, {kYes, kYes, kYes, kYes, kMay}, B::none, B::none, T::unseen,
 "Values can be nested as deeply as the reader's limit allows. A boxed member behaves like a pointer in code.",
 "   Graph:\n     fields:\n+      inner: {id: 20, type: \"Optional[Graph]\", default: null, boxed: true}\n",
 "Make sure that code that walks over values can handle the depth.",
 whole<recursion_introduced>},

{"RESERVED_REMOVED", "A reservation was removed.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
 "Files that use the id or name with its old meaning still exist. A separate rule reports an id or name that is "
 "reused. If the major version changes, this is a warning, because readers reject files with a different major version.",
 "-  reserved: {ids: [20, 30], names: [note]}\n+  reserved: {ids: [30]}\n",
 "Copy the line shown in the finding into the type.",
 whole<types<reserved_removed>>},

{"ROOT_ADDED", "A root was added.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::unseen,
 "Old readers cannot read files with the new root, but no such files exist yet.",
 "-roots: [Program]\n+roots: [Program, Weights]\n",
 "Raise the minor version.",
 whole<root_added>},

{"ROOT_REMOVED", "A root was removed.",
 L::breaking, {kNo, kYes, kNo, kYes, kNo}, B::major, B::major, T::unseen,
 "Files with this root can no longer be read. If the schema lists no roots, all types that no other type refers to are "
 "roots.",
 "-roots: [Program, Weights]\n+roots: [Program]\n",
 "Keep the root. If no such files exist, you can allow the finding in the schema and give that as the reason.",
 whole<root_removed>},

{"ROOT_RENAMED", "A root was renamed.",
 L::breaking, {kYes, kYes, kNo, kNo, kNo}, B::major, B::major, T::unseen,
 "Binary files name their root, and readers reject an unknown root. JSON does not contain the name.",
 "-roots: [Program]\n+roots: [ExportedProgram]\n",
 "Keep the name.",
 whole<root_renamed>},

{"SCHEMA_RENAMED", "The schema was renamed.",
 L::breaking, {kYes, kYes, kNo, kNo, kNo}, B::major, B::major, T::unseen,
 "Binary files name their schema, and readers reject files of a different schema, regardless of the version. Bare "
 "payloads and JSON do not contain the name. The name is also the default namespace of the generated code.",
 "-name: notes\n+name: notebook\n",
 "Keep the name.",
 whole<schema_renamed>},

{"CONSTANT_ADDED", "A constant was added.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "Constants are only for code; files do not contain them.",
 "+constants: {TREESPEC_VERSION: 1}\n",
 "No action is needed.",
 whole<constant_added>},

{"CONSTANT_REMOVED", "A constant was removed.",
 L::warning, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Constants are only for code; files do not contain them. Code that uses the constant no longer compiles.",
 "-constants: {TREESPEC_VERSION: 1}\n",
 "No action is needed if no code uses the constant.",
 whole<constant_removed>},

{"CONSTANT_CHANGED", "The value of a constant changed.",
 L::warning, {kMay, kMay, kMay, kMay, kYes}, B::minor, B::minor, T::unseen,
 "Files do not contain constants, but a constant may determine how to interpret them, as TREESPEC_VERSION does.",
 "-constants: {TREESPEC_VERSION: 1}\n+constants: {TREESPEC_VERSION: 2}\n",
 "Raise the minor version, or the major version if readers cannot interpret files that use the other value.",
 whole<constant_changed>},

{"DOC_CHANGED", "`doc` or `since` changed.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "Only comments change.",
 "-    doc: Where it lives.\n+    doc: Where a tensor lives.\n",
 "No action is needed.",
 whole<types<doc_changed>>},

{"DEPRECATED_CHANGED", "`deprecated` changed.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "Only comments change: a deprecated field works as before.",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: int, deprecated: use shape}\n",
 "No action is needed.",
 whole<types<deprecated_changed>>},

{"CPP_ATTRIBUTE_CHANGED", "`boxed`, `cpp_name` or `states_version` changed.",
 L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Files stay the same. Code that uses the member must change.",
 "-    graph: {id: 10, type: Graph}\n+    graph: {id: 10, type: Graph, boxed: true}\n",
 "No action is needed for files.",
 whole<types<cpp_attribute_changed>>},

{"SUPPRESSION_UNUSED", "An entry in `allow` matches no finding.",
 L::warning, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "An unused entry would hide the next finding of its rule.",
 "   name: {id: 10, type: str, allow: [{rule: FIELD_ID_CHANGED, reason: never written}]}\n",
 "Remove the entry once the baseline contains the change. Put an entry where its finding belongs: on the "
 "field, on the type of a removed field or enum member, or on the schema for a removed type.",
 whole<suppression_unused>},

{"VERSION_NOT_BUMPED", "The version is too low for the changes.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
 "Readers use the version to decide whether they can read a file. Breaking changes require a new major version, "
 "and additions a new minor version.",
 " version: {major: 1, minor: 4}\n+    new_field: {id: 30, type: int, default: 0}\n",
 "Use the version that the finding suggests.",
 whole<version_not_bumped>},

{"VERSION_DOWNGRADED", "The version went down.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
 "Two schemas would share a version, and readers could not tell their files apart.",
 "-version: {major: 1, minor: 4}\n+version: {major: 1, minor: 3}\n",
 "Use the version that the finding suggests.",
 whole<version_downgraded>},

{"VERSION_SKIPPED", "Version numbers were skipped.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
 "A gap is harmless, but someone may look for the missing versions. A skipped major version is a warning. PyTorch's "
 "checker accepts only the next number.",
 "-version: {major: 1, minor: 4}\n+version: {major: 3, minor: 0}\n",
 "Use the next number, unless the versions in between were published elsewhere.",
 whole<version_skipped>},
};
// clang-format on

}  // namespace

RuleTable rules() {
  return {std::begin(kRules), std::size(kRules)};
}

const Rule* find_rule(std::string_view id) {
  const auto found =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& rule) { return rule.id == id; });
  return found == std::end(kRules) ? nullptr : found;
}

Names rule_ids() {
  Names ids;
  for (const Rule& rule : kRules) ids.push_back(rule.id);
  return ids;
}

bool is_about_version(const Rule& rule) {
  return rule.torch == TorchVerdict::wrong_version;
}

}  // namespace generator
