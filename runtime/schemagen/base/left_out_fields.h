// Fields that a reader is asked to leave out.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace schemagen {

/// A field of a struct of a schema: `field_name<&pt2::Node::metadata>` of visit.h. The texts are
/// constants.
struct FieldName {
  std::string_view type;  // as in the schema
  std::string_view name;

  friend bool operator==(const FieldName& a, const FieldName& b) noexcept {
    return a.type == b.type && a.name == b.name;
  }
  friend bool operator!=(const FieldName& a, const FieldName& b) noexcept { return !(a == b); }
};

/// The fields that one reader leaves out, and which of them it has met.
class LeftOutFields {
 public:
  /// `fields` must outlive this.
  explicit LeftOutFields(const std::vector<FieldName>& fields) : fields_(fields) {}

  /// Whether there is a field of the struct `type`.
  bool has_of(std::string_view type) const noexcept {
    for (const FieldName& field : fields_) {
      if (field.type == type) return true;
    }
    return false;
  }
  /// Whether the field is left out; it is then met.
  bool meet(std::string_view type, std::string_view name) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i] != FieldName{type, name}) continue;
      met_.resize(fields_.size());
      met_[i] = true;
      return true;
    }
    return false;
  }
  /// Those that were met.
  std::vector<FieldName> met() const {
    std::vector<FieldName> result;
    for (std::size_t i = 0; i < met_.size(); ++i) {
      if (met_[i]) result.push_back(fields_[i]);
    }
    return result;
  }

 private:
  const std::vector<FieldName>& fields_;
  std::vector<bool> met_;  // empty until one is
};

}  // namespace schemagen
