// Computes a text that is the same for all schemas with the same meaning. The text excludes docs, order,
// `boxed`, `states_version`, `cpp_name`, `deprecated`, `since`, reservations, roots, name and version, which
// affect neither values nor encodings.
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

/// Returns the form `nsf 1`: constants and types are sorted by name, fields by id, and enum members by
/// number. Defaults of structs list all fields.
std::string normal_form(const Model& model);

/// Returns the same for the types that `root` (an index into `Model::types`) refers to, without constants.
std::string normal_form(const Model& model, std::size_t root);

/// Returns the form `nsf-bin 1`, which determines the binary encoding. Types are numbered in the order of the
/// first visit; fields and enum members have no names.
std::string binary_form(const Model& model, std::size_t root);

/// Returns the form `nsf-json 1`, which determines the JSON. Fields have names instead of ids and are sorted
/// by name; enum members have names if JSON uses the names.
std::string json_form(const Model& model, std::size_t root);

/// Returns `root` and the types that it refers to, in the order of the first visit in this form.
std::vector<std::size_t> reachable(const Model& model, std::size_t root, Form form = Form::schema);

struct TypeForm {
  std::string text;
  std::vector<std::size_t> held;
};

std::vector<TypeForm> type_forms(const Model& model, Form form);

std::string schema_hash(std::string_view form);

}  // namespace generator
