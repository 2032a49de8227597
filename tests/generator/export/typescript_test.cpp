#include <string>

#include "export/export.h"
#include "generator/torch_exports.h"

namespace {

std::string typescript(const std::string& schema) {
  const std::string text =
      generator::export_typescript(model_of("name: s\nversion: {major: 1, minor: 2}\n" + schema));
  const std::string end = "}[keyof Members];\n\n";
  const std::size_t at = text.find(end);
  REQUIRE(at != std::string::npos);
  return text.substr(at + end.size());
}

}  // namespace

TEST_CASE("TypeScript has interfaces of structs, and unions with exactly one member") {
  CHECK(typescript("types:\n"
                   "  A: {kind: struct, doc: \"ends */ here\", fields: {x: {id: 1, type: \"Optional[int]\"}, "
                   "y: {id: 2, type: "
                   "\"List[bytes]\", default: [], since: \"1.2\"}}}\n"
                   "  B: {kind: union, fields: {a: {id: 1, type: A}, n: {id: 2, type: \"Tuple[()]\"}}}\n"
                   "  C: {kind: struct, fields: {}}\n") ==
        "/** ends *\\/ here */\n"
        "export interface A {\n  x: number | null;\n  /** Since 1.2. */\n  y?: bytes[];\n}\n\n"
        "export type B = one<{\n  a: A;\n  n: [];\n}>;\n\n"
        "export type C = { [key: string]: never };\n");
}

TEST_CASE("TypeScript's enums are open") {
  CHECK(typescript("types:\n"
                   "  E: {kind: enum, fields: {A: 0, __proto__: -1}}\n"
                   "  N: {kind: enum, json: name, fields: {A: 0, class: 1}}\n") ==
        "export const E = {\n  A: 0,\n  [\"__proto__\"]: -1,\n} as const;\n"
        "export type E = (typeof E)[keyof typeof E] | (number & {});\n\n"
        "export const N = {\n  A: 0,\n  class: 1,\n} as const;\n"
        "export type N = \"A\" | \"class\" | (number & {});\n");
}

TEST_CASE("TypeScript's constants keep their value, and get a name that JavaScript takes") {
  CHECK(typescript("constants: {A: -9007199254740992, B: 9007199254740993, yield: 1, E: 2}\n"
                   "types:\n  F: {kind: enum, fields: {X: 0}}\n")
            .rfind("export const A = -9007199254740992;\nexport const B = 9007199254740993n;\n"
                   "export const yield_ = 1;\nexport const E = 2;\n",
                   0) == 0);
}
