// Parses YAML strictly into nodes with places. Only `yaml.cpp` uses yaml-cpp.
//
// Rejects everything that readers disagree on or that loses data silently: duplicate keys, anchors, aliases,
// tags, merge keys, directives, several documents, and keys that are not strings.
#pragma once

#include <cstddef>
#include <cstdint>

#include "front/diagnostics.h"

namespace generator {

/// The largest schema, with the files that it imports: 70 times PyTorch's. Its C++ has 80 MB.
inline constexpr std::size_t kMaxSchemaBytes = std::size_t{2} << 20;

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

  /// Returns the span of part of a scalar, or of the whole scalar if it is not verbatim.
  Span part(std::size_t offset, std::size_t length) const;
};

struct YamlEntry {
  YamlNode key;
  YamlNode value;
};

/// After a syntax error or if a limit is exceeded, returns Kind::invalid. After other errors, the rest of the
/// document is present, so later stages can report more errors. The limits are 16 MiB of text, 64 levels and
/// 2^20 nodes. The places of nodes are in `file`, but those in `diagnostics` are in file 0.
YamlNode parse_yaml(Diagnostics& diagnostics, std::size_t file = 0);

/// Reports that `what` must have this kind, if the node does not have it and is not Kind::invalid.
bool check_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view what, Diagnostics& diagnostics,
                std::string hint = {});

/// Returns a description for messages: "a map", "a list", "an empty value", "null", "the string 'x'" (if
/// quoted) or "'x'".
std::string describe(const YamlNode& node);

/// Returns the length of the scalar in quotes at the beginning of the text, up to any character of `ends`.
std::size_t quoted_length(std::string_view text, std::string_view ends = {});

bool is_nothing(const YamlNode& node);

bool is_null(const YamlNode& node);

/// Returns whether some version of YAML reads the plain scalar as null, a bool or a number, e.g. `~`, `no` or
/// `0o17`.
bool is_ambiguous_as_string(const YamlNode& node);

// For other nodes, these functions report that `what`, e.g. "'id'", must be such a scalar, and return
// nullopt. If possible, the hint gives the intended spelling. They do not report Kind::invalid again.

/// Returns a string, which can be quoted or plain, but not null or nothing.
std::optional<std::string> read_string(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
std::optional<bool> read_bool(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Checks for decimal digits without leading zeros, optionally with a minus sign.
bool check_integer(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
std::optional<std::int64_t> read_int(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Returns a number in JSON syntax that is finite as a double, or `.nan`, `.inf` or `-.inf`.
std::optional<double> read_float(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace generator
