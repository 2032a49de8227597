// YAML text to nodes with places, strictly. `yaml.cpp` is the only file that knows yaml-cpp.
//
// Refused are the parts of YAML in which two readers can disagree or in which something is lost in
// silence: duplicate keys, anchors, aliases, tags, merge keys, directives, several documents, and
// keys that are not text. Scalars stay text; the read_ functions below give them meaning.
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
    invalid,  // could not be understood and was reported; readers say nothing more about it
    scalar,
    sequence,
    map,
  };
  Kind kind = Kind::invalid;
  bool quoted = false;    // scalar: in quotes or a block (`|`, `>`), so a string whatever it says
  bool verbatim = false;  // scalar: `text` stands in the source as it is, with nothing escaped or folded
  Span span;              // scalar: its text with the quotes; sequence and map: the first character
  std::string text;       // scalar; empty and not quoted: nothing is written
  std::vector<YamlNode> items;     // sequence
  std::vector<YamlEntry> entries;  // map, in order; a duplicate key (reported) comes with both of its values

  /// The first entry with this key; null if there is none or the node is no map.
  const YamlEntry* find(std::string_view key) const;

  /// The place of `length` bytes of a scalar's text from `offset`; the whole scalar's where the text is
  /// not verbatim in the source.
  Span part(std::size_t offset, std::size_t length) const;
};

struct YamlEntry {
  YamlNode key;  // a scalar
  YamlNode value;
};

/// The root of the one document in `diagnostics.text()`.
/// Errors are added to `diagnostics`. After a syntax error or a passed limit the root is
/// Kind::invalid; after any other the rest is there, so that later stages can report theirs too.
/// Limits: 16 MiB of text, 64 levels, 1 Mi (2^20) nodes.
YamlNode parse_yaml(Diagnostics& diagnostics);

/// Whether `node` is a map or a sequence, as `kind` says; if not, `what` must be one: an error with `hint`.
/// Of a node of Kind::invalid nothing is said.
bool check_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view what, Diagnostics& diagnostics,
                std::string hint = {});

/// "a map", "a list", "nothing", "null", "the string 'x'" (quoted) or "'x'": for messages.
std::string describe(const YamlNode& node);

/// Is nothing written?
bool is_nothing(const YamlNode& node);

/// Is it the plain scalar `null`?
bool is_null(const YamlNode& node);

/// Does a YAML reader take it for null, a bool or a number, in any version of YAML, although it is no
/// quoted string? E.g. `~`, `no`, `0o17`.
bool is_ambiguous_as_string(const YamlNode& node);

// Each gives the value of a scalar, or none after an error at its place that says `what` must be that
// kind of value and, where the author's intention can be seen, how to write it. `what` is the subject
// of the sentence, e.g. "'id'". A node of Kind::invalid gives none and no message.

/// A string, quoted or plain; null and nothing are errors.
std::optional<std::string> read_string(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// `true` or `false`.
std::optional<bool> read_bool(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Whether it is decimal digits without leading zeros, with or without a minus.
bool check_integer(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// Such digits, in 64 bits.
std::optional<std::int64_t> read_int(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);
/// A number as JSON writes it, integers included; it must be finite as a double.
std::optional<double> read_float(const YamlNode& node, std::string_view what, Diagnostics& diagnostics);

}  // namespace generator
