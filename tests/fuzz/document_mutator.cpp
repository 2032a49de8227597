#include "document_mutator.h"

#include <functional>
#include <iterator>
#include <utility>

#include "schemagen/document/dom.h"
#include "schemagen/document/member.h"
#include "schemagen/value/error.h"

using rapidjson::SizeType;
using schemagen::DomMembers;
using schemagen::string_value;
using schemagen::text_of;

namespace {

std::uint64_t joined(std::uint64_t hash, std::string_view text) {
  return hash * 0x9E3779B97F4A7C15U + std::hash<std::string_view>()(text) + 1;
}

/// Every string of `value` that is `from`, keys too, becomes `to`.
void replace_text(rapidjson::Value& value, const std::string& from, const std::string& to,
                  DocumentMutator::Allocator& allocator) {
  if (value.IsString() && text_of(value) == from) value = string_value(to, allocator);
  if (value.IsArray()) {
    for (rapidjson::Value& item : value.GetArray()) replace_text(item, from, to, allocator);
  }
  for (auto& member : DomMembers(value)) {
    replace_text(member.name, from, to, allocator);
    replace_text(member.value, from, to, allocator);
  }
}

}  // namespace

void DocumentMutator::collect(Value& value, std::uint64_t key, std::vector<Spot>& spots) {
  std::uint64_t shape = 0;
  for (const auto& member : DomMembers(value)) shape = joined(shape, text_of(member.name));
  spots.push_back({&value, key, shape == 0 ? key : shape});
  if (value.IsArray()) {
    for (Value& item : value.GetArray()) collect(item, key + 1, spots);
  }
  for (auto& member : DomMembers(value)) collect(member.value, joined(0, text_of(member.name)), spots);
}

std::vector<DocumentMutator::Spot> DocumentMutator::spots_of(Value& root) {
  std::vector<Spot> spots;
  collect(root, 0, spots);
  return spots;
}

const DocumentMutator::Spot* DocumentMutator::like(const Spot& spot, const std::vector<Spot>& spots) {
  const bool by_key = below(2) == 0;
  const std::size_t start = below(spots.size());
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const Spot& other = spots[(start + i) % spots.size()];
    if (other.value != spot.value && (by_key ? other.key == spot.key : other.shape == spot.shape))
      return &other;
  }
  return nullptr;
}

void DocumentMutator::copy_alike(const std::vector<Spot>& targets, const std::vector<Spot>& sources,
                                 Allocator& allocator) {
  const Spot& target = targets[below(targets.size())];
  const Spot* const source = like(target, sources);
  if (source == nullptr) return;
  Value copy(*source->value, allocator);  // first, as one may be a part of the other
  *target.value = copy;
}

void DocumentMutator::graft(Value& root, const Value& donor, Allocator& allocator) {
  Value sources(donor, allocator);
  copy_alike(spots_of(root), spots_of(sources), allocator);
}

void DocumentMutator::change_list(Value& list, Allocator& allocator) {
  const SizeType size = list.Size();
  if (size == 0) return;
  const auto item = [&] { return list.Begin() + below(size); };
  switch (below(4)) {
    case 0:
      list.Erase(item());
      return;
    case 1:
      item()->Swap(*item());
      return;
    case 2: {  // the next one, so that the order of the others stays
      const std::size_t i = below(size);
      if (i + 1 < size) list[static_cast<SizeType>(i)].Swap(list[static_cast<SizeType>(i + 1)]);
      return;
    }
    default: {
      Value copy(*item(), allocator);
      list.PushBack(copy, allocator);
      for (SizeType i = size; i > below(size + 1); --i) list[i].Swap(list[i - 1]);
    }
  }
}

void DocumentMutator::change_members(Value& object, Allocator& allocator) {
  if (object.MemberCount() == 0) return;
  const auto member = [&] {
    return object.MemberBegin() + static_cast<std::ptrdiff_t>(below(object.MemberCount()));
  };
  const auto chosen = member();
  switch (below(4)) {
    case 0:
      object.EraseMember(chosen);
      return;
    case 1:
      chosen->value.Swap(member()->value);
      return;
    case 2:
      chosen->name = string_value(other_text(std::string(text_of(chosen->name))), allocator);
      return;
    default:
      Value name = string_value(other_text(std::string(text_of(chosen->name))), allocator);
      Value value(chosen->value, allocator);
      object.AddMember(name, value, allocator);
  }
}

void DocumentMutator::rename(Value& root, const std::vector<Spot>& spots, Allocator& allocator) {
  const Spot& spot = spots[below(spots.size())];
  if (!spot.value->IsString()) return;
  const std::string from(text_of(*spot.value));
  const Spot* const other = like(spot, spots);
  const bool is_taken = other != nullptr && other->value->IsString() && below(2) == 0;
  const std::string to = is_taken ? std::string(text_of(*other->value)) : other_text(from);
  replace_text(root, from, to, allocator);
}

std::string DocumentMutator::other_text(std::string text) {
  static const std::string kParts[] = {"",
                                       "_0",
                                       "_1",
                                       "s0",
                                       "u0",
                                       "zf0",
                                       "_g0",
                                       "n",
                                       "\x1b[31m",
                                       "\n",
                                       "\"",
                                       "'",
                                       "\\",
                                       "\xc3\xa9",
                                       "\xe2\x80\xae",
                                       "Add(",
                                       ")",
                                       "Integer(-1)",
                                       "Symbol('s0', integer=True)",
                                       ", ",
                                       ".",
                                       "self",
                                       "torch.ops.aten.add.Tensor",
                                       "torch.ops.aten.add_.Tensor",
                                       "torch.ops.higher_order.cond",
                                       "9223372036854775807",
                                       std::string(1000, 'x')};
  const std::string& part = kParts[below(std::size(kParts))];
  switch (below(4)) {
    case 0:
      return part;
    case 1:
      return text.insert(below(text.size() + 1), part);
    case 2:
      return text.erase(below(text.size() + 1), 1 + below(4));
    default:
      return text + std::to_string(below(3));
  }
}

void DocumentMutator::change_type(Value& value, Allocator& allocator) {
  static constexpr std::string_view kOthers[] = {"null",
                                                 "true",
                                                 "false",
                                                 "0",
                                                 "1",
                                                 "-1",
                                                 "7",
                                                 "99",
                                                 "-1.5",
                                                 "1e400",
                                                 "9223372036854775807",
                                                 "9223372036854775808",
                                                 "\"x\"",
                                                 "\"NaN\"",
                                                 "[]",
                                                 "{}",
                                                 "[[]]",
                                                 "{\"a\": {}}"};
  const std::string_view text = kOthers[below(std::size(kOthers))];
  rapidjson::Document other(&allocator);
  other.Parse(text.data(), text.size());
  if (!other.HasParseError()) static_cast<Value&>(other).Swap(value);
}

void DocumentMutator::change(Value& root, Allocator& allocator) {
  const std::vector<Spot> spots = spots_of(root);
  Value& value = *spots[below(spots.size())].value;
  switch (below(8)) {
    case 0:
      return rename(root, spots, allocator);
    case 1:
    case 2:
      return copy_alike(spots, spots, allocator);
    default:
      if (value.IsArray()) return change_list(value, allocator);
      if (value.IsObject()) return change_members(value, allocator);
      if (value.IsString() && below(2) == 0) {
        value = string_value(other_text(std::string(text_of(value))), allocator);
        return;
      }
      return below(3) == 0 ? change_type(value, allocator) : copy_alike(spots, spots, allocator);
  }
}

std::optional<std::string> mutated_document(std::string_view text, std::string_view donor,
                                            DocumentMutator& mutator) {
  const auto try_parse = [](std::string_view json) -> std::optional<schemagen::JsonDocument> {
    schemagen::JsonReadOptions options;
    options.bare_nonfinite = true;
    try {
      return schemagen::JsonDocument(json, options);
    } catch (const schemagen::DataError&) {
      return std::nullopt;
    }
  };
  const std::optional<schemagen::JsonDocument> document = try_parse(text);
  if (!document) return std::nullopt;
  rapidjson::Document dom = schemagen::to_dom(*document);
  const std::optional<schemagen::JsonDocument> other = donor.empty() ? std::nullopt : try_parse(donor);
  if (other) mutator.graft(dom, schemagen::to_dom(*other), dom.GetAllocator());
  for (std::size_t count = other ? 0 : 1 + mutator.below(3); count > 0; --count) {
    mutator.change(dom, dom.GetAllocator());
  }
  return schemagen::dom_text(dom);
}
