// What generated code reads JSON through. An object is for one thread at a time; the functions may be called
// from several threads at once, each with a reader of its own.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "schemagen/base/fields.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/map.h"
#include "schemagen/base/reflection.h"
#include "schemagen/base/syntax.h"
#include "schemagen/base/value.h"
#include "schemagen/json/document.h"
#include "schemagen/json/json.h"

namespace schemagen {

// First, straight off the text, without a tape. PlainJsonReader knows what is right and common; at anything
// else it gives up, and JsonReader reads all of it again, from a tape, and says what is wrong. So what this
// accepts, JsonReader accepts, with the same value.

struct SchemaIdentity;

/// The most that `text` and its tape would take of Limits::memory_bytes. A plain reader makes none, but
/// leaves as much for values as JsonReader has, who is asked where this one gives up.
constexpr std::size_t most_of_tape(std::string_view text) {
  return text.size() + (text.size() + 3) * sizeof(std::uint64_t);
}

/// Thrown where a PlainJsonReader gives up.
struct NotPlain {};

/// A position in a text that moves over its values from first to last, with the functions of JsonReader.
/// Every fault is NotPlain.
class PlainJsonReader {
 public:
  /// `text`, which is that of a PaddedText, and `options` must outlive the reader.
  /// most_of_tape(text) is within the limits of `options`.
  PlainJsonReader(std::string_view text, const JsonReadOptions& options);

  /// To be called at the end.
  void finish();

  const char* at() const noexcept { return at_; }
  const JsonReadOptions& options() const noexcept { return options_; }

  /// From now on values are read over others, whose memory they keep: each is then as if it had been new.
  /// Gives up where fields are left out.
  void read_over() {
    if (!options_.leave_out.empty()) give_up();
    reads_over_ = true;
  }
  bool reads_over() const noexcept { return reads_over_; }
  [[noreturn]] static void give_up();
  /// Gives up: what is wrong is said by JsonReader.
  [[noreturn]] void fail_at(const char*, const std::string&) const { give_up(); }
  [[noreturn]] void fail_no_member(const char*, const ReflectedType&, std::string_view) const { give_up(); }
  [[noreturn]] void fail_no_number(const char*, std::string_view, int) const { give_up(); }

  bool is_string() const noexcept { return *at_ == '"'; }
  /// Moves past a null; false if the value is not null.
  bool take_null() {
    if (*at_ != 'n') return false;
    take_word("null");
    return true;
  }
  bool boolean() {
    if (*at_ == 't') {
      take_word("true");
      return true;
    }
    take_word("false");
    return false;
  }
  [[gnu::always_inline]] std::int64_t integer() {
    const bool is_negative = *at_ == '-';
    const char* const digits = at_ + (is_negative ? 1 : 0);
    const char* end = digits;
    std::int64_t value = 0;
    constexpr std::ptrdiff_t kSafeDigits = 18;  // of which all numbers fit
    while (end - digits < kSafeDigits && is_digit(*end)) value = value * 10 + (*end++ - '0');
    // What else stands behind it is looked at by who reads on.
    if (end == digits || is_digit(*end) || (*digits == '0' && end - digits > 1)) give_up();
    at_ = end;
    return is_negative ? -value : value;
  }
  /// One of another type than `int`, with these bounds.
  std::int64_t integer(std::int64_t min, std::int64_t max) {
    const std::int64_t value = integer();
    if (value < min || value > max) give_up();
    return value;
  }
  std::uint64_t natural() {
    const std::int64_t value = integer();
    if (value < 0) give_up();
    return static_cast<std::uint64_t>(value);
  }
  double floating();
  float single();
  /// Holds until the next one is read.
  std::string_view string() {
    const std::string_view value = any_string();
    if (value.size() > options_.limits.string_bytes) give_up();
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
    open('[');
    if (next(true, ']')) give_up();
  }

  /// To be called for each value of `size` bytes before it is made.
  void take_memory(std::size_t count, std::size_t size) {
    if (!memory_.take(count, size)) give_up();
  }

  /// Moves past the bracket that opens a value.
  [[gnu::always_inline]] void open(char bracket) {
    if (*at_ != bracket || ++depth_ > options_.limits.depth) give_up();
    ++at_;
  }
  /// Moves past the bracket that closes a value.
  [[gnu::always_inline]] void close(char bracket) {
    if (*at_ != bracket) skip_blanks();
    if (*at_ != bracket || at_ >= end_) give_up();
    ++at_;
    --depth_;
  }
  /// Whether another item or member follows, and moves to it; otherwise moves past the closing bracket.
  [[gnu::always_inline]] bool next(bool is_first, char closing) {
    if (!is_first && at_ < end_ && at_[0] == ',' && at_[1] == ' ' && at_[2] > ' ') {
      at_ += 2;
      return true;
    }
    return next_after_blanks(is_first, closing);
  }
  /// Moves to the key of a union's member.
  void open_union() {
    open('{');
    if (*at_ != '"') skip_blanks();
    if (at_ >= end_) give_up();
  }
  /// Whether the key that is here is this one, a literal with its quotes, and moves to its value; otherwise
  /// stays.
  template <std::size_t N>
  [[gnu::always_inline]] bool take_key(const char (&key)[N]) {
    if (!is_key(at_, key)) return false;
    pass_key(N - 1);
    return true;
  }
  /// Whether the next member has this key, and moves to its value; otherwise stays.
  template <std::size_t N>
  [[gnu::always_inline]] bool take_member(const char (&key)[N], bool is_first) {
    constexpr std::size_t kSize = N - 1;
    // As Python writes it, and the writer here.
    const char* const at = at_ + (is_first ? 0 : 2);
    if (at_ < end_ && (is_first || (at_[0] == ',' && at_[1] == ' ')) && is_key(at, key) && at[kSize] == ':' &&
        at[kSize + 1] == ' ' && at[kSize + 2] > ' ') {
      at_ = at + kSize + 2;
      return true;
    }
    return take_member_among_blanks({key, kSize}, is_first);
  }
  /// Moves past a key and to its value. The key holds until the next string is read.
  std::string_view key() {
    const std::string_view found = string();
    take_colon();
    return found;
  }
  /// Moves over a value.
  void skip();

  bool leaves_out_of(std::string_view type) const noexcept {
    return !options_.leave_out.empty() && left_out_.has_of(type);
  }
  /// Moves over the value of a field that is left out; false for one that is not.
  bool pass_left_out(std::string_view type, std::string_view name) {
    if (!left_out_.meet(type, name)) return false;
    skip();
    return true;
  }
  /// Gives up if the struct that is read next states another version than `schema`'s.
  void check_version(const SchemaIdentity& schema, std::string_view field);
  void tell_progress() {
    if (at_ >= next_progress_) tell_progress_now();
  }

 private:
  void skip_blanks() {
    while (at_ < end_ && is_blank(*at_)) ++at_;
  }
  [[gnu::always_inline]] void take_colon() {
    if (at_[0] == ':' && at_[1] == ' ' && at_[2] > ' ') {
      at_ += 2;
    } else {
      take_colon_and_blanks();
    }
  }
  void take_colon_and_blanks();
  bool next_after_blanks(bool is_first, char closing);
  bool take_member_among_blanks(std::string_view key, bool is_first);
  template <std::size_t N>
  [[gnu::always_inline]] bool is_key(const char* at, const char (&key)[N]) const {
    constexpr std::size_t kSize = N - 1;
    constexpr std::size_t kShort = 32;  // may be looked for behind the text, too
    if (kSize > kShort && end_ - at < static_cast<std::ptrdiff_t>(kSize)) return false;
    return std::memcmp(at, key, kSize) == 0;
  }
  void pass_key(std::size_t size);
  void take_word(std::string_view word) {
    if (std::memcmp(at_, word.data(), word.size()) != 0) give_up();
    at_ += word.size();
  }
  std::string_view any_string();
  std::string_view number_token() const;
  void skip_string();
  void skip_scalar();
  void tell_progress_now();
  /// How many values to make room for where there have been `count` since `begin`.
  std::size_t room_for(std::size_t count, const char* begin) const noexcept;

  const char* at_;
  const char* const begin_;
  const char* const end_;
  const JsonReadOptions& options_;
  MemoryBudget memory_;
  std::size_t depth_ = 0;
  std::size_t guessed_entries_ = 1;  // of a map: as many as the last small one had
  const char* next_progress_;
  std::string unescaped_;
  LeftOutFields left_out_;
  bool reads_over_ = false;
};

/// Goes over the fields of a struct, which must come in the order of the schema.
///
///     PlainFields fields(in, "Device");
///     if (fields.require("\"type\"")) read_json(in, out.type);
///     if (fields.take("\"index\"")) read_json(in, out.index); else fields.absent(out.index);
///     fields.finish();
class PlainFields {
 public:
  [[gnu::always_inline]] PlainFields(PlainJsonReader& in, std::string_view type)
      : in_(in), type_(type), leaves_out_(in.leaves_out_of(type)) {
    in.open('{');
  }

  /// Whether the value of this field is to be read: it comes next, and is not left out. `key`: with its
  /// quotes.
  template <std::size_t N>
  [[gnu::always_inline]] bool take(const char (&key)[N]) {
    return in_.take_member(key, is_first_) && is_read({key + 1, N - 3});
  }
  /// The same for a field that must be there.
  template <std::size_t N>
  [[gnu::always_inline]] bool require(const char (&key)[N]) {
    if (!in_.take_member(key, is_first_)) in_.give_up();
    return is_read({key + 1, N - 3});
  }
  /// Of a field that take() has not found.
  template <class T>
  void absent(std::optional<T>& out) {
    out.reset();
  }
  template <class T>
  void absent(T&) {
    if (in_.reads_over()) in_.give_up();  // its default is not known here
  }
  [[gnu::always_inline]] void finish() { in_.close('}'); }

 private:
  [[gnu::always_inline]] bool is_read(std::string_view name) {
    is_first_ = false;
    return !leaves_out_ || !in_.pass_left_out(type_, name);
  }

  PlainJsonReader& in_;
  std::string_view type_;
  bool leaves_out_;
  bool is_first_ = true;
};

/// Goes over the items of a list.
class PlainItems {
 public:
  explicit PlainItems(PlainJsonReader& in) : in_(in), begin_(in.at()) {
    in.open('[');
    in.tell_progress();
  }
  /// Whether another item follows, which takes `size` bytes; at the end the reader is past the list.
  bool next(std::size_t size) {
    if (!in_.next(count_ == 0, ']')) return false;
    if (++count_ > in_.options().limits.container_items) in_.give_up();
    in_.take_memory(1, size);
    return true;
  }
  const char* begin() const noexcept { return begin_; }

 private:
  PlainJsonReader& in_;
  const char* begin_;
  std::size_t count_ = 0;
};

namespace detail {
/// The first items of a list: how many there will be is not known, and most have few.
template <class T>
class FirstItems {
 public:
  FirstItems() noexcept {}
  FirstItems(const FirstItems&) = delete;
  FirstItems& operator=(const FirstItems&) = delete;
  ~FirstItems() { std::destroy_n(items(), size_); }

  static constexpr std::size_t kMost =
      std::clamp(std::size_t{1024} / sizeof(T), std::size_t{4}, std::size_t{16});

  std::size_t size() const noexcept { return size_; }
  T& add() {
    T* const added = ::new (static_cast<void*>(storage_ + size_ * sizeof(T))) T();
    ++size_;
    return *added;
  }
  T* items() noexcept { return std::launder(reinterpret_cast<T*>(storage_)); }

 private:
  alignas(T) unsigned char storage_[kMost * sizeof(T)];
  std::size_t size_ = 0;
};
}  // namespace detail

template <class T>
void PlainJsonReader::list(std::vector<T>& out) {
  PlainItems items(*this);
  bool more = items.next(sizeof(T));
  if (more) take_memory(1, MemoryBudget::kPerBlock);
  if (!out.empty()) {
    std::size_t count = 0;
    for (; more && count != out.size(); more = items.next(sizeof(T))) read_json(*this, out[count++]);
    while (out.size() > count) out.pop_back();
  } else {
    detail::FirstItems<T> first;
    for (; more && first.size() != first.kMost; more = items.next(sizeof(T))) read_json(*this, first.add());
    out = std::vector<T>(std::make_move_iterator(first.items()),
                         std::make_move_iterator(first.items() + first.size()));
  }
  for (; more; more = items.next(sizeof(T))) {
    if (out.size() == out.capacity()) {
      take_memory(out.size(), sizeof(T));  // while they move, they are there twice
      out.reserve(room_for(out.size(), items.begin()));
    }
    read_json(*this, out.emplace_back());
  }
}

inline void PlainJsonReader::booleans(std::vector<bool>& out) {
  out.clear();
  take_memory(1, MemoryBudget::kPerBlock);
  for (PlainItems items(*this); items.next(1);) out.push_back(boolean());
}

namespace detail {
/// The number that a key says; nullopt: it is none, or has a zero, plus or blank too much, or too many bits.
template <class Int>
std::optional<Int> number_of_key(std::string_view text) noexcept {
  Int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr std::size_t kMostDigits = 24;
  char again[kMostDigits];
  const auto written = std::to_chars(again, again + kMostDigits, number);
  if (error != std::errc() || std::string_view(again, static_cast<std::size_t>(written.ptr - again)) != text)
    return std::nullopt;
  return number;
}

template <class Key, bool = std::is_enum_v<Key>>
struct KeyNumber {
  using Type = Key;
};
template <class Key>
struct KeyNumber<Key, true> {
  using Type = std::underlying_type_t<Key>;
};

/// The key of a map that stands at `at` as `text`. Errors: those of `in`.
template <class Key, class In, class At>
typename MapKey<Key>::View key_of_map(In& in, [[maybe_unused]] At at, std::string_view text) {
  if constexpr (std::is_same_v<Key, std::string>) {
    in.take_memory(1, MemoryBudget::beside_string(text.size()));
    return text;
  } else {
    using Number = typename KeyNumber<Key>::Type;
    if (const auto number = number_of_key<Number>(text)) return static_cast<Key>(*number);
    if constexpr (kIsNamedInJson<Key>) {
      const ReflectedType& names = json_names(static_cast<const Key*>(nullptr));
      const ReflectedField* const member = names.named(text);
      if (member == nullptr) in.fail_no_member(at, names, text);
      return static_cast<Key>(member->id);
    } else {
      in.fail_no_number(at, text, std::numeric_limits<Number>::digits + (std::is_signed_v<Number> ? 1 : 0));
    }
  }
}
}  // namespace detail

template <class T, class Key>
void PlainJsonReader::map(Map<T, Key>& out) {
  const char* const begin = at_;
  open('{');
  tell_progress();
  std::size_t room = guessed_entries_;
  std::size_t count = 0;
  for (; next(count == 0, '}'); ++count) {
    if (count == 0) {
      take_memory(room, Map<T, Key>::kBytesPerEntry);
      take_memory(Map<T, Key>::kBlocks, MemoryBudget::kPerBlock);
      out.reserve(room);
    }
    if (count == room) {
      room = room_for(room, begin);
      take_memory(room, Map<T, Key>::kBytesPerEntry);  // while they move, they are there twice
      out.reserve(room);
    }
    const char* const start = at_;
    T* const value = out.place(count, detail::key_of_map<Key>(*this, start, key()));
    if (value == nullptr || count >= options_.limits.container_items) give_up();
    read_json(*this, *value);
  }
  out.keep_first(count);
  constexpr std::size_t kSmall = 8;
  if (out.size() <= kSmall && !out.empty()) guessed_entries_ = out.size();
}

// Then, any JSON, from a document's tape. JsonReader names no JSON library.

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
  void report_kept();
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

// Values of all types but generated ones, by either reader.

template <class In>
void read_json(In& in, bool& out) {
  out = in.boolean();
}
template <class In>
void read_json(In& in, std::int64_t& out) {
  out = in.integer();
}
template <class In, class T, std::enable_if_t<kIsSmallInteger<T>, int> = 0>
void read_json(In& in, T& out) {
  using Bounds = std::numeric_limits<T>;
  out = static_cast<T>(in.integer(Bounds::min(), Bounds::max()));
}
template <class In>
void read_json(In& in, std::uint64_t& out) {
  out = in.natural();
}
template <class In>
void read_json(In& in, double& out) {
  out = in.floating();
}
template <class In>
void read_json(In& in, float& out) {
  out = in.single();
}
template <class In>
void read_json(In& in, std::string& out) {
  const std::string_view value = in.string();
  constexpr std::size_t kShort = 15;
  if (value.size() > kShort) in.take_memory(1, MemoryBudget::kPerBlock);
  if (value.size() <= out.capacity()) {
    out.assign(value.data(), value.size());
  } else {
    // Made anew: a construction is faster than an assignment, which has to look at what is there.
    out = std::string(value);
  }
}
template <class In>
void read_json(In& in, Json& out) {
  const std::string_view text = in.raw();
  in.take_memory(1, MemoryBudget::beside_string(text.size()));
  out.text.assign(text);
}
template <class In>
void read_json(In& in, Bytes& out) {
  in.take_memory(1, MemoryBudget::kPerBlock);
  out = in.bytes();
}
template <class In>
void read_json(In& in, Unit&) {
  in.empty_list();
}
template <class In, class T>
void read_json(In& in, std::vector<T>& out) {
  in.list(out);
}
template <class In>
void read_json(In& in, std::vector<bool>& out) {
  in.booleans(out);
}
template <class In>
void read_json(In& in, ByteList& out) {
  in.list(out);
}
template <class In, class T, class Key>
void read_json(In& in, Map<T, Key>& out) {
  in.map(out);
}

/// Enums are open: a number without a name is kept. Of those that JSON has by name, numbers are read, too.
template <class In, class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
void read_json(In& in, E& out) {
  static_assert(std::is_same_v<std::underlying_type_t<E>, std::int32_t>);
  const auto start = in.at();
  if constexpr (detail::kIsNamedInJson<E>) {
    if (in.is_string()) {
      const ReflectedType& names = json_names(static_cast<const E*>(nullptr));
      const std::string_view name = in.string();
      const ReflectedField* const member = names.named(name);
      if (member == nullptr) in.fail_no_member(start, names, name);
      out = static_cast<E>(member->id);
      return;
    }
  }
  const std::int64_t number = in.integer();
  if (number < std::numeric_limits<std::int32_t>::min() ||
      number > std::numeric_limits<std::int32_t>::max()) {
    in.fail_at(start, "the enum number " + std::to_string(number) + " does not fit in 32 bits");
  }
  out = static_cast<E>(number);
}

template <class In, class T>
void read_json(In& in, Box<T>& out) {
  in.take_memory(1, sizeof(T) + MemoryBudget::kPerBlock);
  read_json(in, out.filled());
}

template <class In, class T>
void read_json(In& in, std::optional<T>& out) {
  if (in.take_null()) {
    out.reset();
  } else {
    read_json(in, out ? *out : out.emplace());
  }
}

}  // namespace schemagen
