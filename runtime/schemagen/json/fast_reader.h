// Reads JSON directly from the text, without a tape. FastJsonReader accepts JSON that is valid and has no
// rare features, and gives up on anything else. JsonReader then reads the text again, from a tape, and
// reports any error. If FastJsonReader accepts a text, both readers return the same value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>

#include "schemagen/base/ascii.h"
#include "schemagen/json/map_key.h"

namespace schemagen {

struct SchemaIdentity;

/// Returns an upper bound for the part of Limits::memory_bytes that `text` and its tape take. The fast reader
/// has no tape, but it leaves the same amount of memory for values as JsonReader does.
constexpr std::size_t most_of_tape(std::string_view text) {
  return text.size() + (text.size() + 3) * sizeof(std::uint64_t);
}

/// Thrown when FastJsonReader gives up.
struct NotPlain {};

/// A forward cursor over the values of a JSON text, with the same interface as JsonReader. All functions
/// throw NotPlain if anything is wrong with the text.
class FastJsonReader {
 public:
  /// `text` must come from a PaddedText. Both `text` and `options` must outlive the reader.
  /// most_of_tape(text) must be within the limits.
  FastJsonReader(std::string_view text, const JsonReadOptions& options);

  /// Gives up unless only blanks remain. Fills in the options' `left_out` and `preserved`.
  void finish();

  const char* at() const noexcept { return at_; }
  const JsonReadOptions& options() const noexcept { return options_; }

  /// Makes all later reads overwrite existing values and reuse their memory. Gives up if the options leave
  /// out any fields.
  void read_over() {
    if (!options_.leave_out.empty()) give_up();
    reads_over_ = true;
  }
  bool reads_over() const noexcept { return reads_over_; }
  [[noreturn]] static void give_up();
  /// Gives up; JsonReader reports the error.
  [[noreturn]] void fail_at(const char*, const std::string&) const { give_up(); }
  [[noreturn]] void fail_no_member(const char*, const ReflectedType&, std::string_view) const { give_up(); }

  bool is_string() const noexcept { return *at_ == '"'; }
  /// If the value is null, skips it and returns true.
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
    constexpr std::ptrdiff_t kSafeDigits = 18;  // this many digits always fit
    while (end - digits < kSafeDigits && is_digit(*end)) value = value * 10 + (*end++ - '0');
    // The next read checks the character that follows.
    if (end == digits || is_digit(*end) || (*digits == '0' && end - digits > 1)) give_up();
    at_ = end;
    return is_negative ? -value : value;
  }
  /// Reads an integer of a type other than `int`. `min` and `max` are the bounds of the type.
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
  /// Returns a string. The result is valid until the next string is read.
  std::string_view string() {
    const std::string_view value = name();
    check_length(at_, value.size());
    return value;
  }
  /// Returns a string without a length limit, such as the name of a field or enum member.
  std::string_view name();
  void check_length(const char*, std::size_t size) const {
    if (size > options_.limits.string_bytes) give_up();
  }
  /// Skips the value and returns its text, exactly as in the document.
  std::string_view raw();
  /// Reads bytes from base64, with or without padding.
  Bytes bytes();

  template <class T>
  void list(std::vector<T>& out);
  template <class T, class Key>
  void map(Map<T, Key>& out);
  /// Skips an empty list.
  void empty_list() {
    open('[');
    if (next(true, ']')) give_up();
  }

  /// Charges `count` values of `size` bytes each to the memory budget. Must be called before the values are
  /// created.
  void take_memory(std::size_t count, std::size_t size) {
    if (!memory_.take(count, size)) give_up();
  }

  [[gnu::always_inline]] void open(char bracket) {
    if (*at_ != bracket || !levels_.take()) give_up();
    ++at_;
  }
  [[gnu::always_inline]] void close(char bracket) {
    if (*at_ != bracket) skip_blanks();
    if (*at_ != bracket || at_ >= end_) give_up();
    ++at_;
    levels_.give_back();
  }
  /// Moves to the next item or member and returns true, or skips the closing bracket and returns false.
  [[gnu::always_inline]] bool next(bool is_first, char closing) {
    if (!is_first && at_ < end_ && at_[0] == ',' && at_[1] == ' ' && at_[2] > ' ') {
      at_ += 2;
      return true;
    }
    return next_after_blanks(is_first, closing);
  }
  /// Moves to the key of a union's member.
  [[gnu::always_inline]] void open_union() {
    open('{');
    if (*at_ != '"') skip_blanks();
    if (at_ >= end_) give_up();
  }
  /// If the next key is `key`, moves to its value and returns true. `key` is a literal that includes the
  /// quotes.
  template <std::size_t N>
  [[gnu::always_inline]] bool take_key(const char (&key)[N]) {
    if (!is_key(at_, key)) return false;
    pass_key(N - 1);
    return true;
  }
  /// If the next member has this key, moves to its value and returns true. Otherwise does not move.
  template <std::size_t N>
  [[gnu::always_inline]] bool take_member(const char (&key)[N], bool is_first) {
    constexpr std::size_t kSize = N - 1;
    // Skips the separator that Python and this library write.
    const char* const at = at_ + (is_first ? 0 : 2);
    if (at_ < end_ && (is_first || (at_[0] == ',' && at_[1] == ' ')) && is_key(at, key) && at[kSize] == ':' &&
        at[kSize + 1] == ' ' && at[kSize + 2] > ' ') {
      at_ = at + kSize + 2;
      return true;
    }
    return take_member_among_blanks({key, kSize}, is_first);
  }
  /// Skips a key and returns it. The result is valid until the next string is read.
  std::string_view key() {
    const std::string_view found = name();
    take_colon();
    return found;
  }
  void skip();

  bool leaves_out_of(std::string_view type) const noexcept {
    return !options_.leave_out.empty() && left_out_.has_of(type);
  }
  /// If the options leave the field out, skips its value and returns true.
  bool pass_left_out(std::string_view type, std::string_view name) {
    if (!left_out_.leaves_out(type, name)) return false;
    skip();
    return true;
  }
  /// Gives up if the version in the next struct differs from `schema`'s.
  void check_version(const SchemaIdentity& schema, std::string_view field);
  void tell_progress() {
    if (at_ >= next_progress_) tell_progress_now();
  }

  /// Returns whether the text was nested so deeply that defaults could push it over the depth limit.
  bool was_deep() const noexcept { return levels_.was_low(); }
  /// Returns how much of Limits::memory_bytes remains after subtracting the values read so far.
  std::size_t memory_left() const noexcept { return memory_.left(); }

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
    constexpr std::size_t kShort = 32;  // up to this size, reading past the end of the text is safe
    if (kSize > kShort && end_ - at < static_cast<std::ptrdiff_t>(kSize)) return false;
    return std::memcmp(at, key, kSize) == 0;
  }
  void pass_key(std::size_t size);
  void take_word(std::string_view word) {
    if (std::memcmp(at_, word.data(), word.size()) != 0) give_up();
    at_ += word.size();
  }
  template <class Float>
  Float number_as();
  void skip_string();
  void skip_scalar();
  void tell_progress_now();
  /// Returns the number of values to make room for when `count` values were found since `begin`.
  std::size_t room_for(std::size_t count, const char* begin) const noexcept;

  const char* at_;
  const char* const begin_;
  const char* const end_;
  const JsonReadOptions& options_;
  MemoryBudget memory_;
  LevelBudget levels_;
  std::size_t guessed_entries_ = 1;  // number of entries in the last small map
  const char* next_progress_;
  std::string unescaped_;
  LeftOutFields left_out_;
  bool reads_over_ = false;
};

/// Reads the fields of a struct, which must be in the schema's order.
///
///     FastJsonFields fields(in, "Device");
///     if (fields.require("\"type\"")) read_json(in, out.type);
///     if (fields.take("\"index\"")) read_json(in, out.index); else fields.absent(out.index);
///     fields.finish();
class FastJsonFields {
 public:
  [[gnu::always_inline]] FastJsonFields(FastJsonReader& in, std::string_view type)
      : in_(in), type_(type), leaves_out_(in.leaves_out_of(type)) {
    in.open('{');
  }

  /// Returns true if this field comes next and is not left out; the caller must then read its value. `key`
  /// includes the quotes.
  template <std::size_t N>
  [[gnu::always_inline]] bool take(const char (&key)[N]) {
    return in_.take_member(key, is_first_) && is_read({key + 1, N - 3});
  }
  /// Does the same for a required field. Gives up if the field does not come next.
  template <std::size_t N>
  [[gnu::always_inline]] bool require(const char (&key)[N]) {
    if (!in_.take_member(key, is_first_)) in_.give_up();
    return is_read({key + 1, N - 3});
  }
  template <class T>
  void absent(std::optional<T>& out) {
    out.reset();
  }
  template <class T>
  void absent(T&) {
    if (in_.reads_over()) in_.give_up();  // the default is not known here
  }
  [[gnu::always_inline]] void finish() { in_.close('}'); }

 private:
  [[gnu::always_inline]] bool is_read(std::string_view name) {
    is_first_ = false;
    return !leaves_out_ || !in_.pass_left_out(type_, name);
  }

  FastJsonReader& in_;
  std::string_view type_;
  bool leaves_out_;
  bool is_first_ = true;
};

class FastJsonItems {
 public:
  explicit FastJsonItems(FastJsonReader& in) : in_(in), begin_(in.at()) {
    in.open('[');
    in.tell_progress();
  }
  /// If another item follows, charges `size` bytes for it to the memory budget and returns true. At the end,
  /// moves past the list and returns false.
  bool next(std::size_t size) {
    if (!in_.next(count_ == 0, ']')) return false;
    if (++count_ > in_.options().limits.container_items) in_.give_up();
    in_.take_memory(1, size);
    return true;
  }
  const char* begin() const noexcept { return begin_; }

 private:
  FastJsonReader& in_;
  const char* begin_;
  std::size_t count_ = 0;
};

namespace detail {
/// Buffers the first items of a list, because the list's length is unknown and most lists are short.
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
void FastJsonReader::list(std::vector<T>& out) {
  FastJsonItems items(*this);
  bool more = items.next(sizeof(T));
  if (more) take_memory(1, MemoryBudget::kPerBlock);
  if constexpr (std::is_same_v<T, bool>) {
    for (out.clear(); more; more = items.next(sizeof(T))) out.push_back(boolean());
  } else {
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
        take_memory(out.size(), sizeof(T));  // both copies exist while items are moved
        out.reserve(room_for(out.size(), items.begin()));
      }
      read_json(*this, out.emplace_back());
    }
  }
}

template <class T, class Key>
void FastJsonReader::map(Map<T, Key>& out) {
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
      take_memory(room, Map<T, Key>::kBytesPerEntry);  // both copies exist while entries are moved
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

}  // namespace schemagen
