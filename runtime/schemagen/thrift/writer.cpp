#include "schemagen/thrift/writer.h"

#include "schemagen/base/json_syntax.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/thrift/reader.h"

namespace schemagen {
void CompactWriter::grow(std::size_t n) {
  check_size();
  const std::size_t wanted = std::max({size_ + n, capacity_ * 2, std::size_t{1} << 12});
  auto* const grown = static_cast<unsigned char*>(std::realloc(buffer_.get(), wanted));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());  // realloc has freed or moved it
  buffer_.reset(grown);
  capacity_ = wanted;
}

unsigned char* CompactWriter::put_long_varint(unsigned char* at, std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<unsigned char>(value | 0x80);
  *at++ = static_cast<unsigned char>(value);
  return at;
}

void CompactWriter::string(std::string_view value) {
  if (!is_ascii(value) && find_bad_utf8(value)) fail(kBadUtf8);
  binary(value.data(), value.size());
}

void CompactWriter::list(std::size_t count, WireType item_type) {
  check_count(count);
  const auto type = static_cast<unsigned>(item_type);
  unsigned char* at = room(1 + kLongestVarint);
  if (count < 15) {
    *at++ = static_cast<unsigned char>((static_cast<unsigned>(count) << 4) | type);
  } else {
    *at++ = static_cast<unsigned char>(0xf0 | type);
    at = put_varint(at, count);
  }
  end_at(at);
}

void CompactWriter::map(std::size_t count, WireType key_type, WireType value_type) {
  check_count(count);
  unsigned char* at = put_varint(room(kLongestVarint + 1), count);
  const unsigned types = (static_cast<unsigned>(key_type) << 4) | static_cast<unsigned>(value_type);
  if (count != 0) *at++ = static_cast<unsigned char>(types);
  end_at(at);
}

void CompactWriter::check_count(std::size_t count) const {
  if (count > options_.limits.container_items) fail(too_many_items(count, options_.limits));
}

void CompactWriter::unset_union() {
  if (!writes_unknown_fields()) fail(kUnsetUnion);
  unset_unions_.push_back(size_);
}

void CompactWriter::fail_at(std::size_t offset, std::string reason) const {
  CompactPath path(view().substr(0, offset), root_, DoubleOrder::little_endian);
  throw DataError(std::move(reason), path.seek(offset, PathTo::value));
}

void CompactWriter::string_too_long(std::size_t size) const {
  fail(too_many_bytes("a string", size, options_.limits.string_bytes));
}

void CompactWriter::fail_too_deep() const {
  fail(too_deep(options_.limits));
}

void CompactWriter::check_size() const {
  if (size_ <= options_.limits.input_bytes) return;
  throw DataError(too_many_bytes("a payload", size_, options_.limits.input_bytes));
}

void write_compact(CompactWriter& out, const Json& value) {
  if (const std::string fault = any_fault(value.text, out.levels_left()); !fault.empty())
    out.fail(kAnyText + fault);
  out.binary(value.text.data(), value.text.size());
}

void write_compact(CompactWriter& out, Unit) {
  CompactFieldsWriter fields(out);
  fields.stop();
}

}  // namespace schemagen
