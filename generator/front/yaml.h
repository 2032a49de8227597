// Parses YAML strictly into nodes with places. Only `yaml.cpp` uses yaml-cpp.
//
// Rejects the parts of YAML on which readers disagree or that lose data silently: duplicate keys, anchors,
// aliases, tags, merge keys, directives, several documents, and keys that are not text. Scalars stay text
// until one of the read_ functions interprets them.
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
    invalid,  // reported; causes no further messages
    scalar,
    sequence,
    map,
  };
  Kind kind = Kind::invalid;
  bool quoted = false;    // scalar: it is in quotes or a block (`|`, `>`), so it is always a string
  bool verbatim = false;  // scalar: the source contains `text` without escapes or folding
  Span span;              // scalar: with its quotes; sequence and map: the first character
  std::string text;       // scalar: empty and not quoted if the schema writes no value
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;  // map, in order; a duplicate key (reported) has several entries

  /// Returns the first entry with this key, or null.
  const YamlEntry* find(std::string_view key) const;

  /// Returns the place of a part of the scalar's text, or of the whole scalar if it is not verbatim.
  Span part(std::size_t offset, std::size_t length) const;
};

struct YamlEntry {
  YamlNode key;
  YamlNode value;
};

/// Returns the root of the only document. After a syntax error or an exceeded limit, the root is
/// Kind::invalid. After other errors, the rest of the document is present, and later stages can report
/// further errors in it. Limits: 16 MiB of text, 64 levels, 2^20 nodes.
YamlNode parse_yaml(Diagnostics& diagnostics);

/// Returns whether the node has this kind. If not, reports that `what` must have it, with `hint`. A node of
/// Kind::invalid is not reported again.
bool check_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view what, Diagnostics& diagnostics,
                std::string hint = {});

/// Returns a description for messages: "a map", "a list", "an empty value", "null", "the string 'x'" (if
/// quoted) or "'x'".
std::string describe(const YamlNode& node);

bool is_nothing(const YamlNode& node);

bool is_null(const YamlNode& node);

/// Returns whether some version of YAML reads the plain scalar as null, a bool or a number, e.g. `~`, `no` or
/// `0o17`.
bool is_ambiguous_as_string(const YamlNode& node);

// Return the value of a scalar. If the scalar does not have that kind of value, report that `what`, such as
// "'id'", must have it, if possible with the intended spelling, and return nullopt; do not report
// Kind::invalid.

/// Reads a quoted or plain string, but not null or nothing.
std::optional<std::string> read_string(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Reads `true` or `false`.
std::optional<bool> read_bool(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Checks for decimal digits without leading zeros, optionally with a minus.
bool check_integer(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Reads such digits as a 64-bit integer.
std::optional<std::int64_t> read_int(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Reads a number in JSON syntax that is finite as a double.
std::optional<double> read_float(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace generator
