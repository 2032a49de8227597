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

/// Nested defaults of structs can multiply. One default has at most schemagen::kMostDefaultLevels.
inline constexpr std::size_t kMaxDefaultValues = schemagen::kMostDefaultItems;

/// Reads defaults, once all types are known. Structs contain only the fields that are written.
class DefaultReader {
 public:
  /// In `model`, every field with a default already has some `fallback`. `usable` says for each type whether
  /// its kind and fields could be read.
  DefaultReader(const Model& model, const std::vector<bool>& usable, Diagnostics& diagnostics)
      : model_(model), usable_(usable), diagnostics_(diagnostics) {}

  /// Returns the default, or nullopt after an error. `path` names the field in messages.
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

/// Fills in the fields that structs in defaults omit. Reports defaults of a type that can contain the type of
/// the field, and defaults with too many values or levels.
void complete_defaults(Model& model, Diagnostics& diagnostics);

}  // namespace generator
