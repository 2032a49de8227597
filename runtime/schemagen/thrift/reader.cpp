#include "schemagen/thrift/reader.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "schemagen/base/counted.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/base/unwritable.h"

namespace schemagen {
namespace {

/// An absent field must be reset, but could be any of the struct.
struct NotCanonical {};

constexpr std::uint64_t kCanonicalNan = 0x7ff8000000000000u;

std::string bytes_left(std::size_t count) {
  return counted(count, "byte") + (count == 1 ? " is left" : " are left");
}

/// 0 unless it is an integer.
unsigned bits_of(WireType type) {
  if (type < WireType::i8 || type > WireType::i64) return 0;
  return 8u << (static_cast<unsigned>(type) - static_cast<unsigned>(WireType::i8));
}

bool fits(WireType found, WireType wanted) {
  if (found == wanted || (found == WireType::false_ && wanted == WireType::true_)) return true;
  return bits_of(found) != 0 && bits_of(found) <= bits_of(wanted);
}

std::uint64_t big_endian_word(const unsigned char* bytes) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word = (word << 8) | bytes[i];
  return word;
}

}  // namespace

std::string_view name_of(WireType type) {
  constexpr std::string_view kNames[] = {"stop",   "bool",   "bool", "i8",  "i16", "i32",    "i64",
                                         "double", "string", "list", "set", "map", "struct", "uuid"};
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kNames) ? kNames[index] : "unknown type";
}

const CompactField* CompactType::find(std::int32_t id) const {
  const CompactField* const end = fields + count;
  const CompactField* const found = std::lower_bound(
      fields, end, id, [](const CompactField& field, std::int32_t wanted) { return field.id < wanted; });
  return found != end && found->id == id ? found : nullptr;
}

CompactReader::CompactReader(std::string_view payload, const CompactType& root,
                             const BinaryReadOptions& options, bool finds_path)
    : begin_(reinterpret_cast<const unsigned char*>(payload.data())),
      at_(begin_),
      end_(begin_ + payload.size()),
      levels_(options.limits.depth),
      memory_(options.limits.memory_bytes),
      root_(root),
      options_(options),
      finds_path_(finds_path),
      leaves_out_(!options.leave_out.empty()),
      left_out_(options.leave_out) {
  if (payload.size() > options.limits.input_bytes) {
    throw DataError(too_many_bytes("a payload", payload.size(), options.limits.input_bytes));
  }
  take_memory(payload.size(), 1);  // for all strings together
}

double CompactReader::rare_floating(WireType found) {
  if (found != WireType::floating) expected(WireType::floating, found);
  if (left() < 8) ends_early();
  const std::uint64_t bits =
      options_.doubles == DoubleOrder::little_endian ? little_endian_word(at_) : big_endian_word(at_);
  double value;
  std::memcpy(&value, &bits, sizeof value);
  if (std::isnan(value) && checks_canonical() && bits != kCanonicalNan) {
    fail("not canonical: a NaN other than 0x7ff8000000000000");
  }
  at_ += 8;
  return value;
}

float CompactReader::single(WireType found) {
  const std::size_t start = offset();
  const double value = floating(found);
  const bool is_single =
      !std::isfinite(value) || (std::fabs(value) <= double{std::numeric_limits<float>::max()} &&
                                double{static_cast<float>(value)} == value);
  if (!is_single) fail_at(start, "the double cannot be represented exactly as a 32-bit float");
  return static_cast<float>(value);
}

CompactReader::Items CompactReader::list(WireType found, WireType item_type, std::size_t least_bytes) {
  if (found != WireType::list) expected(WireType::list, found);
  enter();
  const std::size_t start = offset();
  const unsigned header = peek();
  const auto type = static_cast<WireType>(header & 0x0f);
  if (type != item_type) check_item_type(start, type, item_type);
  ++at_;
  std::uint64_t count = header >> 4;
  if (count == 15) {
    count = varint(32);
    if (count < 15 && checks_canonical()) fail_at(start, "not canonical: a long header for a short list");
  }
  check_count(start, count, least_bytes);
  return {static_cast<std::uint32_t>(count), type, WireType::stop};
}

CompactReader::Items CompactReader::map(WireType found, WireType key_type, WireType value_type,
                                        std::size_t least_bytes) {
  if (found != WireType::map) expected(WireType::map, found);
  const std::size_t start = offset();
  const Items items = map_header();
  if (items.count == 0) return {0, value_type, key_type};
  if (items.key != key_type && (!fits(items.key, key_type) || checks_canonical())) {
    fail_at(start, "expected map keys of type " + std::string(name_of(key_type)) + ", found " +
                       std::string(name_of(items.key)));
  }
  if (items.type != value_type) check_item_type(start, items.type, value_type);
  check_count(start, items.count, least_bytes);
  return items;
}

CompactReader::Items CompactReader::map_header() {
  enter();
  const auto count = static_cast<std::uint32_t>(varint(32));
  if (count == 0) return {0, WireType::stop, WireType::stop};
  const unsigned types = peek();
  ++at_;
  return {count, static_cast<WireType>(types & 0x0f), static_cast<WireType>(types >> 4)};
}

void CompactReader::check_item_type(std::size_t start, WireType found, WireType wanted) const {
  if (!fits(found, wanted)) {
    fail_at(start, "expected items of type " + std::string(name_of(wanted)) + ", found " +
                       std::string(name_of(found)));
  }
  if (!checks_canonical()) return;
  fail_at(start, "not canonical: type " + std::to_string(static_cast<int>(found)) + " for items of type " +
                     std::string(name_of(wanted)));
}

void CompactReader::check_count(std::size_t start, std::uint64_t count, std::size_t least_bytes) const {
  if (finds_path_) return;
  if (count * least_bytes > left())  // 32 bits times at most 16
    fail_at(start, "expected " + counted(count, "item") + ", but only " + bytes_left(left()));
  if (count > options_.limits.container_items) {
    fail_at(start, too_many_items(count, options_.limits));
  }
}

void CompactReader::fail_too_large() const {
  fail(too_much_memory(options_.limits));
}

std::string_view CompactReader::key() {
  const std::size_t start = offset();
  const std::string_view text = sized();
  if (!is_ascii(text) && find_bad_utf8(text)) fail_around(start, "the key is not valid UTF-8");
  return text;
}

WireType CompactReader::bool_item() {
  const unsigned byte = peek();
  if (byte > 2) fail("expected a bool (1 or 2), found the byte " + std::to_string(byte));
  if (byte == 0 && checks_canonical()) fail("not canonical: false encoded as 0");
  ++at_;
  return byte == 1 ? WireType::true_ : WireType::false_;
}

std::uint64_t CompactReader::long_varint(unsigned bits) {
  const unsigned char* at = at_;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at == end_) ends_early();
    const unsigned byte = *at++;
    const std::uint64_t digits = byte & 0x7f;
    const unsigned room = bits - std::min(shift, bits);
    if (room < 7 && digits >> room != 0) break;
    value |= digits << shift;
    if (byte < 0x80) {
      if (byte == 0 && checks_canonical()) fail("not canonical: a number with leading zeros");
      at_ = at;
      return value;
    }
  }
  fail("the number does not fit in " + std::to_string(bits) + " bits");
}

std::string_view CompactReader::long_sized() {
  const std::size_t start = offset();
  const std::uint64_t size = varint(32);
  if (size > left())
    fail_at(start, "expected a string of " + counted(size, "byte") + ", but only " + bytes_left(left()));
  if (size > options_.limits.string_bytes) {
    fail_at(start, too_many_bytes("a string", size, options_.limits.string_bytes));
  }
  const std::string_view bytes(reinterpret_cast<const char*>(at_), static_cast<std::size_t>(size));
  at_ += bytes.size();
  return bytes;
}

std::int64_t CompactReader::widened(WireType found, WireType wanted) {
  if (!fits(found, wanted) || checks_canonical()) expected(wanted, found);
  return integer_of(found);
}

std::int64_t CompactReader::integer(WireType found, WireType wanted, std::int64_t min, std::int64_t max) {
  const std::size_t start = offset();
  const std::int64_t value = found == wanted ? integer_of(found) : widened(found, wanted);
  if (value < min || value > max) fail_at(start, out_of_range(min, static_cast<std::uint64_t>(max)));
  return value;
}

std::int64_t CompactReader::integer_of(WireType type) {
  if (type != WireType::i8) return unzigzag(varint(bits_of(type)));
  const unsigned byte = peek();
  ++at_;
  return static_cast<std::int8_t>(byte);
}

void CompactReader::check_utf8(std::string_view text) const {
  if (const auto bad = find_bad_utf8(text)) fail_at(offset() - text.size() + *bad, kBadUtf8);
}

CompactReader::Header CompactReader::rare_header(std::int32_t last_id) {
  const std::size_t start = offset();
  if (at_ == end_) fail_around(start, "the payload is truncated");
  const unsigned byte = *at_++;
  if (byte == 0) return {0, WireType::stop};
  if ((byte & 0x0f) == 0) fail_around(start, "field type 0 is invalid; a struct ends with the byte 0");
  std::int64_t id = last_id + static_cast<std::int64_t>(byte >> 4);
  if (byte <= 0x0f) {
    if (at_ == end_) fail_around(start, "the payload is truncated");
    id = unzigzag(varint(32));
    if (checks_canonical() && id > last_id && id - last_id <= 15) {
      fail_around(start, "not canonical: a long field header where a short one fits");
    }
  }
  if (id < 1 || id > kLastId) {
    fail_around(start, "the field id " + std::to_string(id) + " is not in 1..32767");
  }
  return {static_cast<std::int16_t>(id), static_cast<WireType>(byte & 0x0f)};
}

bool CompactReader::read_over(void (*read)(CompactReader&, void*), void* value) {
  if (leaves_out_) return false;
  const MemoryBudget memory = memory_;
  reads_over_ = true;
  try {
    read(*this, value);
    return true;
  } catch (const NotCanonical&) {
    at_ = begin_;
    levels_ = LevelBudget(options_.limits.depth);
    memory_ = memory;
    reads_over_ = false;
    return false;
  }
}

void CompactReader::read_others(const CompactType& type, std::uint64_t taken, std::int16_t last_id, void* out,
                                void (*read)(CompactReader&, void* out, std::uint32_t index,
                                             WireType found)) {
  if (reads_over_) throw NotCanonical();
  const bool leaves_out = leaves_out_of(type);
  std::vector<bool> seen(static_cast<std::size_t>(last_id) + 1);
  for (std::uint32_t i = 0; taken != 0; ++i, taken >>= 1) {
    if ((taken & 1) != 0) seen[static_cast<std::size_t>(type.fields[i].id)] = true;
  }
  while (true) {
    const std::size_t start = offset();
    const Header found = header(last_id);
    if (found.type == WireType::stop) {
      check_missing(type, seen, start);
      return leave();
    }
    if (found.id < last_id && checks_canonical()) {
      fail_around(start, "not canonical: the field id " + std::to_string(found.id) + " comes after " +
                             std::to_string(last_id));
    }
    last_id = found.id;
    const CompactField* const field = type.find(found.id);
    const auto id = static_cast<std::size_t>(found.id);
    if (id >= seen.size()) seen.resize(id + 1);
    if (seen[id]) {
      fail_around(start,
                  "duplicate field " + (field == nullptr ? "id " + std::to_string(id) : quoted(field->name)));
    }
    seen[id] = true;
    if (field == nullptr) {
      pass_unknown(found, false, "unknown field id " + std::to_string(id));
      continue;
    }
    const auto index = static_cast<std::uint32_t>(field - type.fields);
    if (!leaves_out || !pass_left_out(type, index, found.type)) read(*this, out, index, found.type);
  }
}

void CompactReader::check_missing(const CompactType& type, const std::vector<bool>& seen,
                                  std::size_t end) const {
  std::string names;
  std::size_t count = 0;
  bool all_have_defaults = true;
  for (std::uint32_t i = 0; i < type.count; ++i) {
    const CompactField& field = type.fields[i];
    const auto id = static_cast<std::size_t>(field.id);
    const bool is_required = field.presence == Presence::required;
    const bool is_needed = is_required || (checks_canonical() && field.presence == Presence::defaulted);
    if (!is_needed || (id < seen.size() && seen[id])) continue;
    names += (count++ == 0 ? "" : ", ") + quoted(field.name);
    if (is_required) all_have_defaults = false;
  }
  if (count == 0) return;
  fail_around(end, (all_have_defaults ? "not canonical: the " : "the required ") +
                       std::string(count == 1 ? "field " : "fields ") + names +
                       (count == 1 ? " is missing" : " are missing"));
}

void CompactReader::pass_unknown_member(Header member) {
  if (reads_over_) throw NotCanonical();
  pass_unknown(member, true, "unknown union member id " + std::to_string(member.id));
}

void CompactReader::pass_unknown(Header field, bool is_member, const std::string& complaint) {
  if (options_.unknown_fields == UnknownFields::keep) return preserve(field, is_member);
  const bool may_skip = options_.unknown_fields == UnknownFields::skip ||
                        (options_.unknown_fields == UnknownFields::skip_empty && is_empty(field.type));
  if (!may_skip) throw_error(offset(), PathTo::value, complaint, {true, false});
  if (options_.skipped != nullptr) {
    SkippedField skipped{shortened(path_of_unknown().seek(offset(), PathTo::value)), {}};
    take_memory(1, sizeof skipped + skipped.path.size());
    skipped.place.offset = offset();
    options_.skipped->push_back(std::move(skipped));
  }
  skip(field.type);
}

CompactPath& CompactReader::path_of_unknown() {
  if (unknown_ == nullptr) unknown_ = std::make_unique<CompactPath>(payload(), root_, options_.doubles);
  return *unknown_;
}

void CompactReader::preserve(Header field, bool is_member) {
  const std::size_t start = offset();
  skipped_doubles_.clear();
  skip(field.type);
  UnknownField unknown;
  path_of_unknown().seek(start, PathTo::value);
  unknown.path = path_of_unknown().steps();
  unknown.is_member = is_member;
  unknown.id = field.id;
  unknown.type = static_cast<std::uint8_t>(field.type);
  unknown.bytes = payload().substr(start, offset() - start);
  for (const std::size_t at : skipped_doubles_) {
    const auto first = unknown.bytes.begin() + static_cast<std::ptrdiff_t>(at - start);
    std::reverse(first, first + 8);
  }
  take_memory(1, memory_of(unknown));
  preserved_.push_back(std::move(unknown));
}

bool CompactReader::pass_left_out(const CompactType& type, std::uint32_t index, WireType found) {
  if (!left_out_.leaves_out(type.name, type.fields[index].name)) return false;
  skip(found);
  return true;
}

bool CompactReader::is_empty(WireType type) const {
  switch (type) {
    case WireType::list:
    case WireType::set:
      return peek() <= 0x0f;
    case WireType::binary:
    case WireType::map:
    case WireType::structure:
      return peek() == 0;
    default:
      return false;
  }
}

void CompactReader::skip(WireType type) {
  switch (type) {
    case WireType::true_:
    case WireType::false_:
      return;
    case WireType::i8:
      return skip_bytes(1);
    case WireType::i16:
    case WireType::i32:
    case WireType::i64:
      varint(bits_of(type));
      return;
    case WireType::floating:
      return skip_double();
    case WireType::binary:
      sized();
      return;
    case WireType::list:
    case WireType::set: {
      const Items items = any_list();
      for (std::uint32_t i = 0; i < items.count; ++i) skip(item(items.type));
      return leave();
    }
    case WireType::map: {
      const Items items = any_map();
      for (std::uint32_t i = 0; i < items.count; ++i) {
        skip(item(items.key));
        skip(item(items.type));
      }
      return leave();
    }
    case WireType::structure:
      enter();
      for (Header field = header(0); field.type != WireType::stop; field = header(field.id)) skip(field.type);
      return leave();
    case WireType::uuid:
      if (keeps_big_endian()) fail("cannot preserve a 32-bit float from fbthrift");
      return skip_bytes(least_bytes(type));
    case WireType::stop:
      break;
  }
  fail("unknown wire type " + std::to_string(static_cast<int>(type)));
}

bool CompactReader::keeps_big_endian() const noexcept {
  return options_.unknown_fields == UnknownFields::keep && options_.doubles == DoubleOrder::big_endian;
}

void CompactReader::skip_double() {
  if (keeps_big_endian()) skipped_doubles_.push_back(offset());
  floating(WireType::floating);
}

CompactReader::Items CompactReader::any_list() {
  const auto type = static_cast<WireType>(peek() & 0x0f);
  return list(WireType::list, type, least_bytes(type));
}

CompactReader::Items CompactReader::any_map() {
  const std::size_t start = offset();
  const Items items = map_header();
  check_count(start, items.count, least_bytes(items.key) + least_bytes(items.type));
  return items;
}

void CompactReader::skip_bytes(std::size_t count) {
  if (left() < count) ends_early();
  at_ += count;
}

std::size_t CompactReader::least_bytes(WireType type) const {
  switch (type) {
    case WireType::floating:
      return 8;
    case WireType::uuid:
      return options_.doubles == DoubleOrder::big_endian ? 4 : 16;
    default:
      return 1;
  }
}

void CompactReader::finish() {
  if (at_ != end_) fail_around(offset(), counted(left(), "byte") + " after the end of the value");
  if (options_.left_out != nullptr) *options_.left_out = left_out_.seen();
  if (options_.unknown_fields == UnknownFields::keep) *options_.preserved = std::move(preserved_);
}

void CompactReader::throw_error(std::size_t offset, PathTo to, std::string reason, DataFault fault) const {
  if (finds_path_) throw InvalidBytes();
  CompactPath path(payload(), root_, options_.doubles);
  throw DataError(std::move(reason), path.seek(offset, to), {offset}, fault);
}

void CompactReader::fail_at(std::size_t offset, std::string reason) const {
  throw_error(offset, PathTo::value, std::move(reason));
}

void CompactReader::fail_around(std::size_t offset, std::string reason) const {
  throw_error(offset, PathTo::container, std::move(reason));
}

void CompactReader::expected(WireType wanted, WireType found) const {
  fail("expected " + std::string(name_of(wanted)) + ", found " + std::string(name_of(found)));
}

void CompactReader::ends_early() const {
  fail("the payload is truncated");
}

void CompactReader::too_deep() const {
  fail(schemagen::too_deep(options_.limits));
}

void CompactReader::fail_no_member() const {
  fail_around(offset() - 1, "expected exactly one field in a union, found none");
}

void CompactReader::fail_several_members(Header first) {
  const std::size_t start = offset();
  static_cast<void>(header(first.id));  // it may be invalid itself
  fail_around(start, "expected exactly one field in a union, found several");
}

void read_compact(CompactReader& in, WireType found, Json& out) {
  const std::size_t start = in.offset();
  const std::string_view text = in.string(found);
  if (const std::string fault = any_fault(text, in.levels_left()); !fault.empty())
    in.fail_at(start, "the string" + fault);
  out.text.assign(text);
}

void read_compact(CompactReader& in, WireType found, Bytes& out) {
  const std::string_view bytes = in.binary(found);
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  out.assign(begin, begin + bytes.size());  // at once: an iterator would copy single bytes
}

static void read_field(CompactReader&, Unit&, std::uint32_t, WireType) {}

void read_compact(CompactReader& in, WireType found, Unit& out) {
  if (found != WireType::structure) in.expected(WireType::structure, found);
  static constexpr CompactType kUnit{"", nullptr, 0, nullptr};
  CompactFields fields(in, kUnit);
  if (!fields.finish()) fields.read_others(out);
}

}  // namespace schemagen
