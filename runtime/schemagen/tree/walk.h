// A walk over a changeable document, by the tables of its schema.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/reflection.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

/// Where a walk is. It costs nothing until the text is asked for.
class WalkPath {
 public:
  /// As in messages: `graph.nodes[3].name`.
  std::string text() const;

  void push_key(std::string_view key) { parts_.push_back({key, 0}); }  // borrowed until it is popped
  void push_index(std::size_t index) { parts_.push_back({{}, index}); }
  void pop() { parts_.pop_back(); }

 private:
  struct Part {
    std::string_view key;  // no data: an index
    std::size_t index;
  };
  std::vector<Part> parts_;
};

/// What is done with a value of a type: `type` is the type's index in the schema.
using WalkVisitor = std::function<void(std::uint32_t type, DomValue& value, const WalkPath& path)>;

/// Calls `visit` for every value of the `wanted` types in `value`, which is of type `root`, wherever it
/// stands: in lists, maps, unions and other values of its type. What is in a value comes before the value
/// itself, so that it may be replaced as a whole. `wanted`: one for each type of `schema`. Members that the
/// schema does not have are passed over, and so is null in a union: the first releases wrote all members of a
/// union, those that are not set as null. Errors: DataError with path, if a list, object or map is expected
/// and another value is there.
void walk_document(const Reflection& schema, std::uint32_t root, const std::vector<bool>& wanted,
                   DomValue& value, const WalkVisitor& visit);

}  // namespace schemagen
