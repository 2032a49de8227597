// Parses YAML strictly into nodes with places. Only `yaml.cpp` uses yaml-cpp.
//
// Rejects what readers disagree on and what loses data silently: duplicate keys, anchors, aliases, tags,
// merge keys, directives, several documents, and keys that are not text.
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
  bool quoted = false;    // scalar: in quotes or a block (`|`, `>`), so always a string
  bool verbatim = false;  // scalar: `text` occurs in the source without escapes or folding
  Span span;              // scalar: with its quotes; sequence and map: the first character
  std::string text;       // scalar: empty and not quoted if the schema writes no value
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;  // map, in order; a duplicate key has several entries

  const YamlEntry* find(std::string_view key) const;

  /// The whole scalar if it is not verbatim.
  Span part(std::size_t offset, std::size_t length) const;
};

struct YamlEntry {
  YamlNode key;
  YamlNode value;
};

/// Kind::invalid after a syntax error or an exceeded limit. After other errors, the rest of the document is
/// present, so later stages can report more. Limits: 16 MiB of text, 64 levels, 2^20 nodes.
YamlNode parse_yaml(Diagnostics& diagnostics);

/// Reports that `what` must have this kind, unless it has, or is Kind::invalid.
bool check_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view what, Diagnostics& diagnostics,
                std::string hint = {});

/// For messages: "a map", "a list", "an empty value", "null", "the string 'x'" (if quoted) or "'x'".
std::string describe(const YamlNode& node);

bool is_nothing(const YamlNode& node);

bool is_null(const YamlNode& node);

/// Whether some version of YAML reads the plain scalar as null, a bool or a number, e.g. `~`, `no` or `0o17`.
bool is_ambiguous_as_string(const YamlNode& node);

// Return nullopt after reporting that `what`, such as "'id'", must be such a scalar, if possible with the
// intended spelling. Do not report Kind::invalid again.

/// Quoted or plain, but not null or nothing.
std::optional<std::string> read_string(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
std::optional<bool> read_bool(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Decimal digits without leading zeros, optionally with a minus.
bool check_integer(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
std::optional<std::int64_t> read_int(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// JSON syntax, and finite as a double.
std::optional<double> read_float(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace generator
