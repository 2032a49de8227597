// Writes Thrift Compact. Included by generated code.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "schemagen/thrift/binary.h"
#include "schemagen/thrift/wire.h"

namespace schemagen {

/// Builds a payload. The output is canonical, except that map entries keep their order.
class CompactWriter {
 public:
  /// Both arguments must outlive the writer.
  CompactWriter(const CompactType& root, const BinaryWriteOptions& options)
      : root_(root), options_(options) {}

  const BinaryWriteOptions& options() const noexcept { return options_; }

  /// Writes the header of the field `id`, which follows the field `last_id`.
  // Inlining is forced here and in the callers: both ids are almost always constants, so the compiler can
  // compute the bytes.
  [[gnu::always_inline]] void header(std::int32_t last_id, std::int32_t id, WireType type) {
    const std::int32_t step = id - last_id;
    unsigned char* at = room(1 + kLongestVarint);
    if (step > 0 && step <= 15) {
      *at++ = static_cast<unsigned char>((static_cast<unsigned>(step) << 4) | static_cast<unsigned>(type));
    } else {
      *at++ = static_cast<unsigned char>(type);
      at = put_varint(at, zigzag(id));
    }
    end_at(at);
  }
  void byte(unsigned value) {
    *room(1) = static_cast<unsigned char>(value);
    ++size_;
  }
  void integer(std::int64_t value) { end_at(put_varint(room(kLongestVarint), zigzag(value))); }
  /// Appends bytes that are already in Thrift Compact.
  void bytes(std::string_view compact) {
    if (compact.empty()) return;
    std::memcpy(room(compact.size()), compact.data(), compact.size());
    size_ += compact.size();
  }
  void boolean(bool value) { byte(value ? 1 : 2); }
  /// Writes a double. Every NaN is written with the bits 0x7ff8000000000000.
  void floating(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    // Tests the bits, so the result is also right with -ffast-math.
    const bool is_nan = (bits << 1) > 0xffe0000000000000u;
    if (is_nan) bits = 0x7ff8000000000000u;
    put_little_endian(room(sizeof bits), bits);
    size_ += sizeof bits;
  }
  /// Writes a string. Throws DataError if `value` is not UTF-8 or is too long.
  void string(std::string_view value);
  void binary(const void* bytes, std::size_t size) {
    if (size > options_.limits.string_bytes) string_too_long(size);
    unsigned char* const at = put_varint(room(kLongestVarint + size), size);
    if (size != 0) std::memcpy(at, bytes, size);
    end_at(at + size);
  }
  /// Writes the header of a list. Throws DataError if `count` exceeds the limit.
  void list(std::size_t count, WireType item_type);
  void map(std::size_t count, WireType key_type, WireType value_type);

  /// Records the position of an unset union. Throws DataError in the same cases as JsonSink::unset_union().
  void unset_union();
  bool writes_unknown_fields() const noexcept {
    return options_.preserved != nullptr && !options_.preserved->empty();
  }
  const std::vector<std::size_t>& unset_unions() const noexcept { return unset_unions_; }

  /// Enters a nesting level. Must be called before every struct, union, list and map; call leave() after it.
  /// Throws DataError if the depth limit is exceeded.
  void enter() {
    if (depth_left_-- == 0) fail_too_deep();
  }
  void leave() noexcept { ++depth_left_; }
  /// Returns how many levels of nesting the next value can have.
  std::size_t levels_left() const noexcept { return depth_left_; }

  /// Throws a DataError for the next value.
  [[noreturn]] void fail(std::string reason) const { fail_at(size_, std::move(reason)); }
  /// Throws a DataError for the value at `offset` in the output.
  [[noreturn]] void fail_at(std::size_t offset, std::string reason) const;

  const CompactType& root() const noexcept { return root_; }
  /// Throws DataError if the payload is larger than the limit.
  void check_size() const;
  /// Returns the output written so far.
  std::string_view view() const noexcept { return {reinterpret_cast<const char*>(buffer_.get()), size_}; }

 private:
  static constexpr std::size_t kLongestVarint = 10;
  struct Free {
    void operator()(unsigned char* at) const noexcept { std::free(at); }
  };

  static std::uint64_t zigzag(std::int64_t value) noexcept {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  }
  static unsigned char* put_varint(unsigned char* at, std::uint64_t value) noexcept {
    if (value < 0x80) {
      *at++ = static_cast<unsigned char>(value);
      return at;
    }
    return put_long_varint(at, value);
  }
  static unsigned char* put_long_varint(unsigned char* at, std::uint64_t value) noexcept;
  /// Returns a pointer to the end of the output, with room for at least `n` more bytes.
  unsigned char* room(std::size_t n) {
    if (capacity_ - size_ < n) grow(n);
    return buffer_.get() + size_;
  }
  void end_at(const unsigned char* end) noexcept { size_ = static_cast<std::size_t>(end - buffer_.get()); }
  void grow(std::size_t n);
  void check_count(std::size_t count) const;
  [[noreturn]] void string_too_long(std::size_t size) const;
  [[noreturn]] void fail_too_deep() const;

  const CompactType& root_;
  const BinaryWriteOptions& options_;
  // Allocated with malloc, because realloc moves large buffers without copying them.
  std::unique_ptr<unsigned char, Free> buffer_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t depth_left_ = options_.limits.depth;
  std::vector<std::size_t> unset_unions_;
};

/// Returns the written payload with the preserved fields inserted. Throws DataError with a path if the value
/// has no place for an unknown field, an unknown field is not valid Thrift Compact, a union stays unset, or a
/// limit is exceeded.
std::string with_unknown_fields(const CompactWriter& written);

template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void write_compact(CompactWriter& out, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    out.boolean(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    out.floating(double{value});
  } else if constexpr (CompactWire<T>::type == WireType::i8) {
    out.byte(static_cast<unsigned char>(value));
  } else {
    out.integer(static_cast<std::int64_t>(value));
  }
}
inline void write_compact(CompactWriter& out, const std::string& value) {
  out.string(value);
}
inline void write_compact(CompactWriter& out, const Bytes& value) {
  out.binary(value.data(), value.size());
}
void write_compact(CompactWriter& out, const Json& value);
void write_compact(CompactWriter& out, Unit value);

template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
void write_compact(CompactWriter& out, E value) {
  out.integer(static_cast<std::int64_t>(value));
}

template <class T>
void write_compact(CompactWriter& out, const Box<T>& value) {
  write_compact(out, *value);
}

template <class T>
void write_compact(CompactWriter& out, const std::vector<T>& value) {
  out.enter();
  out.list(value.size(), CompactWire<T>::type);
  for (const auto& item : value) write_compact(out, static_cast<const T&>(item));
  out.leave();
}

inline void write_compact(CompactWriter& out, const ByteList& value) {
  write_compact<std::uint8_t>(out, value);
}

/// Writes the entries in the order of their keys: strings by their bytes, and numbers by value.
template <class T, class Key>
void write_sorted(CompactWriter& out, const Map<T, Key>& value) {
  std::vector<const MapEntry<T, Key>*> entries;
  for (const MapEntry<T, Key>& entry : value) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](auto* a, auto* b) { return a->key() < b->key(); });
  for (const MapEntry<T, Key>* const entry : entries) {
    write_compact(out, entry->key());
    write_compact(out, entry->value);
  }
}

template <class T, class Key>
void write_compact(CompactWriter& out, const Map<T, Key>& value) {
  out.enter();
  out.map(value.size(), CompactWire<Key>::type, CompactWire<T>::type);
  if (out.options().canonical) {
    write_sorted(out, value);
  } else {
    for (const auto& [key, item] : value) {
      write_compact(out, static_cast<const Key&>(key));
      write_compact(out, item);
    }
  }
  out.leave();
}

/// Writes a struct or union. The caller must write the fields of a struct in ascending order by id.
///
///     CompactFieldsWriter fields(out);
///     fields.write(10, value.type);
///     fields.write(20, value.index);
///     fields.stop();
class CompactFieldsWriter {
 public:
  explicit CompactFieldsWriter(CompactWriter& out) : out_(out) { out.enter(); }

  [[gnu::always_inline]] void write(std::int32_t id, bool value) {
    begin(id, value ? WireType::true_ : WireType::false_);
  }
  template <class T>
  [[gnu::always_inline]] void write(std::int32_t id, const T& value) {
    begin(id, CompactWire<T>::type);
    write_compact(out_, value);
  }
  /// Writes the field unless its value is null.
  template <class T>
  [[gnu::always_inline]] void write(std::int32_t id, const std::optional<T>& value) {
    if (value) write(id, *value);
  }
  void stop() {
    out_.byte(0);
    out_.leave();
  }

 private:
  [[gnu::always_inline]] void begin(std::int32_t id, WireType type) {
    out_.header(last_id_, id, type);
    last_id_ = id;
  }

  CompactWriter& out_;
  std::int32_t last_id_ = 0;
};

}  // namespace schemagen
