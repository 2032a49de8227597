#include "pt2/upgrade/member_steps.h"

#include <string>
#include <utility>

#include "schemagen/tree/dom_value.h"

namespace pt2 {

using schemagen::DomValue;

void wrap_member(DomValue& value, const char* name, bool (DomValue::*is_old)() const noexcept,
                 const char* inner, const UpgradeContext& context) {
  DomValue* const member = value.find(name);
  if (member == nullptr || !(member->*is_old)()) return;
  const std::string kind = member->is_string() ? "a string" : "an integer";
  *member = DomValue::object_of(inner, std::move(*member));
  context.report("wrapped " + kind + " in '" + inner + "'", name);
}

void add_missing_member(DomValue& value, const char* name, DomValue member, std::string_view why,
                        const UpgradeContext& context) {
  if (value.find(name) != nullptr) return;
  value.set(name, std::move(member));
  context.report(why, name);
}

}  // namespace pt2
