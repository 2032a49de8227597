// Reads Thrift Compact. Included by generated code.
#pragma once

#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"
#include "schemagen/thrift/binary.h"
#include "schemagen/thrift/wire.h"

namespace schemagen {

class CompactPath;

/// Whether an offset refers to a value, or to the struct or map around it.
enum class PathTo { value, container };

/// A forward cursor over the values of a payload. Each function that reads a value takes the type declared in
/// the payload and checks it. If something is wrong, the function throws DataError with a path and byte
/// offset.
class CompactReader {
 public:
  /// The arguments must outlive the reader. If `finds_path` is true, the payload can end anywhere, and errors
  /// are InvalidBytes instead of DataError.
  CompactReader(std::string_view payload, const CompactType& root, const BinaryReadOptions& options,
                bool finds_path = false);
  struct InvalidBytes {};

  /// Calls `read` to read the payload into `value`, overwriting what is there. Returns false if the payload
  /// is not canonical; the caller must then read it from the start into a new value.
  bool read_over(void (*read)(CompactReader&, void*), void* value);

  std::int64_t integer(WireType found) {
    return found == WireType::i64 ? unzigzag(varint(64)) : widened(found, WireType::i64);
  }
  std::int32_t number(WireType found) {
    const std::int64_t value = found == WireType::i32 ? unzigzag(varint(32)) : widened(found, WireType::i32);
    return static_cast<std::int32_t>(value);
  }
  /// Reads an integer of a type other than `int`. `min` and `max` are the bounds of the type, and `wanted` is
  /// its wire type.
  std::int64_t integer(WireType found, WireType wanted, std::int64_t min, std::int64_t max);
  bool boolean(WireType found) {
    if (found != WireType::true_ && found != WireType::false_) expected(WireType::true_, found);
    return found == WireType::true_;
  }
  double floating(WireType found) {
    if (found != WireType::floating || left() < 8 || options_.doubles != DoubleOrder::little_endian ||
        checks_canonical())
      return rare_floating(found);
    const std::uint64_t bits = little_endian_word(at_);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    at_ += sizeof bits;
    return value;
  }
  /// Reads a float. Throws DataError in the same cases as floating(), and also if a float cannot represent
  /// the value exactly.
  float single(WireType found);
  /// Returns a string. Throws DataError if the string is not UTF-8 or is too long.
  std::string_view string(WireType found) {
    const std::string_view text = binary(found);
    if (!is_ascii(text, readable_from(text))) check_utf8(text);
    return text;
  }
  std::string_view binary(WireType found) {
    if (found != WireType::binary) expected(WireType::binary, found);
    return sized();
  }
  /// Returns the number of bytes from the start of `part` to the end of the payload. `part` must be part of
  /// the payload.
  std::size_t readable_from(std::string_view part) const noexcept {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(end_) - part.data());
  }

  /// The header of a list or map.
  struct Items {
    std::uint32_t count;
    WireType type;
    WireType key;  // only for a map
  };
  /// Reads the header of a list. `least_bytes` is the minimum size of an item. Throws DataError if the rest
  /// of the payload cannot hold the declared number of items.
  Items list(WireType found, WireType item_type, std::size_t least_bytes);
  Items map(WireType found, WireType key_type, WireType value_type, std::size_t least_bytes);
  std::string_view key();
  /// Charges `count` values of `size` bytes each to the memory budget. Must be called before the values are
  /// allocated. Throws DataError if they exceed the memory limit.
  void take_memory(std::size_t count, std::size_t size) {
    if (!memory_.take(count, size)) fail_too_large();
  }
  /// Does the same for the items of a list or map. Returns the number of items to reserve.
  std::size_t room(std::size_t count, std::size_t size, std::size_t blocks = 1) {
    take_memory(count, size);
    if (count != 0) take_memory(blocks, MemoryBudget::kPerBlock);
    return MemoryBudget::at_once(count, size);
  }
  /// Returns the wire type that the next item would have if it were a field. A bool in a list or map takes a
  /// byte, whereas the value of a bool in a field is part of the type.
  WireType item(WireType type) {
    return type == WireType::true_ || type == WireType::false_ ? bool_item() : type;
  }

  /// Enters a nesting level. Must be called before every struct, union, list and map; call leave() after it.
  /// Throws DataError if the depth limit is exceeded.
  [[gnu::always_inline]] void enter() {
    if (!levels_.take()) too_deep();
  }
  void leave() noexcept { levels_.give_back(); }
  /// Returns how many levels of nesting the next value can have.
  std::size_t levels_left() const noexcept { return levels_.left(); }
  /// Returns whether the payload was nested so deeply that defaults could push it over the depth limit.
  bool was_deep() const noexcept { return levels_.was_low(); }
  /// Returns how much of Limits::memory_bytes remains after subtracting the values read so far.
  std::size_t memory_left() const noexcept { return memory_.left(); }

  /// The header of the next field.
  struct Header {
    std::int16_t id;
    WireType type;  // WireType::stop if there are no more fields
  };
  // Inlining is forced because it pays off for unions, where last_id is always 0.
  [[gnu::always_inline]] Header header(std::int32_t last_id) {
    if (left() < 2) return rare_header(last_id);
    const unsigned byte = at_[0];
    const auto type = static_cast<WireType>(byte & 0x0f);
    if (byte > 0x0f) {
      const std::int32_t id = last_id + static_cast<std::int32_t>(byte >> 4);
      if (type == WireType::stop || id > kLastId) return rare_header(last_id);
      at_ += 1;
      return {static_cast<std::int16_t>(id), type};
    }
    // The ids of union members are often far above 0, but most of them fit in one byte.
    const auto id = static_cast<std::int32_t>(at_[1] >> 1);
    const bool is_near = id > last_id && id - last_id <= 15;
    if (byte == 0 || at_[1] > 0x7f || (at_[1] & 1) != 0 || id == 0 || is_near) return rare_header(last_id);
    at_ += 2;
    return {static_cast<std::int16_t>(id), type};
  }
  /// If the next byte ends a struct, skips it and returns true.
  bool take_stop() {
    if (at_ == end_ || *at_ != 0) return false;
    ++at_;
    return true;
  }

  /// If the next bytes are the header that a canonical writer would write for the field `id` after the field
  /// `last_id`, skips them and returns true.
  [[gnu::always_inline]] bool take_header(std::int16_t last_id, std::int16_t id, WireType type) {
    const std::int32_t distance = id - last_id;
    const auto short_header = static_cast<unsigned>(distance << 4) | static_cast<unsigned>(type);
    if (distance <= 15) {
      if (at_ == end_ || *at_ != short_header) return false;
      ++at_;
      return true;
    }
    const auto zigzag = static_cast<unsigned>(id) << 1;
    constexpr unsigned kOneByte = 0x7f;
    if (zigzag > kOneByte || left() < 2 || *at_ != static_cast<unsigned>(type) || at_[1] != zigzag)
      return false;
    at_ += 2;
    return true;
  }
  /// Reads the remaining fields of a struct in any order, and moves past the struct. Bit i of `taken` is set
  /// if the field with index i was read; `last_id` is the id of the last one. `read` reads the value of one
  /// field.
  void read_others(const CompactType& type, std::uint64_t taken, std::int16_t last_id, void* out,
                   void (*read)(CompactReader&, void* out, std::uint32_t index, WireType found));

  /// If the options allow unknown members, skips the unknown union member and records it; otherwise throws
  /// DataError.
  void pass_unknown_member(Header member);
  /// Skips a value of any type. Checks only the value's encoding.
  void skip(WireType type);
  /// Read the header of a list or map of any type.
  Items any_list();
  Items any_map();
  /// Returns whether the options leave out any field of the struct.
  bool leaves_out_of(const CompactType& type) const noexcept {
    return leaves_out_ && left_out_.has_of(type.name);
  }
  /// If the options leave the field out, skips its value and returns true.
  bool pass_left_out(const CompactType& type, std::uint32_t index, WireType found);
  /// Fills in the options' `left_out` and `preserved`. Throws DataError if unread bytes remain.
  void finish();

  /// Throws a DataError for the next value.
  [[noreturn]] void fail(std::string reason) const { fail_at(offset(), std::move(reason)); }
  /// Throws a DataError for the innermost value that contains `offset`.
  [[noreturn]] void fail_at(std::size_t offset, std::string reason) const;
  /// Throws a DataError for the struct, union or map around `offset`.
  [[noreturn]] void fail_around(std::size_t offset, std::string reason) const;
  [[noreturn]] void expected(WireType wanted, WireType found) const;
  [[noreturn]] void fail_no_member() const;
  [[noreturn]] void fail_several_members(Header first);

  std::size_t offset() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  bool checks_canonical() const noexcept { return options_.canonical_check; }

 private:
  static constexpr std::int32_t kLastId = 32767;

  std::string_view payload() const noexcept {
    return {reinterpret_cast<const char*>(begin_), static_cast<std::size_t>(end_ - begin_)};
  }
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  /// Returns the next byte without moving past it.
  unsigned peek() const {
    if (at_ == end_) ends_early();
    return *at_;
  }
  /// Reads an unsigned varint of at most `bits` bits.
  std::uint64_t varint(unsigned bits) {
    if (at_ != end_ && *at_ < 0x80) return *at_++;
    return long_varint(bits);
  }
  std::string_view sized() {
    if (at_ != end_ && *at_ < 0x80 && *at_ < left() && *at_ <= options_.limits.string_bytes) {
      const std::string_view bytes(reinterpret_cast<const char*>(at_ + 1), *at_);
      at_ += 1 + bytes.size();
      return bytes;
    }
    return long_sized();
  }
  double rare_floating(WireType found);
  std::uint64_t long_varint(unsigned bits);
  std::string_view long_sized();
  std::int64_t widened(WireType found, WireType wanted);
  std::int64_t integer_of(WireType type);
  WireType bool_item();
  Header rare_header(std::int32_t last_id);
  void check_item_type(std::size_t start, WireType found, WireType wanted) const;
  /// Reads the header of a map, and enters it.
  Items map_header();
  void check_count(std::size_t start, std::uint64_t count, std::size_t least_bytes) const;
  void check_utf8(std::string_view text) const;

  /// `seen` has the ids of the fields that were read.
  void check_missing(const CompactType& type, const std::vector<bool>& seen, std::size_t end) const;

  void pass_unknown(Header field, bool is_member, const std::string& complaint);
  void preserve(Header field, bool is_member);
  CompactPath& path_of_unknown();
  bool is_empty(WireType type) const;
  bool keeps_big_endian() const noexcept;
  void skip_double();
  void skip_bytes(std::size_t count);
  std::size_t least_bytes(WireType type) const;

  [[noreturn]] void throw_error(std::size_t offset, PathTo to, std::string reason,
                                DataFault fault = {}) const;
  [[noreturn]] void ends_early() const;
  [[noreturn]] void too_deep() const;
  [[noreturn]] void fail_too_large() const;

  const unsigned char* begin_;
  const unsigned char* at_;
  const unsigned char* end_;
  LevelBudget levels_;
  MemoryBudget memory_;
  const CompactType& root_;
  const BinaryReadOptions& options_;
  std::unique_ptr<CompactPath> unknown_;  // positioned at the last unknown field
  std::vector<UnknownField> preserved_;
  std::vector<std::size_t> skipped_doubles_;  // offsets of doubles to byte-swap when they are preserved
  bool finds_path_;
  bool leaves_out_;
  bool reads_over_ = false;
  LeftOutFields left_out_;
};

/// Finds the path of the value at an offset. Messages need this because neither the reader nor the writer
/// keeps track of paths. Walks over the payload from its start. The walk itself does not need the schema,
/// which only provides names.
class CompactPath {
 public:
  /// `payload` and `root` must outlive this object.
  CompactPath(std::string_view payload, const CompactType& root, DoubleOrder doubles);

  /// Returns the path of the value at `offset`, e.g. `graph.nodes[3].name`, or of the container around it.
  /// Unknown fields appear by id, e.g. `graph.#95`. If the walk reaches invalid bytes, the path ends there.
  /// Offsets must not decrease from call to call.
  std::string seek(std::size_t offset, PathTo to);

  /// Returns the steps from the root to the struct that contains the value that seek() last found.
  std::vector<UnknownFieldStep> steps() const;

 private:
  /// A container on the path, and the child that the walk reached last.
  struct Container {
    WireType kind = WireType::structure;
    /// The type of the struct, or of the items in a list or map. Null if unknown.
    const CompactType* type = nullptr;
    CompactReader::Items items = {};
    std::uint64_t item_count = 0;  // includes keys if a map's key type is unknown
    std::uint64_t items_begun = 0;
    std::int32_t id = 0;
    std::string key;

    /// Returns the field that the walk reached last in a struct, or null if it is unknown.
    const CompactField* field() const { return type == nullptr ? nullptr : type->find(id); }
  };

  bool is_at(PathTo to) const;
  void enter_or_pass();
  void open(WireType kind);
  void next_child();
  std::string path() const;

  const BinaryReadOptions options_;
  CompactReader in_;
  std::vector<Container> open_;
  const CompactType* root_;
  // The type of the next value, or nullopt between two children of the innermost container.
  std::optional<WireType> value_ = WireType::structure;
};

/// Reads a struct. At first, expects the fields in the order in which a canonical writer writes them, and
/// compares the bytes of each header. After the first difference, accepts any order.
///
///     CompactFields fields(in, types::Device);
///     if (fields.are_all_read() && fields.take(0, 10, out.type) && fields.may_take(1, 20, out.index) &&
///         fields.finish()) {
///       return;
///     }
///     fields.read_others(out);  // calls read_field(in, out, index, found)
///
/// Throws DataError if a field is unknown (unless the options allow unknown fields), if a field occurs twice,
/// or if a required field is missing.
class CompactFields {
 public:
  [[gnu::always_inline]] CompactFields(CompactReader& in, const CompactType& type)
      : in_(in), type_(type), are_all_read_(!in.leaves_out_of(type)) {
    in.enter();
  }

  /// Returns true if none of the struct's fields are left out.
  [[gnu::always_inline]] bool are_all_read() const noexcept { return are_all_read_; }
  /// If the field with this `index` and `id` comes next, reads it and returns true.
  template <class T>
  [[gnu::always_inline]] bool take(std::uint32_t index, std::int16_t id, T& out) {
    return take_as(index, id, out, [](T& value) -> T& { return value; });
  }
  /// Does the same for a field whose default differs from the default of its type.
  template <class T>
  [[gnu::always_inline]] bool take_anew(std::uint32_t index, std::int16_t id, T& out) {
    return take_as(index, id, out, [](T& value) -> T& { return emptied(value); });
  }
  /// Does the same for an optional field. Always returns true.
  template <class T>
  [[gnu::always_inline]] bool may_take(std::uint32_t index, std::int16_t id, std::optional<T>& out) {
    if (!take(index, id, out)) out.reset();
    return true;
  }
  /// If the struct ends here, moves past it and returns true.
  [[gnu::always_inline]] bool finish() {
    if (!in_.take_stop()) return false;
    in_.leave();
    return true;
  }
  template <class T>
  void read_others(T& out) {
    in_.read_others(type_, taken_, id_, &out,
                    [](CompactReader& in, void* value, std::uint32_t index, WireType found) {
                      read_field(in, *static_cast<T*>(value), index, found);
                    });
  }

 private:
  template <class T, class Target>
  [[gnu::always_inline]] bool take_as(std::uint32_t index, std::int16_t id, T& out, Target target) {
    constexpr WireType kType = CompactWire<T>::type;
    constexpr std::uint32_t kTracked = 64;
    WireType found = kType;
    if (index >= kTracked) return false;
    if (!in_.take_header(id_, id, kType)) {
      // A bool's value is part of the field's header.
      if (kType != WireType::true_ || !in_.take_header(id_, id, WireType::false_)) return false;
      found = WireType::false_;
    }
    taken_ |= std::uint64_t{1} << index;
    id_ = id;
    read_compact(in_, found, target(out));
    return true;
  }

  CompactReader& in_;
  const CompactType& type_;
  bool are_all_read_;
  std::uint64_t taken_ = 0;
  std::int16_t id_ = 0;  // of the last field that was read
};

/// Reads a union: a struct with exactly one field.
///
///     CompactMember member(in);
///     switch (member.id()) { case 10: member.read(out.ensure<SymInt::as_expr>()); break; ... }
///     member.finish();
class CompactMember {
 public:
  /// Moves to the member's value. Throws DataError if the union has no member.
  [[gnu::always_inline]] explicit CompactMember(CompactReader& in) : in_(in) {
    in.enter();
    header_ = in.header(0);
    if (header_.type == WireType::stop) in_.fail_no_member();
  }

  std::int16_t id() const noexcept { return header_.id; }
  template <class T>
  void read(T& out) {
    read_compact(in_, header_.type, out);
  }
  void pass_unknown() { in_.pass_unknown_member(header_); }
  /// Moves past the union. Throws DataError if the union has a second field.
  [[gnu::always_inline]] void finish() {
    if (!in_.take_stop()) in_.fail_several_members(header_);
    in_.leave();
  }

 private:
  CompactReader& in_;
  CompactReader::Header header_;
};

template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void read_compact(CompactReader& in, WireType found, T& out) {
  using Bounds = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    out = in.boolean(found);
  } else if constexpr (std::is_same_v<T, double>) {
    out = in.floating(found);
  } else if constexpr (std::is_same_v<T, float>) {
    out = in.single(found);
  } else if constexpr (sizeof(T) == sizeof(std::int64_t)) {
    out = static_cast<T>(in.integer(found));
  } else {
    out = static_cast<T>(in.integer(found, CompactWire<T>::type, Bounds::min(), Bounds::max()));
  }
}
inline void read_compact(CompactReader& in, WireType found, std::string& out) {
  const std::string_view text = in.string(found);
  in.take_memory(1, MemoryBudget::beside_string(text.size()));
  constexpr std::size_t kShort = 15;
  if (out.capacity() > kShort) {
    out.assign(text);
    return;
  }
  // Constructed in place, because assigning would have to inspect the old string, and strings take a third of
  // the total time.
  struct Restore {  // not an exception handler: headers also compile without exceptions
    std::string* at;
    ~Restore() {
      if (at != nullptr) ::new (static_cast<void*>(at)) std::string();
    }
  } restore{&out};
  out.~basic_string();
  if (text.size() <= kShort && in.readable_from(text) >= kShort) {
    // Copies the same number of bytes for all short strings, because a branch on their size would be
    // mispredicted.
    ::new (static_cast<void*>(&out)) std::string(text.data(), kShort);
    out.erase(text.size());
  } else {
    ::new (static_cast<void*>(&out)) std::string(text);
  }
  restore.at = nullptr;
}
void read_compact(CompactReader& in, WireType found, Json& out);
void read_compact(CompactReader& in, WireType found, Bytes& out);
void read_compact(CompactReader& in, WireType found, Unit& out);

/// Reads an enum. Accepts numbers that have no name.
template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
void read_compact(CompactReader& in, WireType found, E& out) {
  static_assert(std::is_same_v<std::underlying_type_t<E>, std::int32_t>);
  out = static_cast<E>(in.number(found));
}

/// Reads a generated struct or union.
template <class T, std::enable_if_t<std::is_class_v<T>, int> = 0>
void read_compact(CompactReader& in, WireType found, T& out) {
  if (found != WireType::structure) in.expected(WireType::structure, found);
  read_compact(in, out);
}

template <class T>
void read_compact(CompactReader& in, WireType found, Box<T>& out) {
  in.take_memory(1, sizeof(T) + MemoryBudget::kPerBlock);
  read_compact(in, found, out.filled());
}

template <class T>
void read_compact(CompactReader& in, WireType found, std::optional<T>& out) {
  read_compact(in, found, out ? *out : out.emplace());
}

template <class T>
void read_compact(CompactReader& in, WireType found, std::vector<T>& out) {
  const CompactReader::Items items = in.list(found, CompactWire<T>::type, CompactWire<T>::least_bytes);
  if constexpr (std::is_same_v<T, bool>) out.clear();
  const std::size_t old = out.size();
  out.reserve(in.room(items.count, sizeof(T)));
  for (std::uint32_t i = 0; i < items.count; ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      out.push_back(in.boolean(in.item(items.type)));
    } else {
      read_compact(in, items.type, i < old ? out[i] : out.emplace_back());
    }
  }
  while (out.size() > items.count) out.pop_back();
  in.leave();
}

inline void read_compact(CompactReader& in, WireType found, ByteList& out) {
  read_compact<std::uint8_t>(in, found, out);
}

namespace detail {
template <class Key>
typename MapKey<Key>::View read_key(CompactReader& in, [[maybe_unused]] WireType found) {
  if constexpr (std::is_same_v<Key, std::string>) {
    const std::string_view key = in.key();
    in.take_memory(1, MemoryBudget::beside_string(key.size()));
    return key;
  } else {
    Key key{};
    read_compact(in, found, key);
    return key;
  }
}
}  // namespace detail

template <class T, class Key>
void read_compact(CompactReader& in, WireType found, Map<T, Key>& out) {
  const CompactReader::Items items =
      in.map(found, CompactWire<Key>::type, CompactWire<T>::type, 1 + CompactWire<T>::least_bytes);
  out.reserve(in.room(items.count, Map<T, Key>::kBytesPerEntry, Map<T, Key>::kBlocks));
  typename detail::MapKey<Key>::View last{};
  for (std::uint32_t i = 0; i < items.count; ++i) {
    const std::size_t start = in.offset();
    const auto key = detail::read_key<Key>(in, items.key);
    T* const value = out.place(i, key);
    if (value == nullptr)
      in.fail_around(start, "duplicate key " + schemagen::quoted(detail::MapKey<Key>::text(key)));
    if (i != 0 && in.checks_canonical() && key < last) {
      in.fail_around(start, "not canonical: the key " + schemagen::quoted(detail::MapKey<Key>::text(key)) +
                                " is out of order");
    }
    last = key;
    read_compact(in, in.item(items.type), *value);
  }
  out.keep_first(items.count);
  in.leave();
}

}  // namespace schemagen
