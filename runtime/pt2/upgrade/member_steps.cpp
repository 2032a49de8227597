#include "pt2/upgrade/member_steps.h"

#include <string>
#include <utility>

#include "schemagen/document/member.h"

namespace pt2 {

void wrap_member(rapidjson::Value& value, const char* name, bool (rapidjson::Value::*is_old)() const,
                 const char* inner, const UpgradeContext& context) {
  rapidjson::Value* const member = schemagen::find_member(value, name);
  if (member == nullptr || !(member->*is_old)()) return;
  const std::string kind = member->IsString() ? "a string" : "an integer";
  rapidjson::Value old;
  old.Swap(*member);
  *member = schemagen::object_of(inner, std::move(old), context.allocator());
  context.report(kind + " becomes its member '" + inner + "'", name);
}

void add_missing_member(rapidjson::Value& value, const char* name, rapidjson::Value member,
                        std::string_view why, const UpgradeContext& context) {
  if (schemagen::find_member(value, name) != nullptr) return;
  schemagen::set_member(value, name, std::move(member), context.allocator());
  context.report(why, name);
}

}  // namespace pt2
