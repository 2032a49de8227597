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
  bool quoted = false;    // scalar: in quotes or a block (`|`, `>`), so always a string
  bool verbatim = false;  // scalar: the source contains `text` without escapes or folding
  Span span;              // scalar: with its quotes; sequence and map: the first character
  std::string text;       // scalar; empty and not quoted if no value is written
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;  // map, in order; a duplicate key (reported) has several entries

  /// The first one, or null.
  const YamlEntry* find(std::string_view key) const;

  /// Of a scalar's text; the whole scalar if it is not verbatim.
  Span part(std::size_t offset, std::size_t length) const;
};

struct YamlEntry {
  YamlNode key;
  YamlNode value;
};

/// The root of the single document. After a syntax error or an exceeded limit it is Kind::invalid; after
/// other errors the rest is there, so that later stages can report theirs. Limits: 16 MiB of text, 64 levels,
/// 2^20 nodes.
YamlNode parse_yaml(Diagnostics& diagnostics);

/// If not, reports that `what` must be one, with `hint`; no message for Kind::invalid.
bool check_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view what, Diagnostics& diagnostics,
                std::string hint = {});

/// For messages: "a map", "a list", "nothing", "null", "the string 'x'" (quoted) or "'x'".
std::string describe(const YamlNode& node);

bool is_nothing(const YamlNode& node);

bool is_null(const YamlNode& node);

/// Some version of YAML reads the plain scalar as null, a bool or a number: `~`, `no`, `0o17`.
bool is_ambiguous_as_string(const YamlNode& node);

// If the scalar is not that kind of value, these report that `what`, such as "'id'", must be one, if possible
// with the intended spelling, and return nullopt; no message for Kind::invalid.

/// Quoted or plain, but not null or nothing.
std::optional<std::string> read_string(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// `true` or `false`.
std::optional<bool> read_bool(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Decimal digits without leading zeros, optionally with a minus.
bool check_integer(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Such digits as 64 bits.
std::optional<std::int64_t> read_int(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// In JSON syntax, finite as a double.
std::optional<double> read_float(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace generator
