#include "pt2/upgrade/upgrade.h"

#include <algorithm>
#include <limits>

#include "pt2/reflection.h"
#include "pt2/schema_info.h"
#include "pt2/upgrade/downgrade_steps.h"
#include "pt2/upgrade/release_target.h"
#include "pt2/versions/document_version.h"
#include "pt2/versions/released_schemas.h"
#include "pt2/versions/version.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/quote.h"
#include "schemagen/tree/dom.h"
#include "schemagen/tree/upgrade.h"
#include "schemagen/tree/walk.h"

namespace pt2 {
namespace {

using schemagen::DomMember;
using schemagen::DomValue;
using schemagen::ReflectedField;
using schemagen::ReflectedType;
using schemagen::Reflection;

constexpr std::string_view kProgram = "ExportedProgram";

bool is_empty(const DomValue& value) {
  return value.is_null() || (value.list() != nullptr && value.list()->empty()) ||
         (value.object() != nullptr && value.object()->empty()) ||
         (value.is_string() && value.text().empty());
}

/// torch 2.6 lacks Node.is_hop_single_tensor_return: it takes a single output for a returned value, and
/// `as_tensors` for a tuple (serialize.py: serialize_hoo_outputs, deserialize_outputs). So a tuple of one
/// tensor becomes such a list; a tuple of one symbolic value has no representation.
bool say_by_outputs(DomValue& node, const DomValue& is_single) {
  DomValue::List* const outputs = node.find_list("outputs");
  if (is_single.boolean().value_or(false) || outputs == nullptr || outputs->size() != 1) return true;
  DomValue& only = outputs->front();
  if (only.find("as_none") != nullptr) return true;  // torch 2.6 reads it as a tuple
  DomValue tensor = only.take("as_tensor");
  if (tensor.is_null()) return false;
  DomValue::List tensors;
  tensors.push_back(std::move(tensor));
  only = DomValue::object_of("as_tensors", std::move(tensors));
  return true;
}

/// Dropped without loss after `prepare`, if there is one, which returns false if that is impossible.
struct Hint {
  std::string_view type;
  std::string_view field;
  bool (*prepare)(DomValue& object, const DomValue& value) = nullptr;
};
constexpr Hint kHints[] = {
    {"Node", "name"},                    // older readers name nodes after their outputs
    {"NamedArgument", "kind"},           // older readers use the operator's schema
    {"ExportedProgram", "guards_code"},  // guards only check the arguments of a call
    {"Node", "is_hop_single_tensor_return", say_by_outputs},
};

const Hint* find_hint(std::string_view type, std::string_view field) {
  const auto* const found = std::find_if(std::begin(kHints), std::end(kHints), [&](const Hint& hint) {
    return hint.type == type && hint.field == field;
  });
  return found == std::end(kHints) ? nullptr : found;
}

class Downgrade {
 public:
  /// What happens to members that `from` lacks: they come from a newer minor version, or from a later major
  /// one.
  enum class Unknown { keep, drop };
  Downgrade(const Reflection& from, const Reflection& to, Unknown unknown, DowngradedDocument& result)
      : from_(from), to_(to), unknown_(unknown), result_(result) {}

  // The parser limited the depth.
  void walk(std::uint32_t from_index, std::uint32_t to_index, DomValue& value) {
    const ReflectedType& from = from_.types[from_index];
    const ReflectedType& to = to_.types[to_index];
    if (from.kind != to.kind)
      return refuse("expected a value of type " + std::string(to.name) + ", got " + std::string(from.name));
    switch (from.kind) {
      case ReflectedType::optional:
        if (!value.is_null()) walk(from.element, to.element, value);
        break;
      case ReflectedType::list:
        return walk_list(from, to, value);
      case ReflectedType::map:
        return walk_map(from, to, value);
      case ReflectedType::structure:
      case ReflectedType::union_:
        return walk_members(from, to, value);
      case ReflectedType::enumeration:
        return check_enum(from, to, value);
      case ReflectedType::floating:
      case ReflectedType::float32:
        if (const auto named = schemagen::nonfinite_named(value.text())) value = *named;
        break;
      default:
        break;
    }
  }

 private:
  void walk_list(const ReflectedType& from, const ReflectedType& to, DomValue& value) {
    std::size_t index = 0;
    for (DomValue& item : expect(value.list(), "a list")) {
      path_.push_index(index++);
      walk(from.element, to.element, item);
      path_.pop();
    }
  }

  void walk_map(const ReflectedType& from, const ReflectedType& to, DomValue& value) {
    for (DomMember& member : expect(value.object(), "an object")) {
      path_.push_key(member.name.view());
      walk(from.element, to.element, member.value);
      path_.pop();
    }
  }

  /// Drops the members that `to` lacks. After a step, members may have to be put into the schema's order.
  void walk_members(const ReflectedType& from, const ReflectedType& to, DomValue& value) {
    DomValue::Object& members = expect(value.object(), "an object");
    std::vector<std::string> dropped;
    for (DomMember& member : members) {
      const std::string_view name = member.name.view();
      const ReflectedField* const field = from.named(name);
      if (field == nullptr && unknown_ == Unknown::keep) continue;
      const ReflectedField* const known = to.named(name);
      path_.push_key(name);
      if (known != nullptr) {
        walk(field->type, known->type, member.value);
      } else if (from.kind == ReflectedType::union_) {
        refuse(std::string(from.name) + " has no member '" + std::string(name) + "'");
      } else if (can_drop(from, name, value, member.value)) {
        dropped.emplace_back(name);
      }
      path_.pop();
    }
    for (const std::string& name : dropped) value.take(name);
    if (unknown_ == Unknown::keep) return;
    std::stable_sort(members.begin(), members.end(), [&](const DomMember& a, const DomMember& b) {
      return from.named(a.name.view()) < from.named(b.name.view());
    });
  }

  bool can_drop(const ReflectedType& type, std::string_view field, DomValue& object, const DomValue& value) {
    if (is_empty(value)) return true;
    const Hint* const hint = find_hint(type.name, field);
    if (hint == nullptr) {
      refuse(std::string(type.name) + " has no field '" + std::string(field) + "'");
    } else if (hint->prepare != nullptr && !hint->prepare(object, value)) {
      refuse("a higher-order operator cannot return a tuple of one symbolic value");
    } else {
      count_dropped(std::string(type.name) + "." + std::string(field));
      return true;
    }
    return false;
  }

  void check_enum(const ReflectedType& from, const ReflectedType& to, const DomValue& value) {
    const std::optional<std::int64_t> number = value.integer();
    const std::int64_t& found = expect(number ? &*number : nullptr, "an integer");
    const auto id = static_cast<std::int32_t>(found);
    if (id == found && to.numbered(id) != nullptr) return;
    const ReflectedField* const known = id == found ? from.numbered(id) : nullptr;
    refuse(std::string(to.name) + " has no value " + std::to_string(found) +
           (known == nullptr ? "" : ", " + std::string(known->name)));
  }

  void refuse(std::string what) { result_.unsupported.push_back({path_.text(), std::move(what)}); }

  void count_dropped(const std::string& name) {
    const auto is_it = [&](const DroppedField& field) { return field.name == name; };
    const auto found = std::find_if(result_.dropped.begin(), result_.dropped.end(), is_it);
    if (found == result_.dropped.end()) return result_.dropped.push_back({name, 1});
    ++found->count;
  }

  template <class T>
  T& expect(T* value, const char* what) const {
    if (value == nullptr) throw schemagen::DataError(std::string("expected ") + what, path_.text());
    return *value;
  }

  const Reflection& from_;
  const Reflection& to_;
  Unknown unknown_;
  DowngradedDocument& result_;
  schemagen::WalkPath path_;
};

const Reflection& schema_of(const SchemaVersion& version) {
  const Reflection* const schema = released_schema_known_to(version);
  const std::int64_t oldest = writable_majors().front();
  if (schema != nullptr && version.major >= oldest && released_schema_for(version) != nullptr) return *schema;
  throw schemagen::UsageError("cannot downgrade to version " + version_text(version) + ": expected " +
                              version_text({oldest, released_schema_for({oldest, 0})->minor}) + " to " +
                              version_text({kSchemaMajor, kSchemaMinor}));
}

void require_newer(const SchemaVersion& version, const SchemaVersion& to) {
  require_readable(version, Encoding::json);
  if (version.major == kSchemaMajor && (to.major < kSchemaMajor || version.minor >= to.minor)) return;
  throw schemagen::UsageError("the program's version " + version_text(version) + " is older than " +
                              version_text(to) + "; upgrade it first");
}

const Reflection& last_of(std::int64_t major) {
  return *released_schema_known_to({major, std::numeric_limits<std::int32_t>::max()});
}

/// Applies the steps from one major version to the one before.
void apply_steps(std::int64_t major, DomValue& dom, DowngradedDocument& result) {
  const Reflection& schema = last_of(major);
  const schemagen::Version version{schema.major, schema.minor};
  std::vector<schemagen::UpgradeStep> steps;
  for (const DowngradeStep& step : downgrade_steps()) {
    if (step.major != major) continue;
    steps.push_back({version, step.type, [&](DomValue& value, const schemagen::UpgradeContext& context) {
                       std::string why = step.apply(value);
                       if (!why.empty())
                         result.unsupported.push_back({context.path().text(), std::move(why)});
                     }});
  }
  schemagen::apply_upgrade_steps(dom, kProgram, version, steps,
                                 [&](const schemagen::Version&) -> const Reflection& { return schema; });
}

}  // namespace

DowngradedDocument downgrade_document(const schemagen::JsonDocument& document, const SchemaVersion& to) {
  const Reflection& schema = schema_of(to);
  require_newer(document_version(document), to);
  DowngradedDocument result;
  DomValue dom = schemagen::to_dom(document);
  const std::vector<std::int64_t> majors = writable_majors();
  for (auto major = majors.rbegin(); *major != to.major; ++major) apply_steps(*major, dom, result);
  const Reflection& from = last_of(to.major);
  const auto unknown = to.major == kSchemaMajor ? Downgrade::Unknown::keep : Downgrade::Unknown::drop;
  Downgrade(from, schema, unknown, result).walk(from.find(kProgram), schema.find(kProgram), dom);
  if (!result.unsupported.empty()) return result;
  dom.find("schema_version")->set("major", to.major);
  dom.find("schema_version")->set("minor", to.minor);
  result.text = schemagen::dom_text(
      dom, has_bare_nonfinite(to) ? schemagen::Nonfinite::bare : schemagen::Nonfinite::quoted);
  return result;
}

}  // namespace pt2
