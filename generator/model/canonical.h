// One text for all schemas with the same meaning, and its hash. Excludes docs, order, `boxed`,
// `states_version`, `cpp_name`, `deprecated`, `since`, reservations, roots, name and version, which affect
// neither the values nor how they are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace generator {

/// Which differences between types matter.
enum class Form : std::uint8_t {
  schema,
  binary,
  json,
  files,
};

/// `nsf 1`: constants and types by name, fields by id, enum members by number. Defaults of structs list all
/// fields.
std::string normal_form(const Model& model);

/// `nsf 1` of the types that `root` (an index into `Model::types`) reaches, without constants.
std::string normal_form(const Model& model, std::size_t root);

/// `nsf-bin 1`, on which the binary encoding of `root` depends: types are numbered in the order of the first
/// visit, and fields and enum members have no names.
std::string binary_form(const Model& model, std::size_t root);

/// `nsf-json 1`, on which the JSON of `root` depends: fields have names instead of ids and are sorted by
/// name, and enum members have names if JSON has them.
std::string json_form(const Model& model, std::size_t root);

struct TypeForm {
  std::string text;
  std::vector<std::size_t> held;
};

std::vector<TypeForm> type_forms(const Model& model, Form form);

std::string schema_hash(std::string_view form);

}  // namespace generator
