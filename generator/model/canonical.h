// The normal form of a schema: one text for all schemas with the same meaning, and its hash. It excludes
// docs, order, `boxed`, `states_version`, `cpp_name`, `deprecated`, `since`, reservations, roots, name and
// version, which affect neither the values nor how they are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace generator {

/// Which differences between types matter.
enum class Form : std::uint8_t {
  schema,  // ids and names of fields, and names of enum members
  binary,  // ids
  json,    // names of fields, and of members of enums that JSON writes by name
  files,   // ids, and everything that JSON shows: what any file can show
};

/// Returns `nsf 1`: constants and types by name, fields by id, enum members by number. Defaults of structs
/// list all fields.
std::string normal_form(const Model& model);

/// Returns `nsf 1` of the types that `root` (an index into `Model::types`) reaches, without constants.
std::string normal_form(const Model& model, std::size_t root);

/// Returns `nsf-bin 1`, on which the binary encoding of `root` depends: like the normal form, but types are
/// numbered in the order of the first visit, fields are identified by id, and fields and enum members have no
/// names.
std::string binary_form(const Model& model, std::size_t root);

/// Returns `nsf-json 1`, on which the JSON of `root` depends: like the binary form, but fields have names
/// instead of ids and are sorted by name, and enum members have names if JSON has them.
std::string json_form(const Model& model, std::size_t root);

/// A single type.
struct TypeForm {
  std::string text;               // its block in a form, with the same name for all types
  std::vector<std::size_t> held;  // the types of its fields, in the order of the text
};

/// Returns each type of the model separately.
std::vector<TypeForm> type_forms(const Model& model, Form form);

/// Returns the hash of a form: `sha256:` and 64 hexadecimal digits.
std::string schema_hash(std::string_view form);

}  // namespace generator
