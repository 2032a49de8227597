// What readers do with fields beyond those that they read: unknown ones are skipped, or kept for the writer
// to put back, others are left out. Several threads may read the same object at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/error.h"

namespace schemagen {

/// What to do with a field, or a union member, that the schema does not have.
enum class UnknownFields {
  error,
  skip_empty,  // skip those whose value is null, or an empty list, map, struct or string, as a newer writer's
               // unused additions are
  skip,
  keep,  // put them beside the value, from where writers put them back, see KeptField
};

/// Something that was read over, as the options allow.
struct SkippedField {
  std::string path;  // as messages have it: without its middle if it is long
  Place place;
};

/// A step from a value to one in it: to a field, member or entry by its key, or to an item of a list.
struct KeptStep {
  std::string key;
  std::size_t index = 0;  // of an item
  std::size_t count = 0;  // of the list's items when it was read; 0: the step is by key
};

/// A field of a struct, or the member of a union, that the reader's schema does not have, as it stood in the
/// data. Writers check all of it.
struct KeptField {
  std::vector<KeptStep> path;  // to the struct or union that it is in
  bool is_member = false;      // of a union, which is unset in the value

  std::string name;   // in JSON: its key
  std::string after;  // in JSON: the field of the schema that it comes after; empty: before all of them

  std::int16_t id = 0;    // in binary; 0: this is of JSON
  std::uint8_t type = 0;  // in binary: its WireType

  std::string bytes;  // its value: JSON text, or Thrift's compact protocol
};

/// What it takes in memory.
std::size_t memory_of(const KeptField& field);

/// The path of a kept field, as messages have it: `graph.nodes[3].new_name`; in binary `graph.nodes[3].#95`.
std::string path_text(const KeptField& field);

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
