#include "front/indentation.h"

#include <string>

#include "front/keys.h"
#include "schemagen/base/quote.h"
#include "text/characters.h"

namespace generator {
namespace {

bool belongs_in(Part part, const YamlEntry& entry) {
  const std::string& name = entry.key.text;
  if (name.empty()) return false;
  if (part == Part::types) return is_upper(name.front());
  if (part == Part::fields)
    return entry.value.kind != YamlNode::Kind::scalar || find_key(Part::field, name) == nullptr;
  return find_key(part, name) != nullptr;
}

Part part_under(Part part, const YamlEntry& entry) {
  if (part == Part::types) return Part::type;
  if (part == Part::fields) return Part::field;
  const Key* const key = find_key(part, entry.key.text);
  return key == nullptr ? Part::other : key->part;
}

bool is_missing_under(Part part, const YamlEntry& owner, const YamlEntry& entry) {
  if (!belongs_in(part_under(part, owner), entry)) return false;
  if (is_nothing(owner.value)) return true;
  return part == Part::types && owner.value.kind == YamlNode::Kind::map && !owner.value.entries.empty() &&
         owner.value.entries.front().key.span.line != owner.key.span.line &&
         owner.value.find(entry.key.text) == nullptr;
}

void report_beside(const YamlEntry& entry, const YamlEntry& owner, Diagnostics& diagnostics) {
  constexpr std::size_t kUsual = 2;
  const std::size_t column = owner.value.entries.empty() ? owner.key.span.column + kUsual
                                                         : owner.value.entries.front().key.span.column;
  const std::string name = schemagen::quoted(owner.key.text);
  diagnostics.error(
      entry.key.span,
      schemagen::quoted(entry.key.text) + " is indented like " + name + ", so it is not part of " + name,
      "indent everything in " + name + " to column " + std::to_string(column),
      {{owner.key.span, name + " begins here"}});
}

bool report_in(const YamlNode& map, Part part, Diagnostics& diagnostics) {
  bool is_any = false;
  const YamlEntry* owner = nullptr;
  const YamlEntry* reported = nullptr;
  for (const YamlEntry& entry : map.entries) {
    if (owner != nullptr && !belongs_in(part, entry) && is_missing_under(part, *owner, entry)) {
      if (reported != owner) report_beside(entry, *owner, diagnostics);
      reported = owner;
      is_any = true;
      continue;
    }
    owner = &entry;
    is_any = report_in(entry.value, part_under(part, entry), diagnostics) || is_any;
  }
  return is_any;
}

}  // namespace

bool report_keys_beside_theirs(const YamlNode& root, Diagnostics& diagnostics) {
  return report_in(root, Part::schema, diagnostics);
}

}  // namespace generator
