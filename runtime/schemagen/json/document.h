// One JSON document: its text, its tape, and the answer to "where in the text is this value?". Several
// threads may read the same object at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/json/options.h"
#include "schemagen/json/tape.h"
#include "schemagen/value/error.h"

namespace schemagen {

/// A parsed document. Positions in it are indices of tape words.
class JsonDocument {
 public:
  /// Parses `text`, which must outlive the document.
  /// Errors: DataError with path, line and column, if it is not one JSON value within the limits.
  JsonDocument(std::string_view text, const JsonReadOptions& options);

  const JsonTape& tape() const noexcept { return tape_; }
  std::string_view text() const noexcept { return text_; }
  const Limits& limits() const noexcept { return limits_; }
  /// What the parsed form, and the strings of values to be made of it, leave of Limits::memory_bytes.
  std::size_t memory_left() const noexcept;

  /// Index of the one value.
  static constexpr std::size_t root() { return 1; }

  /// The path of the value at `index` from the root, as `graph.nodes[3].name`; of a key, that of its value;
  /// of a closing bracket, that of its container.
  std::string path(std::size_t index) const;
  /// Line and column of the value or key at `index`. Scans the text: O(its size).
  Place place(std::size_t index) const;
  /// Throws DataError if the document has bare NaN or Infinity, which JSON lacks.
  void refuse_bare_nonfinite() const;
  /// Throws DataError about the value or key at `index`.
  [[noreturn]] void fail(std::size_t index, std::string reason) const;

 private:
  std::string_view text_;
  Limits limits_;
  JsonTape tape_;
};

/// Walks the paths of a tape, forwards, to find those of several values.
class JsonPathCursor {
 public:
  explicit JsonPathCursor(const JsonTape& tape) : tape_(tape) {}

  /// As JsonDocument::path(), of a word that is not before that of the last call.
  const std::string& seek(std::size_t index);

  /// The way to the container of what seek() found last, which is in one.
  std::vector<KeptStep> steps() const;
  /// The key before the one that seek() found last, in the same object; 0: none.
  std::size_t previous_key() const noexcept { return levels_.back().previous; }

 private:
  struct Level {
    std::size_t count;     // of its children
    std::size_t previous;  // the child before
    std::size_t child;     // the one that path_ goes through: its key or, in a list, its value
    std::size_t number;    // of that child
    std::size_t end;       // the closing bracket
    bool is_object;
    std::size_t path_size;  // of the container itself
  };
  void enter(std::size_t container);

  const JsonTape& tape_;
  std::vector<Level> levels_;
  std::string path_;
};

/// Offset past the last byte of the token of a JSON text that begins at `at`.
std::size_t end_of_json_token(std::string_view text, std::size_t at);

/// Walks a text beside its tape, forwards, to find the bytes of a value.
class JsonTextCursor {
 public:
  explicit JsonTextCursor(std::string_view text) : text_(text) {}

  /// Offset of the first byte of the token of word `index`, which is not before that of the last call.
  std::size_t seek(std::size_t index);
  /// Offset past the last byte of the token that `seek` found last.
  std::size_t end_of_token() const { return end_of_json_token(text_, at_); }

 private:
  void skip_separators();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t index_ = 1;
};

}  // namespace schemagen
