#include "schemagen/thrift/reader.h"

#include "schemagen/base/value_path.h"

namespace schemagen {
namespace {

/// Ends a walk.
struct InvalidBytes {};

/// As schemas allow.
bool is_known_key(WireType type) {
  return type == WireType::binary || (type >= WireType::i8 && type <= WireType::i64);
}

}  // namespace

CompactPath::CompactPath(std::string_view payload, const CompactType& root, DoubleOrder doubles)
    : payload_(payload), uuid_bytes_(doubles == DoubleOrder::big_endian ? 4 : 16), root_(&root) {}

std::string CompactPath::seek(std::size_t offset, At at) {
  try {
    while (at_ < offset || !is_at(at)) {
      if (!value_) {
        if (open_.empty()) break;
        next_child();
        continue;
      }
      const std::optional<WireType> type = value_;
      const std::size_t containers = open_.size();
      enter_or_pass();
      if (at_ > offset && open_.size() == containers) {
        value_ = type;
        break;
      }
    }
  } catch (const InvalidBytes&) {
    // The path leads to the value that contains them.
  }
  return path();
}

/// At items of a list, but not between them or at its end.
bool CompactPath::is_at(At at) const {
  if (value_) return at == At::value;
  if (open_.empty() || open_.back().kind == WireType::structure) return true;
  return open_.back().kind == WireType::map && open_.back().items_begun != open_.back().item_count;
}

void CompactPath::enter_or_pass() {
  // A bool takes a byte only as an item.
  const bool is_field = !open_.empty() && open_.back().kind == WireType::structure;
  switch (*value_) {
    case WireType::true_:
    case WireType::false_:
      pass(is_field ? 0 : 1);
      break;
    case WireType::i8:
      pass(1);
      break;
    case WireType::i16:
    case WireType::i32:
    case WireType::i64:
      varint();
      break;
    case WireType::floating:
      pass(8);
      break;
    case WireType::uuid:
      pass(uuid_bytes_);
      break;
    case WireType::binary:
      text();
      break;
    case WireType::list:
    case WireType::set:
    case WireType::map:
    case WireType::structure:
      open(*value_);
      break;
    default:
      throw InvalidBytes();
  }
  value_.reset();
}

void CompactPath::open(WireType kind) {
  Container container;
  container.kind = kind;
  container.type = root_;
  if (!open_.empty()) {
    const Container& in = open_.back();
    const CompactField* const field = in.field();
    container.type = in.kind != WireType::structure ? in.type : field == nullptr ? nullptr : field->type;
  }
  if (kind == WireType::map) {
    container.item_count = varint();
    const unsigned types = container.item_count == 0 ? 0 : byte();
    container.key_type = static_cast<WireType>(types >> 4);
    container.item_type = static_cast<WireType>(types & 0xf);
    if (!is_known_key(container.key_type)) {
      container.item_count *= 2;
      container.type = nullptr;
      container.key = "0";
    }
  } else if (kind != WireType::structure) {
    const unsigned header = byte();
    container.item_count = header < 0xf0 ? header >> 4 : varint();
    container.item_type = static_cast<WireType>(header & 0xf);
  }
  open_.push_back(std::move(container));
}

void CompactPath::next_child() {
  Container& in = open_.back();
  if (in.kind == WireType::structure) {
    const unsigned header = byte();
    if (header == 0) return open_.pop_back();
    in.id = header >= 0x10 ? in.id + static_cast<std::int32_t>(header >> 4)
                           : static_cast<std::int32_t>(unzigzag(varint()));
    value_ = static_cast<WireType>(header & 0xf);
    return;
  }
  if (in.items_begun == in.item_count) return open_.pop_back();
  WireType type = in.item_type;
  if (in.kind == WireType::map) {
    if (in.key_type == WireType::binary) {
      in.key = text();
    } else if (in.key_type == WireType::i8) {
      in.key = std::to_string(static_cast<std::int8_t>(byte()));
    } else if (is_known_key(in.key_type)) {
      in.key = std::to_string(unzigzag(varint()));
    } else if (in.items_begun % 2 == 0) {
      type = in.key_type;
    }
  }
  value_ = type;
  ++in.items_begun;
}

void CompactPath::pass(std::uint64_t bytes) {
  if (bytes > payload_.size() - at_) throw InvalidBytes();
  at_ += static_cast<std::size_t>(bytes);
}

unsigned CompactPath::byte() {
  pass(1);
  return static_cast<unsigned char>(payload_[at_ - 1]);
}

std::uint64_t CompactPath::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const unsigned group = byte();
    value |= std::uint64_t{group & 0x7f} << shift;
    if (group < 0x80) return value;
  }
  throw InvalidBytes();
}

std::string_view CompactPath::text() {
  const std::uint64_t size = varint();
  const std::size_t begin = at_;
  pass(size);
  return payload_.substr(begin, at_ - begin);
}

std::vector<UnknownFieldStep> CompactPath::steps() const {
  std::vector<UnknownFieldStep> steps;
  for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
    const Container& in = open_[i];
    if (in.kind == WireType::map) {
      steps.push_back({in.key, 0, 0});
    } else if (in.kind == WireType::structure) {
      // Known: the schema has all structs around a value that was read.
      steps.push_back({std::string(in.field()->name), 0, 0});
    } else {
      steps.push_back(
          {{}, static_cast<std::size_t>(in.items_begun - 1), static_cast<std::size_t>(in.item_count)});
    }
  }
  return steps;
}

std::string CompactPath::path() const {
  std::string result;
  for (const Container& in : open_) {
    const bool is_between_children = &in == &open_.back() && !value_;
    if (is_between_children) break;
    if (in.kind == WireType::map) {
      append_key(result, in.key);
    } else if (in.kind != WireType::structure) {
      append_index(result, static_cast<std::size_t>(in.items_begun - 1));
    } else if (const CompactField* const field = in.field()) {
      append_key(result, field->name);
    } else {
      append_id(result, in.id);
    }
  }
  return result;
}

}  // namespace schemagen
