#pragma once

#include "evolution/compat.h"

namespace generator {

/// Makes small values as JSON. Fields with defaults are omitted where possible. Values that are longer than
/// kLongestExample are cut somewhere beyond it: a type that contains another one twice doubles its value.
class SmallValues {
 public:
  /// `model` must outlive this object.
  explicit SmallValues(const Model& model);

  const Model& model() const { return model_; }
  /// Returns whether the type is part of this model. Values of other types are too long.
  bool has(const Definition& type) const;

  std::string of(const Type& type) const;
  std::string of_type(std::size_t type) const { return types_[type]; }
  /// Returns a value that is not null, 0 or empty, if the type has such a value.
  std::string not_empty(const Type& type) const;
  std::string with(const Definition& type, const Field& field, const std::string& value) const;
  std::string without(const Definition& type, const Field& field) const;
  std::string key_of_map(const Type& map) const;

 private:
  std::optional<std::string> find(const Definition& type) const;
  std::string structure(const Definition& type, const Field* given, const std::string* value) const;

  const Model& model_;
  std::vector<std::string> types_;  // empty if not known yet
};

struct Examples {
  const SmallValues& written(Flow flow) const { return is_backward(flow) ? before : after; }

  SmallValues before;
  SmallValues after;
};

/// Returns a number that no member has.
std::string unnamed(const Definition& type);
std::string value_text(const Definition& type, const Field& value);
std::string in_quotes(const std::string& text);

}  // namespace generator
