// One text for all schemas with the same meaning. It excludes docs, order, `boxed`, `states_version`,
// `cpp_name`, `deprecated`, `since`, reservations, roots, name and version, which affect neither values nor
// encodings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace generator {

enum class Form : std::uint8_t {
  schema,
  binary,
  json,
  files,
};

/// `nsf 1`: constants and types by name, fields by id, enum members by number. Struct defaults list all
/// fields.
std::string normal_form(const Model& model);

/// The types that `root` (an index into `Model::types`) refers to, without constants.
std::string normal_form(const Model& model, std::size_t root);

/// `nsf-bin 1`, which determines the binary encoding: types are numbered by first visit; fields and enum
/// members have no names.
std::string binary_form(const Model& model, std::size_t root);

/// `nsf-json 1`, which determines the JSON: fields have names instead of ids and are sorted by name; enum
/// members have names if JSON uses them.
std::string json_form(const Model& model, std::size_t root);

struct TypeForm {
  std::string text;
  std::vector<std::size_t> held;
};

std::vector<TypeForm> type_forms(const Model& model, Form form);

std::string schema_hash(std::string_view form);

}  // namespace generator
