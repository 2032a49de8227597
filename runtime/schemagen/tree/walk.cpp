#include "schemagen/tree/walk.h"

#include "schemagen/base/error.h"
#include "schemagen/base/value_path.h"

namespace schemagen {

std::string WalkPath::text() const {
  std::string path;
  for (const Part& part : parts_) {
    if (part.key.data() != nullptr) {
      append_key(path, part.key);
    } else {
      append_index(path, part.index);
    }
  }
  return path;
}

namespace {

std::vector<bool> types_that_lead(const Reflection& schema, const std::vector<bool>& wanted) {
  std::vector<bool> leads = wanted;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::uint32_t i = 0; i < schema.type_count; ++i) {
      if (leads[i]) continue;
      const ReflectedType& type = schema.types[i];
      const bool is_container = type.kind == ReflectedType::list || type.kind == ReflectedType::map ||
                                type.kind == ReflectedType::optional;
      bool found = is_container && leads[type.element];
      for (std::uint32_t k = 0; k < type.field_count; ++k) found = found || leads[type.fields[k].type];
      if (!found) continue;
      leads[i] = true;
      is_changed = true;
    }
  }
  return leads;
}

const char* name_of(DomValue::Kind kind) {
  constexpr const char* kNames[] = {"null",     "a bool",   "a number", "a number",
                                    "a number", "a string", "a list",   "an object"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

class DocumentWalk {
 public:
  DocumentWalk(const Reflection& schema, const std::vector<bool>& wanted, const WalkVisitor& visit)
      : schema_(schema), wanted_(wanted), leads_(types_that_lead(schema, wanted)), visit_(visit) {}

  // The parser limited the depth of recursion.
  void walk(std::uint32_t type, DomValue& value) {
    if (!leads_[type]) return;
    walk_inside(schema_.types[type], value);
    if (wanted_[type]) visit_(type, value, path_);
  }

 private:
  void walk_inside(const ReflectedType& type, DomValue& value) {
    switch (type.kind) {
      case ReflectedType::optional:
        if (!value.is_null()) walk(type.element, value);
        return;
      case ReflectedType::list: {
        std::size_t index = 0;
        for (DomValue& item : expect(value.list(), "a list", value)) {
          path_.push_index(index++);
          walk(type.element, item);
          path_.pop();
        }
        return;
      }
      case ReflectedType::map:
        for (DomMember& member : expect(value.object(), "an object", value))
          walk_member(member.name.view(), type.element, member.value);
        return;
      case ReflectedType::structure:
      case ReflectedType::union_:
        for (DomMember& member : expect(value.object(), "an object", value)) {
          const ReflectedField* const field = type.named(member.name.view());
          const bool is_unset = type.kind == ReflectedType::union_ && member.value.is_null();
          if (field != nullptr && !is_unset) walk_member(field->name, field->type, member.value);
        }
        return;
      default:
        return;
    }
  }

  void walk_member(std::string_view name, std::uint32_t type, DomValue& value) {
    path_.push_key(name);
    walk(type, value);
    path_.pop();
  }

  template <class T>
  T& expect(T* value, const char* what, const DomValue& found) const {
    if (value != nullptr) return *value;
    throw DataError(std::string("expected ") + what + ", found " + name_of(found.kind()), path_.text());
  }

  const Reflection& schema_;
  const std::vector<bool>& wanted_;
  const std::vector<bool> leads_;
  const WalkVisitor& visit_;
  WalkPath path_;
};

void walk_document(const Reflection& schema, std::uint32_t root, const std::vector<bool>& wanted,
                   DomValue& value, const WalkVisitor& visit) {
  DocumentWalk(schema, wanted, visit).walk(root, value);
}

}  // namespace schemagen
