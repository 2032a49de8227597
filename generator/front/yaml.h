// Parses YAML strictly into nodes with places. Only `yaml.cpp` uses yaml-cpp.
//
// Refuses the parts of YAML on which readers disagree or that lose data silently: duplicate keys, anchors,
// aliases, tags, merge keys, directives, several documents, and keys that are not text. Scalars stay text
// until one of the read_ functions below interprets them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/diagnostics.h"

namespace generator {

struct YamlEntry;

struct YamlNode {
  enum class Kind : std::uint8_t {
    invalid,  // invalid and reported; causes no further messages
    scalar,
    sequence,
    map,
  };
  Kind kind = Kind::invalid;
  bool quoted = false;             // scalar: in quotes or a block (`|`, `>`), so always a string
  bool verbatim = false;           // scalar: the source contains `text` without escapes or folding
  Span span;                       // scalar: with its quotes; sequence and map: the first character
  std::string text;                // scalar; empty and not quoted if no value is written
  std::vector<YamlNode> items;     // sequence
  std::vector<YamlEntry> entries;  // map, in order; a duplicate key (reported) has several entries

  /// Returns the first entry with this key, or null.
  const YamlEntry* find(std::string_view key) const;

  /// Returns the place of `length` bytes of a scalar's text from `offset`, or of the whole scalar if it is
  /// not verbatim.
  Span part(std::size_t offset, std::size_t length) const;
};

struct YamlEntry {
  YamlNode key;  // a scalar
  YamlNode value;
};

/// Returns the root of the single document in `diagnostics.text()`, and adds errors to `diagnostics`. After a
/// syntax error or an exceeded limit the root is Kind::invalid; after other errors the rest is there, so
/// later stages can report theirs. Limits: 16 MiB of text, 64 levels, 2^20 nodes.
YamlNode parse_yaml(Diagnostics& diagnostics);

/// Returns whether `node` is of `kind`, a map or a sequence. If not, reports that `what` must be one, with
/// `hint`; no message for Kind::invalid.
bool check_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view what, Diagnostics& diagnostics,
                std::string hint = {});

/// Returns "a map", "a list", "nothing", "null", "the string 'x'" (quoted) or "'x'", for messages.
std::string describe(const YamlNode& node);

/// Returns whether no value is written.
bool is_nothing(const YamlNode& node);

/// Returns whether it is the plain scalar `null`.
bool is_null(const YamlNode& node);

/// Returns whether some version of YAML reads the plain scalar as null, a bool or a number, e.g. `~`, `no`,
/// `0o17`.
bool is_ambiguous_as_string(const YamlNode& node);

// Each returns the value of a scalar. Otherwise it reports that `what`, e.g. "'id'", must be that kind of
// value, if possible with the intended spelling, and returns nullopt; for Kind::invalid without a message.

/// Reads a string, quoted or plain, but not null or nothing.
std::optional<std::string> read_string(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Reads `true` or `false`.
std::optional<bool> read_bool(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Returns whether it is decimal digits without leading zeros, optionally with a minus.
bool check_integer(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Reads such digits as 64 bits.
std::optional<std::int64_t> read_int(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Reads a number in JSON syntax that is finite as a double.
std::optional<double> read_float(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace generator
