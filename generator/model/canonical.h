// Computes a text that is the same for all schemas with the same meaning. The text excludes docs, order,
// `boxed`, `states_version`, `cpp_name`, `deprecated`, `since`, reservations, roots, name and version, which
// affect neither values nor encodings.
#pragma once

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

/// Returns the form of the types that `root` (an index into `Model::types`) refers to: `nsf 1` without
/// constants, or `nsf-bin 1` or `nsf-json 1`, which determine the binary encoding and the JSON. In these,
/// types are numbered in the order of the first visit. In `nsf-bin 1`, fields and enum members have no names.
/// In `nsf-json 1`, fields have names instead of ids and are sorted by name; enum members have names if JSON
/// uses the names.
std::string form_of(const Model& model, std::size_t root, Form form);

/// Returns `root` and the types that it refers to, in the order of the first visit in this form.
std::vector<std::size_t> reachable(const Model& model, std::size_t root, Form form = Form::schema);

struct TypeForm {
  std::string text;
  std::vector<std::size_t> held;
};

std::vector<TypeForm> type_forms(const Model& model, Form form);

std::string schema_hash(std::string_view form);

/// Returns whether `text` consists of at least 16 hexadecimal digits, optionally after `sha256:`.
bool is_hash(std::string_view text);

/// Returns whether `hash` begins with the digits of `expected`, which must satisfy is_hash().
bool hash_matches(std::string_view hash, std::string_view expected);

}  // namespace generator
