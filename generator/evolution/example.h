// Small values of types, including ones that another schema's readers reject or misread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evolution/compat.h"
#include "evolution/compat_match.h"
#include "model/model.h"

namespace generator {

/// Returns the number of bits of an integer type in binary data. Unsigned types use the next larger size,
/// except uint64.
int bits_in_binary(const IntegerType& type);

/// The smallest values of a schema's types, as JSON. Fields with defaults are omitted where possible.
class SmallValues {
 public:
  /// `model` must outlive this.
  explicit SmallValues(const Model& model);

  const Model& model() const { return model_; }

  std::string of(const Type& type) const;
  std::string of_type(std::size_t type) const { return types_[type]; }
  /// Returns a different value, which is not null, 0 or empty, if the type has one.
  std::string not_empty(const Type& type) const;
  /// Returns a struct or union with this value of a field or member.
  std::string with(const Definition& type, const Field& field, const std::string& value) const;
  std::string without(const Definition& type, const Field& field) const;
  std::string key_of_map(const Type& map) const;

 private:
  bool is_known(const Type& type) const;
  std::optional<std::string> find(const Definition& type) const;
  std::string structure(const Definition& type, const Field* given, const std::string* value) const;

  const Model& model_;
  std::vector<std::string> types_;  // empty: not known yet
};

/// Small values of both schemas.
class Examples {
 public:
  /// The arguments must outlive this.
  Examples(const Model& before, const Model& after, const Match& match)
      : before_(before), after_(after), match_(match) {}

  /// Returns the values of the schema that writes the data of `flow`.
  const SmallValues& written(Flow flow) const { return is_backward(flow) ? before_ : after_; }
  /// Returns a small value of the written type that readers of the other type reject or misread, if there is
  /// one. Neither type may be Optional.
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
