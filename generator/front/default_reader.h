// Defaults of fields: what the schema writes under `default`, and what it leaves out there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/yaml.h"
#include "model/model.h"

namespace generator {

/// How many values the defaults of a schema may have, so that a short schema does not ask for endless ones.
inline constexpr std::size_t kMaxDefaultValues = 100'000;
inline constexpr std::size_t kMaxDefaultDepth = 64;  // of structs, lists and maps in each other

/// Reads defaults, when all types are known. Structs have only those of their fields that are written.
class DefaultReader {
 public:
  /// Of `model`, every field that has a default has some `fallback`. `usable`: of which types kind and fields
  /// could be read. All must outlive this.
  DefaultReader(const Model& model, const std::vector<bool>& usable, Diagnostics& diagnostics)
      : model_(model), usable_(usable), diagnostics_(diagnostics) {}

  /// The default of a field of this type; `path` is how messages call it. None after an error.
  std::optional<Literal> read(const YamlNode& node, const Type& type, const std::string& path);

 private:
  using FieldIndex = std::map<std::string_view, const Field*>;  // by name

  bool take(std::size_t count, const YamlNode& node);
  std::optional<Literal> read_value(const YamlNode& node, const Type& type, const std::string& path);
  std::optional<Literal> read_null(const YamlNode& node, const Type& type, const std::string& path);
  std::optional<Literal> read_integer(const YamlNode& node, const IntegerType& type, const std::string& path);
  std::optional<Literal> read_float32(const YamlNode& node, const std::string& path);
  std::optional<std::string> read_text(const YamlNode& node, const std::string& path);
  std::optional<Literal> read_list(const YamlNode& node, const Type& type, const std::string& path);
  std::optional<Literal> read_map(const YamlNode& node, const Type& type, const std::string& path);
  std::optional<Literal> read_named(const YamlNode& node, std::size_t type, const std::string& path);
  std::optional<Literal> read_member(const YamlNode& node, std::size_t type, const std::string& path);
  std::optional<Literal> read_fields(const YamlNode& node, std::size_t type, const std::string& path);
  bool check_missing(const YamlNode& node, const Definition& type, const FieldIndex& fields,
                     const std::string& path);

  const Model& model_;
  const std::vector<bool>& usable_;
  Diagnostics& diagnostics_;
  std::map<std::size_t, std::map<std::string_view, std::int32_t>> members_;  // by type, of enums in use
  std::size_t values_ = 0;
};

/// Gives the structs in defaults what they leave out, of a model without errors. Errors: a default of a type
/// that can hold the owner of the field; too many values or too deep a default.
void complete_defaults(Model& model, Diagnostics& diagnostics);

}  // namespace generator
