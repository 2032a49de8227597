#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evolution/compat.h"
#include "evolution/compat_match.h"
#include "model/model.h"

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
  bool is_known(const Type& type) const;
  std::optional<std::string> find(const Definition& type) const;
  std::string structure(const Definition& type, const Field* given, const std::string* value) const;

  const Model& model_;
  std::vector<std::string> types_;  // empty if not known yet
};

class Examples {
 public:
  /// The arguments must outlive this object.
  Examples(const Model& before, const Model& after, const Match& match)
      : before_(before), after_(after), match_(match) {}

  const SmallValues& written(Flow flow) const { return is_backward(flow) ? before_ : after_; }
  /// Returns a value that readers of the other type reject or misread. Neither type may be Optional.
  std::optional<std::string> lost_value(Flow flow, const Type& written, const Type& read) const;

 private:
  std::optional<std::string> lost_item(Flow flow, const Type& written, const Type& read) const;
  std::optional<std::string> lost_number(Flow flow, const Type& written, const Type& read) const;
  std::optional<std::string> lost_key(Flow flow, const Type& written, const Type& read) const;
  bool corresponds(Flow flow, const Type& written, const Type& read) const;

  SmallValues before_;
  SmallValues after_;
  const Match& match_;
};

}  // namespace generator
