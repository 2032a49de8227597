// The normal form of a schema: one text for all schemas that mean the same, and its hash.
//
// Docs, order, `boxed`, `states_version`, `cpp_name`, `deprecated`, `since`, reservations, roots, name and
// version are no part of it: they do not change which values there are or how they are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace generator {

/// What of the types is told apart.
enum class Form : std::uint8_t {
  schema,  // ids and names of fields, and names of enum members
  binary,  // ids
  json,    // names of fields, and of members of enums that JSON has by name
  files,   // ids and what JSON tells apart: what any file can show
};

/// `nsf 1`: constants and types by name, fields by id, enum members by number. Defaults of structs have all
/// fields.
std::string normal_form(const Model& model);

/// `nsf 1` of only the types that the type `root` (an index into `Model::types`) reaches, without constants.
std::string normal_form(const Model& model, std::size_t root);

/// `nsf-bin 1`, what the binary encoding of `root` depends on: as the normal form, but types are numbered
/// in the order of first visit, fields by id, and fields and enum members have no names.
std::string binary_form(const Model& model, std::size_t root);

/// `nsf-json 1`, what the JSON of `root` depends on: as the binary form, but fields have names in place
/// of ids and are in the order of those, and members have names where JSON has these.
std::string json_form(const Model& model, std::size_t root);

/// One type by itself.
struct TypeForm {
  std::string text;               // as its block in a form, with one name for all types
  std::vector<std::size_t> held;  // the types that its fields name, in the order of the text
};

/// All types of the model, each by itself.
std::vector<TypeForm> type_forms(const Model& model, Form form);

/// The hash of a form: `sha256:` and 64 hexadecimal digits.
std::string schema_hash(std::string_view form);

}  // namespace generator
