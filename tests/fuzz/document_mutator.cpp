#include "document_mutator.h"

#include <functional>
#include <iterator>
#include <utility>

#include "schemagen/base/error.h"
#include "schemagen/tree/dom.h"

using schemagen::DomMember;
using schemagen::DomValue;

namespace {

std::uint64_t joined(std::uint64_t hash, std::string_view text) {
  return hash * 0x9E3779B97F4A7C15U + std::hash<std::string_view>()(text) + 1;
}

void replace_text(DomValue& value, const std::string& from, const std::string& to) {
  if (value.is_string() && value.text() == from) value = to;
  if (DomValue::List* const list = value.list()) {
    for (DomValue& item : *list) replace_text(item, from, to);
  }
  if (DomValue::Object* const members = value.object()) {
    for (DomMember& member : *members) {
      if (member.name.view() == from) member.name = std::string_view(to);
      replace_text(member.value, from, to);
    }
  }
}

}  // namespace

void DocumentMutator::collect(Value& value, std::uint64_t key, std::vector<Spot>& spots) {
  DomValue::Object* const members = value.object();
  std::uint64_t shape = 0;
  if (members != nullptr) {
    for (const DomMember& member : *members) shape = joined(shape, member.name.view());
  }
  spots.push_back({&value, key, shape == 0 ? key : shape});
  if (DomValue::List* const list = value.list()) {
    for (Value& item : *list) collect(item, key + 1, spots);
  }
  if (members != nullptr) {
    for (DomMember& member : *members) collect(member.value, joined(0, member.name.view()), spots);
  }
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

void DocumentMutator::copy_alike(const std::vector<Spot>& targets, const std::vector<Spot>& sources) {
  const Spot& target = targets[below(targets.size())];
  const Spot* const source = like(target, sources);
  if (source == nullptr) return;
  *target.value = *source->value;
}

void DocumentMutator::graft(Value& root, const Value& donor) {
  Value sources = donor;
  copy_alike(spots_of(root), spots_of(sources));
}

void DocumentMutator::change_list(Value::List& list) {
  const std::size_t size = list.size();
  if (size == 0) return;
  const auto place = [&] { return list.begin() + static_cast<std::ptrdiff_t>(below(size)); };
  switch (below(4)) {
    case 0:
      list.erase(place());
      return;
    case 1:
      std::swap(*place(), *place());
      return;
    case 2: {
      const std::size_t i = below(size);
      if (i + 1 < size) std::swap(list[i], list[i + 1]);
      return;
    }
    default: {
      Value copy = *place();
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(below(size + 1)), std::move(copy));
    }
  }
}

void DocumentMutator::change_members(Value::Object& members) {
  if (members.empty()) return;
  const auto place = [&] { return members.begin() + static_cast<std::ptrdiff_t>(below(members.size())); };
  const auto chosen = place();
  switch (below(4)) {
    case 0:
      members.erase(chosen);
      return;
    case 1:
      std::swap(chosen->value, place()->value);
      return;
    case 2:
      chosen->name = std::string_view(other_text(std::string(chosen->name.view())));
      return;
    default:
      DomMember member = {std::string_view(other_text(std::string(chosen->name.view()))), chosen->value};
      members.push_back(std::move(member));
  }
}

void DocumentMutator::rename(Value& root, const std::vector<Spot>& spots) {
  const Spot& spot = spots[below(spots.size())];
  if (!spot.value->is_string()) return;
  const std::string from(spot.value->text());
  const Spot* const other = like(spot, spots);
  const bool is_taken = other != nullptr && other->value->is_string() && below(2) == 0;
  const std::string to = is_taken ? std::string(other->value->text()) : other_text(from);
  replace_text(root, from, to);
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

void DocumentMutator::change_type(Value& value) {
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
  if (std::optional<Value> other = schemagen::parse_dom(text)) value = *std::move(other);
}

void DocumentMutator::change(Value& root) {
  const std::vector<Spot> spots = spots_of(root);
  Value& value = *spots[below(spots.size())].value;
  switch (below(8)) {
    case 0:
      return rename(root, spots);
    case 1:
    case 2:
      return copy_alike(spots, spots);
    default:
      if (Value::List* const list = value.list()) return change_list(*list);
      if (Value::Object* const members = value.object()) return change_members(*members);
      if (value.is_string() && below(2) == 0) {
        value = other_text(std::string(value.text()));
        return;
      }
      return below(3) == 0 ? change_type(value) : copy_alike(spots, spots);
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
  DomValue dom = schemagen::to_dom(*document);
  const std::optional<schemagen::JsonDocument> other = donor.empty() ? std::nullopt : try_parse(donor);
  if (other) mutator.graft(dom, schemagen::to_dom(*other));
  for (std::size_t count = other ? 0 : 1 + mutator.below(3); count > 0; --count) {
    mutator.change(dom);
  }
  return schemagen::dom_text(dom);
}
