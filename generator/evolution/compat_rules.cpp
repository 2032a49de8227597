// The table of rules: the whole policy on one page. compat_*.cpp have the functions.
//
// Left out of what schema compilers usually check is what the language has not: sets, JSON names and aliases,
// closed enums, members of an enum with one number, empty unions, and limits. Whether there is an upgrader
// for a new major version is known to the runtime only.
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

// Of each rule: id, purpose; level; new readers of old JSON, old readers of new JSON, the same two of binary
// data, code; the version it needs by the policies full and backward; PyTorch's verdict; why, example, fix.
// clang-format off
constexpr Rule kRules[] = {

// ---- fields and members: which there are -----------------------------------------------------------------

{"FIELD_ADDED_OPTIONAL", "A field is new, and null where a file lacks it.",
 L::note, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
 "Files without the field are read, and it is null. JSON writers write the null, binary ones leave it out. Old readers "
 "refuse every field that they do not know, unless they are told otherwise: with UnknownFields::skip_empty, which libpt2 "
 "takes for programs of a newer minor version, they skip it while it is null and refuse any other value; with "
 "UnknownFields::skip they skip it always, and with UnknownFields::keep they write it back as it was. Code that "
 "initialises the struct by position breaks if the field is not the last.",
 "   fields:\n     name: {id: 10, type: str}\n+    note: {id: 20, type: \"Optional[str]\", default: null}\n",
 "Nothing: raise the minor version. New fields belong at the end.",
 field_added_optional},

{"FIELD_ADDED_DEFAULTED", "A field is new, and has a default where a file lacks it.",
 L::warning, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
 "Files without the field are read, and it has its default. But writers write every field, also where it has its "
 "default, so old readers meet it in every new file, and refuse every field that they do not know, unless they are told "
 "otherwise: with UnknownFields::skip_empty, which libpt2 takes for programs of a newer minor version, they skip it while "
 "it is empty ([], {}, \"\") and refuse any other value, 0 and false included; with UnknownFields::skip they skip it "
 "always, and with UnknownFields::keep they write it back as it was. By the policy `backward`, which asks for new "
 "readers only, it is a note.",
 "   fields:\n     name: {id: 10, type: str}\n+    tags: {id: 20, type: \"List[str]\", default: []}\n",
 "Raise the minor version. Where old readers matter, make the field Optional with null as the default, or give it a "
 "default that is empty, and let them skip what is empty.",
 field_added_defaulted},

{"FIELD_ADDED_REQUIRED", "A field is new, and has no default.",
 L::breaking, {kNo, kMay, kNo, kMay, kMay}, B::major, B::major, T::major,
 "Files that exist do not have the field, and a reader cannot make up its value, so it refuses all of them.",
 "   fields:\n     name: {id: 10, type: str}\n+    size: {id: 20, type: int}\n",
 "Give the field a default, or make it Optional with null as the default.",
 field_added_required},

{"FIELD_REMOVED_OPTIONAL", "A field with a default is gone.",
 L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::minor, T::major,
 "Every JSON file has the field, if only as null, and binary files have it where it is set: to new readers it is an "
 "unknown field, which they refuse unless they are told to skip it. What it said is lost. Old readers take its "
 "default.",
 "   fields:\n     name: {id: 10, type: str}\n-    note: {id: 20, type: \"Optional[str]\", default: null}\n"
 "+  reserved: {ids: [20], names: [note]}\n",
 "Keep the field, with `deprecated: \"...\"`, until the next major version.",
 field_removed_optional},

{"FIELD_REMOVED_REQUIRED", "A required field is gone.",
 L::breaking, {kMay, kNo, kMay, kNo, kNo}, B::major, B::minor, T::major,
 "Old readers need the field and refuse every new file. New readers refuse the field in old files unless they are "
 "told to skip what they do not know.",
 "   fields:\n     name: {id: 10, type: str}\n-    size: {id: 20, type: int}\n"
 "+  reserved: {ids: [20], names: [size]}\n",
 "Keep the field, with `deprecated: \"...\"`, until the next major version.",
 field_removed_required},

{"FIELD_REMOVED_NOT_RESERVED", "A field or member is gone or renamed, and its id or name is not reserved.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
 "Nothing breaks yet. But files with the field are still there, and the next person to add a field may take its id "
 "or its name: then the old value is read as the new field's, without any error. Of a field that is renamed, only the "
 "name is to be reserved. Across a major version this is a "
 "warning, as readers refuse files of another major version.",
 "   fields:\n     name: {id: 10, type: str}\n-    note: {id: 20, type: str}\n",
 "Add the line that the finding gives to the type: reserved: {ids: [20], names: [note]}",
 field_removed_not_reserved},

{"FIELD_MOVED_INTO_UNION", "A field became a member of a union.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::unseen,
 "The value is one level deeper now, in JSON and in binary data, so neither side finds it.",
 "-    name: {id: 10, type: str}\n+    value: {id: 20, type: Value}  # a union with `name: {id: 10, type: str}`\n",
 "Keep the field beside the union, with `deprecated: \"...\"`.",
 field_moved_into_union},

{"UNION_MEMBER_ADDED", "A member of a union is new.",
 L::warning, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
 "A union cannot be read without its member, so old readers refuse files that use the new one. Files that do not "
 "use it are read by all. A switch over the members lacks a case.",
 "   Value:\n     kind: union\n     fields:\n       as_int: {id: 10, type: int}\n+      as_str: {id: 20, type: str}\n",
 "Raise the minor version, and let writers use the member only where they need it.",
 union_member_added},

{"UNION_MEMBER_REMOVED", "A member of a union is gone.",
 L::breaking, {kNo, kYes, kNo, kYes, kNo}, B::major, B::major, T::major,
 "New readers refuse files in which the union holds the member.",
 "   Value:\n     kind: union\n     fields:\n       as_int: {id: 10, type: int}\n-      as_str: {id: 20, type: str}\n",
 "Keep the member, with `deprecated: \"...\"`, until the next major version.",
 union_member_removed},

{"FIELD_REORDERED", "Fields or members have another order.",
 L::note, {kYes, kYes, kYes, kYes, kMay}, B::none, B::none, T::unseen,
 "Readers take fields in any order. The keys of JSON that is written and the members of the C++ struct follow the "
 "order of the schema, so texts and code that initialises the struct by position change.",
 "-    name: {id: 10, type: str}\n     size: {id: 20, type: int}\n+    name: {id: 10, type: str}\n",
 "Nothing.",
 field_reordered},

// ---- fields and members: ids and names -------------------------------------------------------------------

{"FIELD_ID_CHANGED", "A field or member has another id.",
 L::breaking, {kYes, kYes, kNo, kNo, kYes}, B::major, B::major, T::unseen,
 "Binary data knows fields by id only. With another id, an old field is an unknown one and the new one is absent. "
 "Earlier releases (where a folder of releases is given) are searched for fields that come back.",
 "-    name: {id: 10, type: str}\n+    name: {id: 20, type: str}\n",
 "Give the field back its id.",
 field_id_changed},

{"FIELD_ID_REUSED", "An id was once used for something else.",
 L::error, {kYes, kYes, kNo, kNo, kYes}, B::major, B::major, T::unseen,
 "Binary data knows fields by id only. A reader takes the old field's bytes for the new field: it refuses them where "
 "the types differ, and misreads them, without an error, where they are alike. The old release, earlier ones of the "
 "same major version (where a folder of releases is given) and reservations are searched for the id. Across a major "
 "version this is breaking but not an error, as readers refuse files of another major version.",
 "-    path: {id: 20, type: str}\n+    guard: {id: 20, type: str}\n",
 "Take the free id that the finding gives.",
 field_id_reused},

{"FIELD_NAME_REUSED", "A name was once used for something else.",
 L::error, {kNo, kNo, kYes, kYes, kYes}, B::major, B::major, T::unseen,
 "JSON knows fields by name only. A reader takes the old field's value for the new field. Names that are reserved or "
 "that an earlier release of the same major version used for another field are found; a field that comes back with "
 "its own type is none of these.",
 "   fields:\n+    note: {id: 30, type: int}\n-  reserved: {ids: [20], names: [note]}  # was a str\n",
 "Take a name that was never used.",
 field_name_reused},

{"FIELD_RENAMED", "A field or member has another name.",
 L::breaking, {kNo, kNo, kYes, kYes, kNo}, B::major, B::major, T::unseen,
 "JSON knows fields by name only: to each side the other's name is an unknown field. Binary data does not care. A "
 "field counts as renamed if the id and the type stay; for PyTorch's checker it is one field gone and one new.",
 "-    name: {id: 10, type: str}\n+    title: {id: 10, type: str}\n",
 "Keep the name in the schema; `cpp_name: title` gives it another one in C++ only.",
 field_renamed},

// ---- types of fields -------------------------------------------------------------------------------------

{"FIELD_TYPE_CHANGED", "A field or member has another type.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "Readers refuse a value of another type, and where binary data looks alike they misread it.",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: str}\n",
 "Keep the field, and add another one with the new type and a default.",
 field_type_changed},

{"INT_TO_DOUBLE", "An int became a float.",
 L::breaking, {kMay, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "JSON numbers without a fraction are read as floats, but above 2^53 (in a float32, 2^24) they are rounded. Old readers "
 "refuse `1.0` for an int. In binary data the two look different.",
 "-    scale: {id: 10, type: int}\n+    scale: {id: 10, type: float}\n",
 "Keep the field, and add another one with the new type and a default.",
 int_to_double},

{"NUMBER_WIDENED", "A number got a type that holds all values of the old one.",
 L::breaking, {kYes, kMay, kYes, kMay, kMay}, B::major, B::minor, T::error,
 "All old files are read. Old readers refuse what is beyond the old type, but a float, which they round in JSON. In "
 "binary data they refuse all values of a type that is larger there, as int16 is than int8, but not than uint8. Keys of "
 "a Dict are such numbers, too.",
 "-    count: {id: 10, type: uint8}\n+    count: {id: 10, type: uint16}\n",
 "Keep the type where old readers matter; with the policy `backward` this is a minor change.",
 number_widened},

{"NUMBER_NARROWED", "A number got a type that does not hold all values of the old one.",
 L::breaking, {kMay, kYes, kMay, kYes, kMay}, B::major, B::major, T::error,
 "New readers refuse what is beyond the new type, but a float, which they round in JSON. In binary data they refuse all "
 "values where the old type is larger there, as int16 is than int8, but not than uint8.",
 "-    count: {id: 10, type: uint16}\n+    count: {id: 10, type: uint8}\n",
 "Keep the wider type.",
 number_narrowed},

{"NUMBER_RANGE_CHANGED", "An integer got a type of another range, of which neither holds all values of the other.",
 L::breaking, {kMay, kMay, kMay, kMay, kMay}, B::major, B::major, T::error,
 "Readers refuse what is beyond their type, in binary data all values of a type that is larger there. Only a uint64 is "
 "not told from an int in binary data: numbers from 2^63 on are read as negative ones, and the other way round.",
 "-    offset: {id: 10, type: int}\n+    offset: {id: 10, type: uint64}\n",
 "Keep the field, and add another one with the new type and a default.",
 number_range_changed},

{"STRING_TO_BINARY", "A str became bytes.",
 L::breaking, {kNo, kNo, kYes, kMay, kNo}, B::major, B::major, T::error,
 "In JSON, bytes are base64, so text is refused or decoded to something else. In binary data the two look alike, but "
 "old readers refuse bytes that are not UTF-8.",
 "-    data: {id: 10, type: str}\n+    data: {id: 10, type: bytes}\n",
 "Keep the field, and add another one with the new type and a default.",
 string_to_binary},

{"BINARY_TO_STRING", "Bytes became a str.",
 L::breaking, {kNo, kNo, kMay, kYes, kNo}, B::major, B::major, T::error,
 "In JSON, old bytes are read as their base64 text. In binary data the two look alike, but new readers refuse bytes "
 "that are not UTF-8.",
 "-    data: {id: 10, type: bytes}\n+    data: {id: 10, type: str}\n",
 "Keep the field, and add another one with the new type and a default.",
 binary_to_string},

{"ENUM_TO_INT", "An enum became an int.",
 L::breaking, {kYes, kMay, kYes, kNo, kNo}, B::major, B::major, T::error,
 "Both JSON and binary data have the number of an enum, an i32, so it is read; where JSON has the name, new readers refuse "
 "that. Old readers refuse more than 32 bits and, in binary data, all of an i64, as an int is.",
 "-    layout: {id: 10, type: Layout}\n+    layout: {id: 10, type: int}\n",
 "Keep the enum: it is open, so it holds any number of 32 bits.",
 enum_to_int},

{"INT_TO_ENUM", "An int became an enum.",
 L::breaking, {kMay, kYes, kNo, kYes, kNo}, B::major, B::major, T::error,
 "Both JSON and binary data have the number of an enum, an i32, so old readers of an int read it; where JSON has the name, "
 "they refuse that. New readers refuse more than 32 bits and, in binary data, all of an i64, as an int is.",
 "-    layout: {id: 10, type: int}\n+    layout: {id: 10, type: Layout}\n",
 "Keep the field, and add another one with the new type and a default.",
 int_to_enum},

{"TYPE_TO_ANY", "A field of a known type became Any.",
 L::breaking, {kYes, kMay, kNo, kNo, kNo}, B::major, B::major, T::error,
 "Any takes every JSON value, but old readers refuse those that are not of the old type. In binary data Any is the "
 "text of a JSON value, which looks different, or, for a str, alike but means something else.",
 "-    note: {id: 10, type: str}\n+    note: {id: 10, type: Any}\n",
 "Keep the field, and add another one of type Any.",
 type_to_any},

{"ANY_TO_TYPE", "Any became a known type.",
 L::breaking, {kMay, kYes, kNo, kNo, kNo}, B::major, B::major, T::error,
 "New readers refuse JSON values of another type. In binary data Any is the text of a JSON value, which looks "
 "different, or, for a str, alike but means something else.",
 "-    note: {id: 10, type: Any}\n+    note: {id: 10, type: str}\n",
 "Keep the field, and add another one with the new type and a default.",
 any_to_type},

{"T_TO_LIST", "One value became a list of values.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "A value is not a list of one value, either in JSON or in binary data.",
 "-    output: {id: 10, type: Argument}\n+    output: {id: 10, type: \"List[Argument]\"}\n",
 "Keep the field, and add a list with [] as its default beside it.",
 t_to_list},

{"TYPE_RETARGETED", "A field or member refers to another type of the same kind.",
 L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::major, T::error,
 "Files do not name types, so a field can refer to another one if nothing else differs. The two types, and those that "
 "they refer to in turn, are compared by all other rules; what these find is listed with its path, and the gravest of "
 "it decides.",
 "-    input: {id: 10, type: Tensor}\n+    input: {id: 10, type: TensorRef}\n",
 "See the findings that are listed. Without any there is nothing to do.",
 type_retargeted},

// ---- fields: what they are where they are absent -------------------------------------------------------------

{"REQUIRED_TO_OPTIONAL", "A required field became Optional.",
 L::breaking, {kYes, kMay, kYes, kMay, kNo}, B::major, B::minor, T::error,
 "All old files are read, and old readers read all new ones in which the field is set. They refuse null, and in binary "
 "data, which leaves it out, miss the field.",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: \"Optional[int]\", default: null}\n",
 "Keep the type where old readers matter; with the policy `backward` this is a minor change.",
 required_to_optional},

{"OPTIONAL_TO_REQUIRED", "An Optional field became required.",
 L::breaking, {kNo, kYes, kNo, kYes, kNo}, B::major, B::major, T::error,
 "New readers refuse old files in which the field is null or absent.",
 "-    size: {id: 10, type: \"Optional[int]\", default: null}\n+    size: {id: 10, type: int}\n",
 "Keep it Optional.",
 optional_to_required},

{"REQUIRED_TO_DEFAULTED", "A field without a default got one.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::minor,
 "Readers do with less than before, and writers still write every field, so that old readers find it. (An option of "
 "the JSON writer leaves out fields that are null by default: old readers then miss it.)",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: int, default: 0}\n",
 "Nothing: raise the minor version.",
 required_to_defaulted},

{"DEFAULTED_TO_REQUIRED", "A field lost its default.",
 L::breaking, {kMay, kYes, kMay, kYes, kYes}, B::major, B::major, T::major,
 "Files of versions before the field, and those of writers that leave out defaults (torch up to 2.6 left out null), "
 "lack it: new readers refuse them.",
 "-    size: {id: 10, type: int, default: 0}\n+    size: {id: 10, type: int}\n",
 "Give the field its default again.",
 defaulted_to_required},

{"OPTIONAL_TO_DEFAULTED", "An Optional field became one with a default that is never null.",
 L::breaking, {kNo, kYes, kMay, kYes, kNo}, B::major, B::major, T::error,
 "New readers refuse null in JSON. In binary data null is a field that is not there, which now is the default.",
 "-    size: {id: 10, type: \"Optional[int]\", default: null}\n+    size: {id: 10, type: int, default: 0}\n",
 "Keep it Optional.",
 optional_to_defaulted},

{"DEFAULTED_TO_OPTIONAL", "A field with a default became Optional.",
 L::breaking, {kMay, kNo, kMay, kNo, kNo}, B::major, B::minor, T::error,
 "Old readers refuse null in JSON, and in binary data take their default for it. Files that lack the field had the "
 "default and now have null.",
 "-    size: {id: 10, type: int, default: 0}\n+    size: {id: 10, type: \"Optional[int]\", default: null}\n",
 "Keep the type.",
 defaulted_to_optional},

{"DEFAULT_CHANGED", "A default has another value.",
 L::breaking, {kMay, kMay, kMay, kMay, kMay}, B::major, B::major, T::unseen,
 "A file that lacks the field (of a version before it, or of a writer that leaves out defaults) is read without an "
 "error, but with another value than before.",
 "-    persistent: {id: 10, type: bool, default: true}\n+    persistent: {id: 10, type: bool, default: false}\n",
 "Give the field its default again, and let writers write the other value.",
 default_changed},

// ---- enums -------------------------------------------------------------------------------------------------

{"ENUM_VALUE_ADDED", "A member of an enum is new.",
 L::note, {kYes, kYes, kYes, kYes, kMay}, B::minor, B::minor, T::minor,
 "Enums are open: old readers keep the number, though they have no name for it. Where JSON has the name, they refuse "
 "files that use it, and it is a warning. A switch over the members lacks a case.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Strided: 1, Sparse: 2}\n",
 "Nothing: raise the minor version.",
 enum_value_added},

{"ENUM_VALUE_REMOVED", "A member of an enum is gone.",
 L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::major, T::major,
 "Enums are open, so new readers keep the number in old files, but nobody knows what it means. Where JSON has the "
 "name, they refuse files that use it.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0}\n+  reserved: {ids: [1], names: [Strided]}\n",
 "Keep the member.",
 enum_value_removed},

{"ENUM_VALUE_REMOVED_NOT_RESERVED", "A member of an enum is gone, and its number is not reserved.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
 "Nothing breaks yet. But the next person to add a member may take its number, and files that exist then say "
 "something else. Across a major version this is a warning, as readers refuse files of another major version.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0}\n",
 "Add the line that the finding gives to the enum: reserved: {ids: [1]}",
 enum_value_removed_not_reserved},

{"ENUM_VALUE_RENAMED", "A member of an enum has another name.",
 L::warning, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Files have the number only, so nothing changes for them if the member still means the same. If it does not, every "
 "file that has the number now says something else. Where JSON has the name, ENUM_JSON_NAME_CHANGED is found. For "
 "PyTorch's checker it is one member gone and one new.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Dense: 1}\n",
 "Nothing if it means the same; else take a number that was never used.",
 enum_value_renamed},

{"ENUM_JSON_NAME_CHANGED", "A member of an enum that JSON has by name has another name.",
 L::breaking, {kNo, kNo, kYes, kYes, kNo}, B::major, B::major, T::unseen,
 "To each side the other's name is none of the enum, so that it refuses the file. Binary data has the number.",
 "   json: name\n-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Dense: 1}\n",
 "Give the member back its name, or raise the major version.",
 enum_json_name_changed},

{"ENUM_JSON_TO_NAMES", "JSON has the members of an enum by name now.",
 L::breaking, {kYes, kNo, kYes, kYes, kYes}, B::major, B::minor, T::unseen,
 "New readers take numbers, too, but old ones refuse the names. Binary data has the number before and after. By the "
 "policy `backward`, which asks for new readers only, it is a warning.",
 "   kind: enum\n+  json: name\n",
 "Raise the major version, or add another enum for new fields.",
 enum_json_to_names},

{"ENUM_JSON_TO_NUMBERS", "JSON has the members of an enum by number now.",
 L::breaking, {kNo, kYes, kYes, kYes, kYes}, B::major, B::major, T::unseen,
 "New readers refuse the names in old files. Old readers take numbers, too. Binary data has the number before and after.",
 "   kind: enum\n-  json: name\n",
 "Keep the names.",
 enum_json_to_numbers},

{"ENUM_VALUE_RENUMBERED", "A member of an enum has another number.",
 L::breaking, {kNo, kNo, kNo, kNo, kYes}, B::major, B::major, T::error,
 "Files have the number only: each side reads the other's number as another member, without an error. JSON is spared "
 "where it has the name.",
 "-  fields: {Unknown: 0, Strided: 1}\n+  fields: {Unknown: 0, Strided: 2}\n",
 "Give the member back its number.",
 enum_value_renumbered},

{"ENUM_NUMBER_REUSED", "A number of an enum once meant something else.",
 L::error, {kNo, kNo, kNo, kNo, kYes}, B::major, B::major, T::unseen,
 "Files have the number only, and those that exist mean the member that had it before. Reservations and earlier "
 "releases of the same major version (where a folder of releases is given) are searched for the number.",
 "   fields:\n     Unknown: 0\n+    Dense: 1\n-  reserved: {ids: [1], names: [Strided]}\n",
 "Take the free number that the finding gives.",
 enum_number_reused},

// ---- types -------------------------------------------------------------------------------------------------

{"TYPE_ADDED", "A type is new.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::minor,
 "By itself it is in no file; the fields that refer to it have findings of their own.",
 "+  Complex:\n+    kind: struct\n+    fields: {real: {id: 10, type: float}, imag: {id: 20, type: float}}\n",
 "Nothing: raise the minor version.",
 type_added},

{"TYPE_REMOVED", "A type is gone.",
 L::warning, {kYes, kYes, kYes, kYes, kNo}, B::minor, B::minor, T::minor,
 "Nothing refers to it any more, so it is in no new file; the fields that did have findings of their own, and so has a "
 "root. Code that uses the type does not compile.",
 "-  Program:\n-    kind: struct\n-    fields: {methods: {id: 10, type: \"Dict[str, Graph]\"}}\n",
 "Nothing, if no code needs it: raise the minor version.",
 type_removed},

{"TYPE_RENAMED", "A type has another name.",
 L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Files do not name types, except that binary files name their root, which is another rule. A type counts as renamed "
 "if it stands where the old one stood and is of the same kind, with half of its members kept, or if both look the "
 "same in files. What else differs has findings of its own. Code that uses the name does not compile.",
 "-  ConstantInputSpec:\n+  InputToConstantInputSpec:\n",
 "Nothing for files.",
 type_renamed},

{"KIND_CHANGED", "A struct, union or enum became another of these.",
 L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
 "A union is an object with one key, an enum a number. In binary data structs and unions look alike, but a struct of "
 "several fields is not a union.",
 "   Value:\n-    kind: struct\n+    kind: union\n",
 "Keep the type, and give the new one a name of its own.",
 kind_changed},

{"RECURSION_INTRODUCED", "A type can hold values of itself that could not before.",
 L::note, {kYes, kYes, kYes, kYes, kMay}, B::none, B::none, T::unseen,
 "Values can be nested as deep as the readers' limit allows. A member that became a box is used as a pointer in code.",
 "   Graph:\n     fields:\n+      inner: {id: 20, type: \"Optional[Graph]\", default: null, boxed: true}\n",
 "Nothing; see that code which walks over values can walk that deep.",
 recursion_introduced},

{"RESERVED_REMOVED", "What was reserved is not reserved any more.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
 "Files in which the id or name means what it once meant are still there. An id or name that is in use again is "
 "another rule. Across a major version this is a warning, as readers refuse files of another major version.",
 "-  reserved: {ids: [20, 30], names: [note]}\n+  reserved: {ids: [30]}\n",
 "Add the line that the finding gives to the type.",
 reserved_removed},

// ---- the schema ----------------------------------------------------------------------------------------------

{"ROOT_ADDED", "Files can begin with another type.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::unseen,
 "Old readers do not know such files, and no file that exists is one.",
 "-roots: [Program]\n+roots: [Program, Weights]\n",
 "Nothing: raise the minor version.",
 root_added},

{"ROOT_REMOVED", "Files cannot begin with a type any more.",
 L::breaking, {kNo, kYes, kNo, kYes, kNo}, B::major, B::major, T::unseen,
 "Files that begin with the type cannot be read any more. Where the schema names no roots, these are the types that no "
 "other refers to.",
 "-roots: [Program, Weights]\n+roots: [Program]\n",
 "Keep the root, or, if there are no such files, allow the finding in the schema and say so.",
 root_removed},

{"ROOT_RENAMED", "A root has another name.",
 L::breaking, {kYes, kYes, kNo, kNo, kNo}, B::major, B::major, T::unseen,
 "Binary files name the type that they begin with, and a reader refuses one that it does not know. JSON does not.",
 "-roots: [Program]\n+roots: [ExportedProgram]\n",
 "Keep the name.",
 root_renamed},

{"SCHEMA_RENAMED", "The schema has another name.",
 L::breaking, {kYes, kYes, kNo, kNo, kNo}, B::major, B::major, T::unseen,
 "Binary files name their schema before the type that they begin with, and readers of another refuse them, whatever "
 "their version. Bare payloads and JSON do not name it. It is also the namespace of the code, unless another is asked for.",
 "-name: notes\n+name: notebook\n",
 "Keep the name.",
 schema_renamed},

{"CONSTANT_ADDED", "A constant is new.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "Constants are for code; no file has them.",
 "+constants: {TREESPEC_VERSION: 1}\n",
 "Nothing.",
 constant_added},

{"CONSTANT_REMOVED", "A constant is gone.",
 L::warning, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Constants are for code; no file has them. Code that uses it does not compile.",
 "-constants: {TREESPEC_VERSION: 1}\n",
 "Nothing, if no code needs it.",
 constant_removed},

{"CONSTANT_CHANGED", "A constant has another value.",
 L::warning, {kMay, kMay, kMay, kMay, kYes}, B::minor, B::minor, T::unseen,
 "No file has constants, but one may say how a text in files is to be understood, as TREESPEC_VERSION does.",
 "-constants: {TREESPEC_VERSION: 1}\n+constants: {TREESPEC_VERSION: 2}\n",
 "Raise the minor version, or the major one if what it stands for is not understood by the other side.",
 constant_changed},

// ---- what no reader sees -----------------------------------------------------------------------------------

{"DOC_CHANGED", "A doc or `since` changed.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "Comments change, nothing else.",
 "-    doc: Where it lives.\n+    doc: Where a tensor lives.\n",
 "Nothing.",
 doc_changed},

{"DEPRECATED_CHANGED", "`deprecated` changed.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "Comments change, nothing else: a deprecated field works as before.",
 "-    size: {id: 10, type: int}\n+    size: {id: 10, type: int, deprecated: use shape}\n",
 "Nothing.",
 deprecated_changed},

{"CPP_ATTRIBUTE_CHANGED", "`boxed`, `cpp_name` or `states_version` changed.",
 L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
 "Values stay as they are. Code that uses the member has to be changed.",
 "-    graph: {id: 10, type: Graph}\n+    graph: {id: 10, type: Graph, boxed: true}\n",
 "Nothing for files.",
 cpp_attribute_changed},

// ---- what follows from the rest ------------------------------------------------------------------------------

{"SUPPRESSION_UNUSED", "The schema allows what is not found.",
 L::warning, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
 "An entry of `allow` that no finding needs hides the next one of its rule.",
 "   name: {id: 10, type: str, allow: [{rule: FIELD_ID_CHANGED, reason: never written}]}\n",
 "Remove the entry once the release with the change is the one to compare with. It stands beside what the finding is "
 "about: a field, or the type of a field or enum member that is gone, or the schema for types that are gone.",
 suppression_unused},

{"VERSION_NOT_BUMPED", "The version is too low for the changes.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
 "Readers decide by the version whether they can read a file. Breaking changes need a new major version, additions a "
 "new minor one.",
 " version: {major: 8, minor: 20}\n+    new_field: {id: 30, type: int, default: 0}\n",
 "Write the version that the finding gives.",
 version_not_bumped},

{"VERSION_DOWNGRADED", "The version went back.",
 L::error, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
 "Two schemas would have one version, and readers could not tell their files apart.",
 "-version: {major: 8, minor: 20}\n+version: {major: 8, minor: 19}\n",
 "Write the version that the finding gives.",
 version_downgraded},

{"VERSION_SKIPPED", "The version went further than it had to.",
 L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
 "A gap does no harm, but readers refuse versions that were never released, and somebody may look for them. A major "
 "version that is skipped is a warning. PyTorch's checker takes the next number only.",
 "-version: {major: 8, minor: 20}\n+version: {major: 10, minor: 0}\n",
 "Take the next number, unless the versions between were published elsewhere.",
 version_skipped},
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
