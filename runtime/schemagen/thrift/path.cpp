#include "schemagen/thrift/reader.h"

#include "schemagen/base/value_path.h"

namespace schemagen {
namespace {

/// As schemas allow.
bool is_known_key(WireType type) {
  return type == WireType::binary || type == WireType::i8 || type == WireType::i16 || type == WireType::i32 ||
         type == WireType::i64;
}

std::int64_t from_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
}

}  // namespace

std::string CompactPath::Container::key_text() const {
  return key_type == WireType::binary ? std::string(key) : std::to_string(key_number);
}

CompactPath::CompactPath(std::string_view payload, const CompactType& root, DoubleOrder doubles)
    : payload_(payload), uuid_bytes_(doubles == DoubleOrder::big_endian ? 4 : 16), root_(&root) {}

std::string CompactPath::seek(std::size_t offset, At at) {
  while (at_ < offset || !is_at(at)) {
    if (!value_) {
      if (!next_child()) break;
      continue;
    }
    const std::optional<WireType> type = value_;
    const std::size_t containers = open_.size();
    const bool is_passed = enter_or_pass() && (at_ <= offset || open_.size() != containers);
    if (!is_passed) {
      value_ = type;
      break;
    }
  }
  return path();
}

/// At items of a list, but not between them or at its end.
bool CompactPath::is_at(At at) const {
  if (value_) return at == At::value;
  if (open_.empty() || open_.back().kind == WireType::structure) return true;
  return open_.back().kind == WireType::map && open_.back().items_begun != open_.back().item_count;
}

bool CompactPath::enter_or_pass() {
  const WireType type = *value_;
  value_.reset();
  // A bool takes a byte only as an item.
  const bool is_field = !open_.empty() && open_.back().kind == WireType::structure;
  switch (type) {
    case WireType::true_:
    case WireType::false_:
      return pass(is_field ? 0 : 1);
    case WireType::i8:
      return pass(1);
    case WireType::i16:
    case WireType::i32:
    case WireType::i64:
      return varint().has_value();
    case WireType::floating:
      return pass(8);
    case WireType::uuid:
      return pass(uuid_bytes_);
    case WireType::binary:
      return text().has_value();
    case WireType::list:
    case WireType::set:
    case WireType::map:
    case WireType::structure:
      return open(type);
    case WireType::stop:
      break;
  }
  return false;
}

bool CompactPath::open(WireType kind) {
  Container container;
  container.kind = kind;
  container.type = child_type();
  if (kind == WireType::map) {
    const auto count = varint();
    if (!count) return false;
    const auto types = *count == 0 ? 0 : byte();
    if (!types) return false;
    container.item_count = *count;
    container.key_type = static_cast<WireType>(*types >> 4);
    container.item_type = static_cast<WireType>(*types & 0xf);
    if (!is_known_key(container.key_type)) {
      container.item_count *= 2;
      container.type = nullptr;
    }
  } else if (kind != WireType::structure) {
    const auto header = byte();
    if (!header) return false;
    const auto count = *header < 0xf0 ? std::uint64_t{*header >> 4} : varint();
    if (!count) return false;
    container.item_count = *count;
    container.item_type = static_cast<WireType>(*header & 0xf);
  }
  open_.push_back(container);
  return true;
}

bool CompactPath::next_child() {
  if (open_.empty()) return false;
  Container& in = open_.back();
  if (in.kind == WireType::structure) return next_field(in);
  if (in.items_begun != in.item_count) return next_item(in);
  open_.pop_back();
  return true;
}

bool CompactPath::next_field(Container& in) {
  const auto header = byte();
  if (!header) return false;
  if (*header == 0) {
    open_.pop_back();
    return true;
  }
  if (*header >= 0x10) {
    in.id += static_cast<std::int32_t>(*header >> 4);
  } else {
    const auto zigzag = varint();
    if (!zigzag) return false;
    in.id = static_cast<std::int32_t>(from_zigzag(*zigzag));
  }
  value_ = static_cast<WireType>(*header & 0xf);
  return true;
}

bool CompactPath::next_item(Container& in) {
  value_ = in.item_type;
  if (in.kind == WireType::map && !is_known_key(in.key_type)) {
    if (in.items_begun % 2 == 0) value_ = in.key_type;
  } else if (in.kind == WireType::map && !next_key(in)) {
    value_.reset();
    return false;
  }
  ++in.items_begun;
  return true;
}

bool CompactPath::next_key(Container& in) {
  if (in.key_type == WireType::binary) {
    const auto key = text();
    in.key = key.value_or(std::string_view());
    return key.has_value();
  }
  if (in.key_type == WireType::i8) {
    const auto key = byte();
    const std::int64_t bits = key.value_or(0);
    in.key_number = bits < 0x80 ? bits : bits - 0x100;
    return key.has_value();
  }
  const auto key = varint();
  in.key_number = from_zigzag(key.value_or(0));
  return key.has_value();
}

const CompactType* CompactPath::child_type() const {
  if (open_.empty()) return root_;
  const Container& in = open_.back();
  if (in.kind != WireType::structure || in.type == nullptr) return in.type;
  const CompactField* const field = in.type->find(in.id);
  return field == nullptr ? nullptr : field->type;
}

bool CompactPath::pass(std::size_t bytes) {
  if (bytes > payload_.size() - at_) return false;
  at_ += bytes;
  return true;
}

std::optional<unsigned> CompactPath::byte() {
  if (at_ == payload_.size()) return std::nullopt;
  return static_cast<unsigned char>(payload_[at_++]);
}

std::optional<std::uint64_t> CompactPath::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto group = byte();
    if (!group) break;
    value |= std::uint64_t{*group & 0x7f} << shift;
    if (*group < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> CompactPath::text() {
  const auto size = varint();
  if (!size || *size > payload_.size() - at_) return std::nullopt;
  const std::string_view found = payload_.substr(at_, static_cast<std::size_t>(*size));
  at_ += found.size();
  return found;
}

std::vector<UnknownFieldStep> CompactPath::steps() const {
  std::vector<UnknownFieldStep> steps;
  for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
    const Container& in = open_[i];
    if (in.kind == WireType::map) {
      steps.push_back({in.key_text(), 0, 0});
    } else if (in.kind == WireType::structure) {
      // Known: the schema has all structs around a value that was read.
      steps.push_back({std::string(in.type->find(in.id)->name), 0, 0});
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
      append_key(result, in.key_text());
    } else if (in.kind != WireType::structure) {
      append_index(result, static_cast<std::size_t>(in.items_begun - 1));
    } else if (const CompactField* const field = in.type == nullptr ? nullptr : in.type->find(in.id)) {
      append_key(result, field->name);
    } else {
      append_id(result, in.id);
    }
  }
  return result;
}

}  // namespace schemagen
