// Reads any JSON document from its tape, and reports errors with their positions.
#pragma once

#include <set>
#include <utility>

#include "schemagen/json/document.h"
#include "schemagen/json/map_key.h"

namespace schemagen {

struct SchemaIdentity;

/// A forward cursor over the values of a document. Every function that reads a value checks the value's kind,
/// and throws DataError, with the path, line and column, if something is wrong.
class JsonReader {
 public:
  /// `document` and `options` must outlive the reader.
  JsonReader(const JsonDocument& document, const JsonReadOptions& options)
      : document_(document),
        tape_(document.tape()),
        options_(options),
        unknown_fields_(options.unknown_fields),
        memory_(document.memory_left()),
        next_progress_(options.progress.passed == nullptr ? tape_.size() : kProgressStep),
        text_cursor_(document.text()),
        left_out_(options.leave_out) {}

  const JsonTape& tape() const noexcept { return tape_; }

  /// Returns the index of the next word.
  std::size_t at() const noexcept { return at_; }
  JsonTape::Tag tag() const noexcept { return tape_.tag(at_); }
  void move_to(std::size_t index) noexcept { at_ = index; }

  bool is_string() const noexcept { return tag() == JsonTape::kString; }
  /// If the value is null, skips it and returns true.
  bool take_null() noexcept {
    if (tag() != JsonTape::kNull) return false;
    ++at_;
    return true;
  }

  bool boolean() {
    const JsonTape::Tag found = tag();
    if (found != JsonTape::kTrue && found != JsonTape::kFalse) expected("true or false");
    ++at_;
    return found == JsonTape::kTrue;
  }
  std::int64_t integer() {
    if (tag() != JsonTape::kInt64) not_an_integer();
    const auto value = tape_.number<std::int64_t>(at_);
    at_ += 2;
    return value;
  }
  /// Reads an integer of a type other than `int`. `min` and `max` are the bounds of the type.
  std::int64_t integer(std::int64_t min, std::int64_t max) {
    const auto value = tag() == JsonTape::kInt64 ? tape_.number<std::int64_t>(at_) : 0;
    if (tag() != JsonTape::kInt64 || value < min || value > max)
      not_in_range(min, static_cast<std::uint64_t>(max));
    at_ += 2;
    return value;
  }
  std::uint64_t natural();
  double floating();
  /// Returns the nearest float. Throws DataError in the same cases as floating(), and also if the number is
  /// too large.
  float single();
  /// Returns a string. The result is valid until the next string is read.
  std::string_view string() {
    const std::string_view value = name();
    check_length(at_ - 1, value.size());
    return value;
  }
  /// Returns a string without a length limit, such as the name of a field or enum member.
  std::string_view name() {
    if (tag() != JsonTape::kString) expected("a string");
    return tape_.string(at_++, unescaped_);
  }
  /// Throws DataError if `size`, the size of the string at `index`, exceeds the limit.
  void check_length(std::size_t index, std::size_t size) const {
    if (size > options_.limits.string_bytes) too_long(index, "a string", size);
  }
  /// Skips the value and returns its text, exactly as in the document.
  std::string_view raw();
  /// Reads bytes from base64, with or without padding.
  Bytes bytes();
  template <class T>
  void list(std::vector<T>& out);
  template <class T, class Key>
  void map(Map<T, Key>& out);
  struct Contents {
    std::size_t end;  // index of the closing bracket
    std::size_t size;
  };
  /// Moves into the next value, which must be of kind `tag`. Throws DataError if it has too many items.
  Contents enter(JsonTape::Tag tag, const char* kind);
  /// Skips an empty list.
  void empty_list() {
    if (tag() != JsonTape::kArray || tape_.count(at_) != 0) expected("an empty list");
    at_ += 2;
  }

  /// Charges `count` values of `size` bytes each to the memory budget. Must be called before the values are
  /// allocated. Throws DataError if they exceed the memory limit.
  void take_memory(std::size_t count, std::size_t size) {
    if (!memory_.take(count, size)) fail_too_large();
  }
  /// Does the same for the items of the next list or map, which needs `blocks` heap blocks. Returns the
  /// number of items to reserve.
  std::size_t room(std::size_t count, std::size_t size, std::size_t blocks = 1) {
    take_memory(count, size);
    if (count != 0) take_memory(blocks, MemoryBudget::kPerBlock);
    if (at_ >= next_progress_) tell_progress();
    return MemoryBudget::at_once(count, size);
  }

  /// Throws a DataError for the next value.
  [[noreturn]] void fail(std::string reason) const { document_.fail(at_, std::move(reason)); }
  [[noreturn]] void fail_at(std::size_t index, std::string reason) const {
    document_.fail(index, std::move(reason));
  }
  [[noreturn]] void expected(const char* what) const;
  /// Throws DataError because `name`, at `index`, is not a member of the enum `type`.
  [[noreturn]] void fail_no_member(std::size_t index, const ReflectedType& type, std::string_view name) const;

  /// If the options allow unknown keys, skips the value of the key and records the key; otherwise throws
  /// DataError with `complaint`. `is_member` is true if the key is a union's member.
  void pass_unknown(std::size_t key, bool is_member, const std::string& complaint);
  /// Returns whether the options leave out any field of the struct `type`.
  bool leaves_out_of(std::string_view type) const noexcept { return left_out_.has_of(type); }
  /// If the options leave the field out, skips its value and returns true.
  bool pass_left_out(std::string_view type, std::string_view name);
  /// Reads the version in the field `field` of the next struct, which is of type `type`, and decides how to
  /// treat unknown fields. Throws DataError if the major version differs from that of `schema`.
  void check_version(const SchemaIdentity& schema, std::string_view type, std::string_view field);
  /// Returns text to append to error messages if the document has a different minor version.
  const std::string& version_note() const noexcept { return version_note_; }
  /// Returns how much of Limits::memory_bytes remains after subtracting the values read so far.
  std::size_t memory_left() const noexcept { return memory_.left(); }
  /// Writes the skipped, preserved and left-out fields to the vectors that the options refer to. Call this
  /// function once, at the end.
  void report();

 private:
  void tell_progress();
  void report_skipped();
  void report_preserved();
  [[noreturn]] void not_an_integer() const;
  [[noreturn]] void not_in_range(std::int64_t min, std::uint64_t max) const;
  [[noreturn]] void too_long(std::size_t index, const char* what, std::size_t size) const;
  [[noreturn]] void fail_too_large() const;

  /// The minimum number of words between progress reports. They correspond to about half a MiB of text.
  static constexpr std::size_t kProgressStep = std::size_t{1} << 15;

  const JsonDocument& document_;
  const JsonTape& tape_;
  const JsonReadOptions& options_;
  /// The same as in the options, unless the document has a newer minor version.
  UnknownFields unknown_fields_;
  std::string version_note_;
  MemoryBudget memory_;
  std::size_t at_ = JsonDocument::root();
  std::size_t next_progress_;  // index of the word at which to report progress next
  JsonTextCursor text_cursor_;
  std::string unescaped_;
  struct Unknown {
    std::size_t key;
    bool is_member;
    std::string_view text;  // the value's text, if it is preserved
  };
  std::vector<Unknown> unknown_;  // only the fields to report
  LeftOutFields left_out_;
};

struct JsonField {
  std::string_view name;
  bool required;
};

/// Reads the fields of a struct, in any order.
///
///     for (JsonFields fields(in, kFields); fields.next();) {
///       switch (fields.index()) { case 0: read_json(in, out.name); break; ... }
///     }
///
/// Read exactly one value after each call of next(). Throws DataError if a field is unknown (unless the
/// options allow unknown fields), if a field occurs twice, or if a required field is missing.
class JsonFields {
 public:
  template <std::size_t N>
  JsonFields(JsonReader& in, const JsonField (&fields)[N]) : JsonFields(in, fields, N) {}
  /// Reads the struct `type` of the schema. Skips the fields that the options leave out.
  JsonFields(JsonReader& in, const JsonField* fields, std::size_t count, std::string_view type = {})
      : in_(in),
        type_(type),
        leaves_out_(in.leaves_out_of(type)),
        fields_(fields),
        count_(count),
        start_(in.at()) {
    if (in.tag() != JsonTape::kObject) in.expected("an object");
    end_ = in.tape().after(start_) - 1;
    in.move_to(start_ + 1);
  }

  /// Moves to the next known field. At the end, moves past the object and returns false.
  bool next();
  std::size_t index() const noexcept { return index_; }

 private:
  static constexpr std::size_t kBefore = static_cast<std::size_t>(-1);

  bool find(std::string_view key);
  void leave_order();
  void check_missing();
  void mark_seen();

  JsonReader& in_;
  std::string_view type_;
  bool leaves_out_;
  const JsonField* fields_;
  std::size_t count_;
  std::size_t start_;
  std::size_t end_;
  std::size_t index_ = kBefore;

  // Not needed as long as all fields up to index_ come in the schema's order without a gap.
  struct Rare {
    std::vector<bool> seen;
    std::set<std::string_view> skipped;
  };
  std::unique_ptr<Rare> rare_;
};

class JsonItems {
 public:
  explicit JsonItems(JsonReader& in) : in_(in), contents_(in.enter(JsonTape::kArray, "a list")) {}

  std::size_t size() const noexcept { return contents_.size; }
  /// Returns whether another item follows. At the end, moves past the list.
  bool next() {
    if (in_.at() != contents_.end) return true;
    in_.move_to(contents_.end + 1);
    return false;
  }

 private:
  JsonReader& in_;
  JsonReader::Contents contents_;
};

class JsonEntries {
 public:
  explicit JsonEntries(JsonReader& in) : in_(in), contents_(in.enter(JsonTape::kObject, "an object")) {}

  std::size_t size() const noexcept { return contents_.size; }
  /// Moves to the next value and returns its key. At the end, moves past the map and returns nullopt.
  std::optional<std::string_view> next() {
    if (in_.at() == contents_.end) {
      in_.move_to(contents_.end + 1);
      return std::nullopt;
    }
    return in_.name();
  }

 private:
  JsonReader& in_;
  JsonReader::Contents contents_;
};

/// Reads a union: an object with exactly one key.
class JsonMember {
 public:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  template <std::size_t N>
  JsonMember(JsonReader& in, const std::string_view (&names)[N]) : JsonMember(in, names, N) {}
  /// Moves to the member's value. Throws DataError unless the union is an object with exactly one key. If the
  /// key is unknown and the options allow this, skips the member's value and makes index() return kUnknown;
  /// if they do not, throws DataError.
  JsonMember(JsonReader& in, const std::string_view* names, std::size_t count);

  std::size_t index() const noexcept { return index_; }
  /// Moves past the union.
  void finish() noexcept { in_.move_to(in_.at() + 1); }

 private:
  JsonReader& in_;
  std::size_t index_ = kUnknown;
};

template <class T>
void JsonReader::list(std::vector<T>& out) {
  JsonItems items(*this);
  out.clear();
  out.reserve(room(items.size(), sizeof(T)));
  while (items.next()) {
    if constexpr (std::is_same_v<T, bool>) {
      out.push_back(boolean());
    } else {
      read_json(*this, out.emplace_back());
    }
  }
}

template <class T, class Key>
void JsonReader::map(Map<T, Key>& out) {
  JsonEntries entries(*this);
  out.clear();
  out.reserve(room(entries.size(), Map<T, Key>::kBytesPerEntry, Map<T, Key>::kBlocks));
  for (std::size_t start = at(); const auto key = entries.next(); start = at()) {
    const auto [value, is_new] = out.try_emplace(Key(detail::key_of_map<Key>(*this, start, *key)));
    if (!is_new) fail_at(start, "duplicate key " + schemagen::quoted(*key));
    read_json(*this, *value);
  }
}

}  // namespace schemagen
