// Reads any JSON from the tape of a document, and reports faults with their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schemagen/base/left_out_fields.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/map.h"
#include "schemagen/base/reflection.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/base/value.h"
#include "schemagen/json/document.h"
#include "schemagen/json/json.h"
#include "schemagen/json/map_key.h"

namespace schemagen {

struct SchemaIdentity;

/// A position in a document that moves over its values from first to last.
/// Every read checks the kind of the value; faults are DataError with path, line and column.
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
  const JsonReadOptions& options() const noexcept { return options_; }

  /// The word that is read next.
  std::size_t at() const noexcept { return at_; }
  JsonTape::Tag tag() const noexcept { return tape_.tag(at_); }
  void move_to(std::size_t index) noexcept { at_ = index; }

  bool is_string() const noexcept { return tag() == JsonTape::kString; }
  /// Moves past a null; false if the value is not null.
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
  /// One of another type than `int`, with these bounds.
  std::int64_t integer(std::int64_t min, std::int64_t max) {
    const auto value = tag() == JsonTape::kInt64 ? tape_.number<std::int64_t>(at_) : 0;
    if (tag() != JsonTape::kInt64 || value < min || value > max)
      not_in_range(min, static_cast<std::uint64_t>(max));
    at_ += 2;
    return value;
  }
  std::uint64_t natural();
  double floating();
  /// The nearest float. Errors: as floating(); too large for one.
  float single();
  /// Holds until the next one is read.
  std::string_view string() {
    if (tag() != JsonTape::kString) expected("a string");
    const std::string_view value = tape_.string(at_, unescaped_);
    if (value.size() > options_.limits.string_bytes) too_long("a string", value.size());
    ++at_;
    return value;
  }
  /// The text of the value as it stands in the document.
  std::string_view raw();
  /// Bytes from base64 text, with or without padding.
  Bytes bytes();
  template <class T>
  void list(std::vector<T>& out);
  void booleans(std::vector<bool>& out);
  template <class T, class Key>
  void map(Map<T, Key>& out);
  /// Moves past a list without items.
  void empty_list() {
    if (tag() != JsonTape::kArray || tape_.count(at_) != 0) expected("an empty list");
    at_ += 2;
  }

  /// To be called before memory for `count` values of `size` bytes each is asked for. Errors: DataError
  /// beyond the limit.
  void take_memory(std::size_t count, std::size_t size) {
    if (!memory_.take(count, size)) fail_too_large();
  }
  /// The same for the items of a list or map, which is read next and has them in so many blocks: how many of
  /// them to make room for at once.
  std::size_t room(std::size_t count, std::size_t size, std::size_t blocks = 1) {
    take_memory(count, size);
    if (count != 0) take_memory(blocks, MemoryBudget::kPerBlock);
    if (at_ >= next_progress_) tell_progress();
    return MemoryBudget::at_once(count, size);
  }

  /// Throws DataError about the value that is read next.
  [[noreturn]] void fail(std::string reason) const { document_.fail(at_, std::move(reason)); }
  [[noreturn]] void fail_at(std::size_t index, std::string reason) const {
    document_.fail(index, std::move(reason));
  }
  [[noreturn]] void expected(const char* what) const;
  /// About `name`, at `index`, which the enum `type` does not have.
  [[noreturn]] void fail_no_member(std::size_t index, const ReflectedType& type, std::string_view name) const;
  /// About a key, at `index`, that is no integer of so many bits.
  [[noreturn]] void fail_no_number(std::size_t index, std::string_view key, int bits) const;

  /// Moves over the value of a key that the schema does not have, as the options allow, and reports it;
  /// otherwise fails with `complaint` about the key. `is_member`: of a union.
  void pass_unknown(std::size_t key, bool is_member, const std::string& complaint);
  /// Whether fields of the struct `type` are left out.
  bool leaves_out_of(std::string_view type) const noexcept { return left_out_.has_of(type); }
  /// Moves over the value of a field that is left out; false for one that is not.
  bool pass_left_out(std::string_view type, std::string_view name);
  /// Looks at the version that the struct `type`, which is read next, states in its member `field`: unknown
  /// fields are treated as it asks for. Errors: DataError, if it is of another major than `schema`.
  void check_version(const SchemaIdentity& schema, std::string_view type, std::string_view field);
  /// What errors add if another minor version wrote the document.
  const std::string& version_note() const noexcept { return version_note_; }
  /// Tells those whom the options name of all that was skipped, kept or left out; to be called once, at the
  /// end.
  void report();

 private:
  void tell_progress();
  void report_skipped();
  void report_preserved();
  [[noreturn]] void not_an_integer() const;
  [[noreturn]] void not_in_range(std::int64_t min, std::uint64_t max) const;
  [[noreturn]] void too_long(const char* what, std::size_t size) const;
  [[noreturn]] void fail_too_large() const;

  static constexpr std::size_t kProgressStep = std::size_t{1} << 15;  // words, of about half a MiB of text

  const JsonDocument& document_;
  const JsonTape& tape_;
  const JsonReadOptions& options_;
  UnknownFields unknown_fields_;  // as the options have it, unless a newer minor wrote the document
  std::string version_note_;
  MemoryBudget memory_;
  std::size_t at_ = JsonDocument::root();
  std::size_t next_progress_;  // the word at which it is told again
  JsonTextCursor text_cursor_;
  std::string unescaped_;
  struct Unknown {
    std::size_t key;
    bool is_member;
    std::string_view text;  // of its value; only if it is kept
  };
  std::vector<Unknown> unknown_;  // only those that are to be reported
  LeftOutFields left_out_;
};

/// One field of a struct, as generated tables list them.
struct JsonField {
  std::string_view name;
  bool required;
};

/// Goes over the fields of a struct, in whichever order the document has them.
///
///     for (JsonFields fields(in, kFields); fields.next();) {
///       switch (fields.index()) { case 0: read_json(in, out.name); break; ... }
///     }
///
/// After each next() exactly one value is read. Fails on an unknown field (unless the options skip it), on a
/// field that comes twice, and at the end on required fields that did not come.
class JsonFields {
 public:
  template <std::size_t N>
  JsonFields(JsonReader& in, const JsonField (&fields)[N]) : JsonFields(in, fields, N) {}
  /// Of the struct that the schema calls `type`, of which fields can be left out: these are passed over.
  template <std::size_t N>
  JsonFields(JsonReader& in, std::string_view type, const JsonField (&fields)[N])
      : JsonFields(in, fields, N, type) {}
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

  /// Moves to the next known field; false at the end, where the reader is past the object.
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
  bool in_order_ = true;  // the fields so far are those up to index_, without a gap: `seen` is not kept

  // What is kept of a struct whose fields come in another order than the schema's, or that has unknown ones.
  struct Rare {
    std::vector<bool> seen;
    std::set<std::string_view> skipped;
  };
  std::unique_ptr<Rare> rare_;
};

/// Goes over the items of a list.
class JsonItems {
 public:
  explicit JsonItems(JsonReader& in);

  std::size_t size() const noexcept { return size_; }
  /// Whether another item follows; at the end the reader is past the list.
  bool next() {
    if (in_.at() != end_) return true;
    in_.move_to(end_ + 1);
    return false;
  }

 private:
  JsonReader& in_;
  std::size_t end_;
  std::size_t size_;
};

/// Goes over the entries of a map.
class JsonEntries {
 public:
  explicit JsonEntries(JsonReader& in);

  std::size_t size() const noexcept { return size_; }
  /// Moves to the next value and gives its key; nullopt at the end, where the reader is past the map.
  std::optional<std::string_view> next() {
    if (in_.at() == end_) {
      in_.move_to(end_ + 1);
      return std::nullopt;
    }
    key_ = in_.at();
    return in_.string();
  }
  [[noreturn]] void fail_duplicate() const;

 private:
  JsonReader& in_;
  std::size_t end_;
  std::size_t size_;
  std::size_t key_ = 0;
};

/// The one member of a union: an object with exactly one key.
class JsonMember {
 public:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  template <std::size_t N>
  JsonMember(JsonReader& in, const std::string_view (&names)[N]) : JsonMember(in, names, N) {}
  /// Stands at the member's value, which is read next. Errors: not an object, no key or several, or a key
  /// that is no member (unless the options skip it: then index() is kUnknown and the value is passed).
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
  while (items.next()) read_json(*this, out.emplace_back());
}

template <class T, class Key>
void JsonReader::map(Map<T, Key>& out) {
  JsonEntries entries(*this);
  out.clear();
  out.reserve(room(entries.size(), Map<T, Key>::kBytesPerEntry, Map<T, Key>::kBlocks));
  for (std::size_t start = at(); const auto key = entries.next(); start = at()) {
    const auto [value, is_new] = out.try_emplace(Key(detail::key_of_map<Key>(*this, start, *key)));
    if (!is_new) entries.fail_duplicate();
    read_json(*this, *value);
  }
}

}  // namespace schemagen
