#include "pt2/versions/released_schemas.h"

#include "pt2/reflection.h"
#include "pt2/released/1_0/reflection.h"
#include "pt2/released/2_0/reflection.h"
#include "pt2/released/5_1/reflection.h"
#include "pt2/released/5_3/reflection.h"
#include "pt2/released/7_3/reflection.h"
#include "pt2/released/8_14/reflection.h"
#include "pt2/released/8_15/reflection.h"
#include "pt2/released/8_17/reflection.h"
#include "pt2/released/8_2/reflection.h"
#include "pt2/released/8_6/reflection.h"
#include "pt2/released/8_7/reflection.h"
#include "pt2/released/8_8/reflection.h"

namespace pt2 {
namespace {

constexpr const schemagen::Reflection* kReleased[] = {
    &released::v1_0::kReflection,
    &released::v2_0::kReflection,
    &released::v5_1::kReflection,
    &released::v5_3::kReflection,
    &released::v7_3::kReflection,
    &released::v8_2::kReflection,
    &released::v8_6::kReflection,
    &released::v8_7::kReflection,
    &released::v8_8::kReflection,
    &released::v8_14::kReflection,
    &released::v8_15::kReflection,
    &released::v8_17::kReflection,
    &kReflection,
};

}  // namespace

const schemagen::Reflection* released_schema_for(const SchemaVersion& version) {
  for (const schemagen::Reflection* schema : kReleased) {
    if (schema->major == version.major && schema->minor >= version.minor) return schema;
  }
  return nullptr;
}

const schemagen::Reflection* released_schema_known_to(const SchemaVersion& version) {
  const schemagen::Reflection* known = nullptr;
  for (const schemagen::Reflection* schema : kReleased) {
    if (schema->major == version.major && schema->minor <= version.minor) known = schema;
  }
  return known;
}

}  // namespace pt2
