// One text for all schemas with the same meaning, and its hash. The text excludes docs, order, `boxed`,
// `states_version`, `cpp_name`, `deprecated`, `since`, reservations, roots, name and version, which affect
// neither the values nor their encodings.
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

/// Returns the `nsf 1` text: constants and types by name, fields by id, enum members by number. Defaults of
/// structs list all fields.
std::string normal_form(const Model& model);

/// Returns the `nsf 1` text of the types that `root` (an index into `Model::types`) refers to, without
/// constants.
std::string normal_form(const Model& model, std::size_t root);

/// Returns the `nsf-bin 1` text, which determines the binary encoding of `root`: types are numbered in the
/// order of the first visit, and fields and enum members have no names.
std::string binary_form(const Model& model, std::size_t root);

/// Returns the `nsf-json 1` text, which determines the JSON of `root`: fields have names instead of ids and
/// are sorted by name, and enum members have names if JSON uses names.
std::string json_form(const Model& model, std::size_t root);

struct TypeForm {
  std::string text;
  std::vector<std::size_t> held;
};

std::vector<TypeForm> type_forms(const Model& model, Form form);

std::string schema_hash(std::string_view form);

}  // namespace generator
