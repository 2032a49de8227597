#include "front/language_schema.h"

#include "front/keys.h"
#include "front/type_parser.h"
#include "text/json_text.h"

namespace generator {
namespace {

/// Regular expressions; false means no default.
struct DefaultOfType {
  std::string_view type;
  std::string_view value;
};
constexpr DefaultOfType kDefaults[] = {
    {"^ *Optional\\b", R"({"type": "null"})"},
    {"^ *List\\b", R"({"type": "array"})"},
    {"^ *Dict\\b", R"({"type": "object"})"},
    {"^ *bool *$", R"({"type": "boolean"})"},
    {"^ *int(64)? *$", R"({"$ref": "#/definitions/int"})"},
    {"^ *float *$", R"({"type": "number"})"},
    {"^ *float32 *$",
     R"({"type": "number", "anyOf": [)"
     R"({"exclusiveMinimum": -3.4028235677973366e+38, "exclusiveMaximum": 3.4028235677973366e+38}, )"
     R"({"exclusiveMinimum": 1.7976931348623157e+308}, {"exclusiveMaximum": -1.7976931348623157e+308}]})"},
    {"^ *str *$", R"({"type": "string"})"},
    {"^ *[A-Z][A-Za-z0-9_]* *$", R"({"type": ["string", "object"]})"},
    {"^ *(bytes|Any|Tuple\\b.*) *$", "false"},
};

struct LanguageWriter {
  const Names& rules;
  JsonText json{};

  std::string write() {
    json.object("$schema", "http://json-schema.org/draft-07/schema#", "title", "A schemagen schema", [&] {
      map(Part::schema);
      json.key("definitions").object([&] { definitions(); });
    });
    return json.take();
  }

  void definitions() {
    for (const auto& [name, part] :
         {std::pair("version", Part::version), std::pair("reserved", Part::reserved),
          std::pair("allowance", Part::allowance)}) {
      json.key(name).object([&, part = part] { map(part); });
    }
    json.key("type").object([&] {
      map(Part::type);
      json.key("allOf").array([&] {
        fields_of("enum",
                  R"({"minProperties": 1, "additionalProperties": {"$ref": "#/definitions/number"}})");
        fields_of("union",
                  R"({"minProperties": 1, "additionalProperties": {"$ref": "#/definitions/member"}})");
        fields_of("struct", R"({"additionalProperties": {"$ref": "#/definitions/field"}})");
        json.raw(R"({"if": {"required": ["json"]}, "then": {"properties": {"kind": {"const": "enum"}}}})");
      });
    });
    json.key("field").object([&] {
      map(Part::field);
      json.key("allOf").array([&] {
        for (const DefaultOfType& one : kDefaults) if_type(std::string(one.type), "default", one.value);
        for (const IntegerType& one : kIntegerTypes) default_of_integer(one);
        if_type("^ *(Optional *\\[ *)?(?!Optional\\b)(" + joined(built_in_types(), "|") + ")\\b", "boxed",
                R"({"const": false})");
      });
    });
    json.key("member").raw(
        R"({"allOf": [{"$ref": "#/definitions/field"}, {"properties": {"default": false}}]})");
    json.key("name").raw(R"({"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})");
    // Excludes the characters that find_control() finds.
    json.key("text").raw(
        R"({"type": "string", "pattern": "^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$"})");
    json.key("type_name").object([&] {
      json.members("type", "string", "pattern", "^[A-Z][A-Za-z0-9_]*$");
      json.key("not").object([&] { names("enum", built_in_types()); });
    });
    json.key("type_expression").object([&] { type_expression(); });
    json.key("rule").object([&] { names("enum", rules); });
    json.key("number").raw(R"({"type": "integer", "minimum": -2147483648, "maximum": 2147483647})");
    json.key("int").raw(
        R"({"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807})");
  }

  void map(Part owner) {
    json.members("type", "object", "additionalProperties", false);
    Names required = key_names(owner, true);
    if (owner == Part::field) required.insert(required.begin(), "id");
    if (!required.empty()) names("required", required);
    json.key("properties").object([&] {
      for (const Key* const key : keys_of(owner)) {
        json.key(key->name).object("description", key->doc, [&] {
          if (!key->idle.empty()) json.key("default").raw(key->idle);
          // Draft 7 ignores other keys next to a $ref.
          json.key("allOf").array([&] { json.raw(key->value); });
        });
      }
    });
  }

  void fields_of(std::string_view kind, std::string_view fields) {
    if_has(
        "kind", [&] { json.object("const", kind); }, "fields", fields);
  }

  void if_type(const std::string& type, std::string_view key, std::string_view value) {
    if_has(
        "type", [&] { json.object("type", "string", "pattern", type); }, key, value);
  }

  template <typename Wanted>
  void if_has(std::string_view given, const Wanted& wanted, std::string_view key, std::string_view value) {
    json.object([&] {
      json.key("if").object([&] {
        names("required", {given});
        json.key("properties").object(given, wanted);
      });
      json.key("then").object([&] { json.key("properties").object([&] { json.key(key).raw(value); }); });
    });
  }

  void default_of_integer(const IntegerType& type) {
    if (type.kind == Type::Kind::integer) return;
    if_type("^ *" + std::string(type.name) + " *$", "default",
            filled(R"({"type": "integer", "minimum": $, "maximum": $})", type.min, type.max));
  }

  void type_expression() {
    const std::string simple = joined(simple_types(), "|");
    json.members("type", "string");
    // Optional must be outermost, the keys of a Dict are str, integers or perhaps enums, and a generic type
    // has brackets.
    json.key("pattern").string(
        R"(^(?!.*[\[,] *Optional\b)(?!.*\bDict *\[ *(?!(str|int|u?int(8|16|32|64)|(?!(List|Dict|Optional|Tuple|Any)\b)[A-Z][A-Za-z0-9_]*) *,))(?!.*\b(List|Dict|Optional|Tuple) *([\],]|$)) *()" +
        simple + R"(|Tuple *\[ *\( *\) *\]|[A-Z][A-Za-z0-9_]*( *\[.*\])?) *$)");
    Names examples = simple_types();
    for (const std::string_view type :
         {"List[int]", "Dict[str, int]", "Dict[int, str]", "Optional[int]", "Tuple[()]"}) {
      examples.push_back(type);
    }
    names("examples", examples);
  }

  void names(std::string_view key, const Names& list) {
    json.key(key).array(list, [&](std::string_view name) { json.string(name); });
  }
};

}  // namespace

std::string language_schema(const Names& rules) {
  return LanguageWriter{rules}.write();
}

}  // namespace generator
