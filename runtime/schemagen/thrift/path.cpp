#include "schemagen/thrift/reader.h"

#include "schemagen/base/value_path.h"

namespace schemagen {
namespace {

/// As schemas allow.
bool is_known_key(WireType type) {
  return type == WireType::binary || (type >= WireType::i8 && type <= WireType::i64);
}

}  // namespace

CompactPath::CompactPath(std::string_view payload, const CompactType& root, DoubleOrder doubles)
    : options_{only_depth(std::numeric_limits<std::size_t>::max()), UnknownFields::error, false, doubles},
      in_(payload, root, options_, true),
      root_(&root) {}

std::string CompactPath::seek(std::size_t offset, PathTo to) {
  try {
    while (in_.offset() < offset || !is_at(to)) {
      if (!value_) {
        if (open_.empty()) break;
        next_child();
        continue;
      }
      const std::optional<WireType> type = value_;
      const std::size_t containers = open_.size();
      enter_or_pass();
      if (in_.offset() > offset && open_.size() == containers) {
        value_ = type;
        break;
      }
    }
  } catch (const CompactReader::InvalidBytes&) {
    // The path leads to the value that contains them.
  }
  return path();
}

/// At items of a list, but not between them or at its end.
bool CompactPath::is_at(PathTo to) const {
  if (value_) return to == PathTo::value;
  if (open_.empty() || open_.back().kind == WireType::structure) return true;
  return open_.back().kind == WireType::map && open_.back().items_begun != open_.back().item_count;
}

void CompactPath::enter_or_pass() {
  const WireType type = *value_;
  if (type >= WireType::list && type <= WireType::structure) {
    open(type);
  } else {
    const bool is_field = !open_.empty() && open_.back().kind == WireType::structure;
    in_.skip(is_field ? type : in_.item(type));
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
  if (kind != WireType::structure) {
    container.items = kind == WireType::map ? in_.any_map() : in_.any_list();
    container.item_count = container.items.count;
  }
  if (kind == WireType::map && !is_known_key(container.items.key)) {
    container.item_count *= 2;
    container.type = nullptr;
    container.key = "0";
  }
  open_.push_back(std::move(container));
}

void CompactPath::next_child() {
  Container& in = open_.back();
  if (in.kind == WireType::structure) {
    const CompactReader::Header found = in_.header(in.id);
    if (found.type == WireType::stop) return open_.pop_back();
    in.id = found.id;
    value_ = found.type;
    return;
  }
  if (in.items_begun == in.item_count) return open_.pop_back();
  WireType type = in.items.type;
  if (in.kind == WireType::map) {
    if (in.items.key == WireType::binary) {
      in.key = in_.binary(WireType::binary);
    } else if (is_known_key(in.items.key)) {
      in.key = std::to_string(in_.integer(in.items.key));
    } else if (in.items_begun % 2 == 0) {
      type = in.items.key;
    }
  }
  value_ = type;
  ++in.items_begun;
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
