// Declares the steps of resolve() that have their own files.
#pragma once

#include <map>
#include <set>

#include "front/yaml.h"
#include "model/model.h"
#include "schemagen/base/limits.h"
#include "text/message.h"

namespace generator {

std::vector<Allowance> read_allowances(const YamlNode& owner, const Names& rules, Diagnostics& diagnostics);

struct NumberUse {
  std::string_view name;
  std::optional<std::int64_t> number;  // nullopt if the number is missing or invalid, which has been reported
  Span span;
  bool missing = false;
};

struct Reservations {
  std::map<std::int64_t, Span> numbers;
  std::map<std::string, Span, std::less<>> names;
};

/// Numbers above all others, in steps of ten if all are ids that are multiples of ten, or else the lowest.
class FreeNumbers {
 public:
  FreeNumbers(std::set<std::int64_t> taken, bool are_ids, std::int64_t max);
  /// Each number once; more than `max` if there is none.
  std::int64_t next();

 private:
  std::set<std::int64_t> taken_;
  std::int64_t max_;
  std::int64_t step_ = 1;
  std::int64_t lowest_ = 1;  // all below are taken
};

/// Reports numbers that are used twice, reserved or missing. The hint names the next free one. `noun` is "id"
/// or "number"; `min` and `max` are inclusive.
void check_numbers(const std::string& type_name, const std::string& noun, std::int64_t min, std::int64_t max,
                   const std::vector<NumberUse>& uses, const Reservations& reserved,
                   Diagnostics& diagnostics);

/// Returns the place of each entry.
Reservations read_reserved(const YamlNode& type, bool is_enum, Definition& definition,
                           Diagnostics& diagnostics);

void check_not_reserved(const YamlNode& name, const std::string& type_name, const Reservations& reserved,
                        Diagnostics& diagnostics);

/// There is a limit because nested defaults of structs multiply. Each default has at most
/// schemagen::kMostDefaultLevels levels.
inline constexpr std::size_t kMaxDefaultValues = schemagen::kMostDefaultItems;

struct UnreadDefault {
  std::size_t type = 0;   // index into Model::types
  std::size_t field = 0;  // of a struct
  const YamlNode* value = nullptr;
};

/// Sets `fallback` of the fields, all of which must already have some. A struct's default contains only the
/// fields that the schema writes; complete_defaults() adds the others. For `usable`, see check_model().
void read_defaults(const std::vector<UnreadDefault>& defaults, const std::vector<bool>& usable, Model& model,
                   Diagnostics& diagnostics);

/// Adds the fields that defaults of structs omit. Reports a default if its type can contain the struct that
/// declares the field, and defaults with too many values or levels.
void complete_defaults(Model& model, Diagnostics& diagnostics);

/// Makes the checks that need the whole schema: map keys, version fields, types that contain or require
/// themselves, and C++ names that are taken. `usable` is true for types whose kind and fields could be read.
void check_model(const Model& model, const std::vector<bool>& usable, Diagnostics& diagnostics);

}  // namespace generator
