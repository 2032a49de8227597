#pragma once

#include <functional>

#include "schemagen/base/reflection.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

class WalkPath {
 public:
  std::string text() const;

  void push_key(std::string_view key) { parts_.push_back({key, 0}); }
  void push_index(std::size_t index) { parts_.push_back({{}, index}); }
  void pop() { parts_.pop_back(); }

 private:
  struct Part {
    std::string_view key;
    std::size_t index;
  };
  std::vector<Part> parts_;
};

using WalkVisitor = std::function<void(std::uint32_t type, DomValue& value, const WalkPath& path)>;

/// Calls `visit` for every value inside `value`, at any depth, whose type is one of the `wanted` types.
/// Visits inner values first, so a visitor can replace the whole value. `wanted` has one flag per type of
/// `schema`. Skips members that the schema lacks. Also skips nulls in unions, because early releases of torch
/// wrote unset members as null. Throws DataError with a path if the schema requires a list, object or
/// map but the value is something else.
void walk_document(const Reflection& schema, std::uint32_t root, const std::vector<bool>& wanted,
                   DomValue& value, const WalkVisitor& visit);

}  // namespace schemagen
