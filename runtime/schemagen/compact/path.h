// Answers "where in the value is this byte?" for compact payloads. An object is for one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/compact/options.h"
#include "schemagen/compact/type.h"

namespace schemagen {

/// Finds the path of an offset, for messages: neither reader nor writer keeps track of it. Walks the payload
/// from its start, which is possible without a schema; the schema gives the names.
class CompactPath {
 public:
  /// What stands at the offset that is asked for: a value, or something of the struct or map around it.
  enum class At { value, container };

  /// `payload` and `root` must outlive this.
  CompactPath(std::string_view payload, const CompactType& root, DoubleOrder doubles);

  /// The path of the value at `offset`, as `graph.nodes[3].name`, or of the container that has something else
  /// there. A field that the schema does not have is named by its id: `graph.#95`. Ends early where the bytes
  /// make no sense. Offsets must not go down from call to call.
  std::string seek(std::size_t offset, At at);

  /// The way to the struct that has the value which seek() found last.
  std::vector<KeptStep> steps() const;

 private:
  /// One that the walk is in, and its last child.
  struct Container {
    WireType kind = WireType::structure;
    const CompactType* type = nullptr;  // of the struct itself, or of the items; null: unknown
    WireType key_type = WireType::stop;
    WireType item_type = WireType::stop;
    std::uint64_t item_count = 0;  // of a map whose keys are no strings, they count as items, too
    std::uint64_t items_begun = 0;
    std::int32_t id = 0;
    std::string_view key;
  };

  bool is_at(At at) const;
  bool enter_or_pass();
  bool open(WireType kind);
  bool next_child();
  bool next_field(Container& in);
  bool next_item(Container& in);
  const CompactType* child_type() const;
  bool pass(std::size_t bytes);
  std::optional<unsigned> byte();
  std::optional<std::uint64_t> varint();
  std::optional<std::string_view> text();
  std::string path() const;

  std::string_view payload_;
  std::size_t at_ = 0;
  std::size_t uuid_bytes_;
  std::vector<Container> open_;
  const CompactType* root_;
  // The type of the value that starts at at_; none: the innermost container goes on there.
  std::optional<WireType> value_ = WireType::structure;
};

}  // namespace schemagen
