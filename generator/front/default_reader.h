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
#include "schemagen/base/limits.h"

namespace generator {

/// There is a limit because nested defaults of structs multiply. Each default has at most
/// schemagen::kMostDefaultLevels levels.
inline constexpr std::size_t kMaxDefaultValues = schemagen::kMostDefaultItems;

/// Reads defaults after all types are known. A struct's default contains only the fields that the schema
/// writes; complete_defaults() adds the others.
class DefaultReader {
 public:
  /// Fields with defaults must already have some `fallback`. For `usable`, see check_model().
  DefaultReader(const Model& model, const std::vector<bool>& usable, Diagnostics& diagnostics)
      : model_(model), usable_(usable), diagnostics_(diagnostics) {}

  /// Returns nullopt after errors. `path` names the field in messages.
  std::optional<Literal> read(const YamlNode& node, const Type& type, const std::string& path);

 private:
  using FieldIndex = std::map<std::string_view, const Field*>;

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
  std::map<std::size_t, std::map<std::string_view, std::int32_t>> members_;
  std::size_t values_ = 0;
};

/// Adds the fields that defaults of structs omit. Reports a default if its type can contain the struct that
/// declares the field, and defaults with too many values or levels.
void complete_defaults(Model& model, Diagnostics& diagnostics);

}  // namespace generator
