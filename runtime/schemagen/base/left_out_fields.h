// Keeps track of the fields that a reader leaves out at the caller's request.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace schemagen {

/// The name of a field, e.g. field_name<&pt2::Node::metadata>; see field_name.h. The strings are constants.
struct FieldName {
  std::string_view type;  // name of the struct in the schema
  std::string_view name;

  friend bool operator==(const FieldName& a, const FieldName& b) noexcept {
    return a.type == b.type && a.name == b.name;
  }
  friend bool operator!=(const FieldName& a, const FieldName& b) noexcept { return !(a == b); }
};

/// The fields to leave out, and the subset of them that the reader has seen.
class LeftOutFields {
 public:
  /// `fields` must outlive this object.
  explicit LeftOutFields(const std::vector<FieldName>& fields) : fields_(fields) {}

  /// Returns whether any of the fields to leave out belongs to the struct `type`.
  bool has_of(std::string_view type) const noexcept {
    for (const FieldName& field : fields_) {
      if (field.type == type) return true;
    }
    return false;
  }
  /// Returns whether the field is left out. If it is, also records that the field was seen.
  bool leaves_out(std::string_view type, std::string_view name) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i] != FieldName{type, name}) continue;
      seen_.resize(fields_.size());
      seen_[i] = true;
      return true;
    }
    return false;
  }
  std::vector<FieldName> seen() const {
    std::vector<FieldName> result;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i]) result.push_back(fields_[i]);
    }
    return result;
  }

 private:
  const std::vector<FieldName>& fields_;
  std::vector<bool> seen_;  // empty until the first field is seen
};

}  // namespace schemagen
