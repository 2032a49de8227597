#include "pt2/upgrade/downgrade.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "pt2/reflection.h"
#include "pt2/schema_info.h"
#include "pt2/version/document_version.h"
#include "pt2/version/released_schemas.h"
#include "pt2/version/version.h"
#include "schemagen/document/dom.h"
#include "schemagen/document/member.h"
#include "schemagen/document/walk.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

using rapidjson::Value;
using schemagen::ReflectedField;
using schemagen::ReflectedType;
using schemagen::Reflection;

bool is_empty(const Value& value) {
  return value.IsNull() || (value.IsArray() && value.Empty()) || (value.IsObject() && value.ObjectEmpty()) ||
         (value.IsString() && value.GetStringLength() == 0);
}

/// The number that a string stands for where a float is expected.
double nonfinite(const Value& text) {
  if (schemagen::text_of(text) == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return schemagen::text_of(text) == "Infinity" ? infinity : -infinity;
}

/// Torch up to 2.6 reads a higher-order operator with one output as if this were true.
bool returns_what_old_readers_expect(const Value& node, const Value& is_single) {
  const Value* const outputs = schemagen::find_member(node, "outputs");
  const bool is_one = outputs != nullptr && outputs->IsArray() && outputs->Size() == 1;
  return is_single.IsTrue() || !is_one;
}

bool always(const Value&, const Value&) {
  return true;
}

/// Fields that say nothing about what a program computes, for values that `holds` is true for.
struct Hint {
  std::string_view type;
  std::string_view field;
  bool (*holds)(const Value& object, const Value& value);
};
constexpr Hint kHints[] = {
    {"Node", "name", always},           // older readers name nodes for their outputs
    {"NamedArgument", "kind", always},  // older readers ask the operator's schema
    {"Node", "is_hop_single_tensor_return", returns_what_old_readers_expect},
};

bool is_hint(std::string_view type, std::string_view field, const Value& object, const Value& value) {
  return std::any_of(std::begin(kHints), std::end(kHints), [&](const Hint& hint) {
    return hint.type == type && hint.field == field && hint.holds(object, value);
  });
}

template <class Is>
const ReflectedField* find_field(const ReflectedType& type, Is is) {
  const ReflectedField* const end = type.fields + type.field_count;
  const ReflectedField* const found = std::find_if(type.fields, end, is);
  return found == end ? nullptr : found;
}

const ReflectedField* field_called(const ReflectedType& type, std::string_view name) {
  return find_field(type, [&](const ReflectedField& field) { return field.name == name; });
}

/// Walks a document by two schemas at once.
class Downgrade {
 public:
  Downgrade(const Reflection& from, const Reflection& to, DowngradedDocument& result)
      : from_(from), to_(to), result_(result) {}

  // Recursion is as deep as the document, for which its parser had a limit.
  void walk(std::uint32_t from_index, std::uint32_t to_index, Value& value) {
    const ReflectedType& from = from_.types[from_index];
    const ReflectedType& to = to_.types[to_index];
    if (from.kind != to.kind)
      return refuse("a value of type " + std::string(from.name) + ", where " + std::string(to.name) +
                    " is expected");
    switch (from.kind) {
      case ReflectedType::optional:
        if (!value.IsNull()) walk(from.element, to.element, value);
        break;
      case ReflectedType::list:
        walk_list(from, to, value);
        break;
      case ReflectedType::map:
        walk_map(from, to, value);
        break;
      case ReflectedType::structure:
        walk_struct(from, to, value);
        break;
      case ReflectedType::union_:
        walk_union(from, to, value);
        break;
      case ReflectedType::enumeration:
        check_enum(from, to, value);
        break;
      case ReflectedType::floating:
        if (value.IsString()) value.SetDouble(nonfinite(value));
        break;
      case ReflectedType::boolean:
      case ReflectedType::integer:
      case ReflectedType::string:
      case ReflectedType::bytes:
      case ReflectedType::unit:
      case ReflectedType::any:
        break;
    }
  }

 private:
  void walk_list(const ReflectedType& from, const ReflectedType& to, Value& value) {
    expect(value.IsArray(), "a list");
    for (rapidjson::SizeType i = 0; i < value.Size(); ++i) {
      path_.push_index(i);
      walk(from.element, to.element, value[i]);
      path_.pop();
    }
  }

  void walk_map(const ReflectedType& from, const ReflectedType& to, Value& value) {
    expect(value.IsObject(), "an object");
    for (auto& member : schemagen::DomMembers(value)) {
      path_.push_key(schemagen::text_of(member.name));
      walk(from.element, to.element, member.value);
      path_.pop();
    }
  }

  void walk_struct(const ReflectedType& from, const ReflectedType& to, Value& value) {
    expect(value.IsObject(), "an object");
    for (std::uint32_t i = 0; i < from.field_count; ++i) {
      const ReflectedField& field = from.fields[i];
      Value* const member = schemagen::find_member(value, field.name);
      if (member == nullptr) continue;
      const ReflectedField* const known = field_called(to, field.name);
      path_.push_key(field.name);
      if (known != nullptr) {
        walk(field.type, known->type, *member);
      } else {
        drop(from, field, value, *member);
      }
      path_.pop();
    }
  }

  void drop(const ReflectedType& type, const ReflectedField& field, Value& object, const Value& value) {
    if (!is_empty(value)) {
      if (!is_hint(type.name, field.name, object, value)) {
        return refuse(std::string(type.name) + " has no field '" + std::string(field.name) + "'");
      }
      count_dropped(std::string(type.name) + "." + std::string(field.name));
    }
    object.EraseMember(field.name.data());  // a literal: it ends in NUL
  }

  void walk_union(const ReflectedType& from, const ReflectedType& to, Value& value) {
    expect(value.IsObject(), "an object");
    for (auto& member : schemagen::DomMembers(value)) {
      const ReflectedField* const field = field_called(from, schemagen::text_of(member.name));
      if (field == nullptr) continue;
      const ReflectedField* const known = field_called(to, field->name);
      path_.push_key(field->name);
      if (known != nullptr) {
        walk(field->type, known->type, member.value);
      } else {
        refuse(std::string(from.name) + " has no member '" + std::string(field->name) + "'");
      }
      path_.pop();
    }
  }

  void check_enum(const ReflectedType& from, const ReflectedType& to, const Value& value) {
    expect(value.IsInt(), "an integer");
    const auto is_value = [&](const ReflectedField& one) { return one.id == value.GetInt(); };
    if (find_field(to, is_value) != nullptr) return;
    const ReflectedField* const known = find_field(from, is_value);
    refuse(std::string(to.name) + " has no value " + std::to_string(value.GetInt()) +
           (known == nullptr ? "" : ", " + std::string(known->name)));
  }

  void refuse(std::string what) { result_.unsayable.push_back({path_.text(), std::move(what)}); }

  void count_dropped(const std::string& name) {
    const auto is_it = [&](const DroppedField& field) { return field.name == name; };
    auto found = std::find_if(result_.dropped.begin(), result_.dropped.end(), is_it);
    if (found == result_.dropped.end()) found = result_.dropped.insert(found, {name, 0});
    ++found->count;
  }

  void expect(bool is_so, const char* what) const {
    if (!is_so) throw schemagen::DataError(std::string("expected ") + what, path_.text());
  }

  const Reflection& from_;
  const Reflection& to_;
  DowngradedDocument& result_;
  schemagen::WalkPath path_;
};

const Reflection& schema_of(const SchemaVersion& version) {
  const Reflection* const schema = released_schema_known_to(version);
  if (schema != nullptr && version.major == kSchemaMajor && version.minor <= kSchemaMinor) return *schema;
  const std::int32_t oldest_minor = released_schema_for({kSchemaMajor, 0})->minor_version;
  throw schemagen::UsageError("cannot downgrade to version " + version_text(version) + ": versions " +
                              version_text({kSchemaMajor, oldest_minor}) + " to " +
                              version_text({kSchemaMajor, kSchemaMinor}) + " can be written");
}

void require_newer(const SchemaVersion& version, const SchemaVersion& to) {
  require_readable(version, Encoding::json);
  if (version.major == to.major && version.minor >= to.minor) return;
  throw schemagen::UsageError("the program is of version " + version_text(version) +
                              ", which is older than " + version_text(to) + "; upgrade it first");
}

}  // namespace

DowngradedDocument downgrade_document(const schemagen::JsonDocument& document, const SchemaVersion& to) {
  const Reflection& schema = schema_of(to);
  require_newer(document_version(document), to);
  DowngradedDocument result;
  rapidjson::Document dom = schemagen::to_dom(document);
  constexpr std::string_view kRoot = "ExportedProgram";
  Downgrade(kReflection, schema, result).walk(kReflection.find(kRoot), schema.find(kRoot), dom);
  if (!result.unsayable.empty()) return result;
  schemagen::find_member(dom["schema_version"], "minor")->SetInt64(to.minor);
  result.text = schemagen::dom_text(
      dom, has_bare_nonfinite(to) ? schemagen::Nonfinite::bare : schemagen::Nonfinite::quoted);
  return result;
}

}  // namespace pt2
