#include "front/language_schema.h"

#include <string_view>
#include <utility>

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

class LanguageWriter {
 public:
  explicit LanguageWriter(const Names& rules) : rules_(rules) {}

  std::string write() {
    json_.object([&] {
      json_.key("$schema").string("http://json-schema.org/draft-07/schema#");
      json_.key("title").string("A schemagen schema");
      map(Part::schema);
      json_.key("definitions").object([&] { definitions(); });
    });
    return json_.take();
  }

 private:
  void definitions() {
    for (const auto& [name, part] :
         {std::pair("version", Part::version), std::pair("reserved", Part::reserved),
          std::pair("allowance", Part::allowance)}) {
      json_.key(name).object([&, part = part] { map(part); });
    }
    json_.key("type").object([&] {
      map(Part::type);
      json_.key("allOf").array([&] {
        fields_of("enum",
                  R"({"minProperties": 1, "additionalProperties": {"$ref": "#/definitions/number"}})");
        fields_of("union",
                  R"({"minProperties": 1, "additionalProperties": {"$ref": "#/definitions/member"}})");
        fields_of("struct", R"({"additionalProperties": {"$ref": "#/definitions/field"}})");
        json_.raw(R"({"if": {"required": ["json"]}, "then": {"properties": {"kind": {"const": "enum"}}}})");
      });
    });
    json_.key("field").object([&] {
      map(Part::field);
      json_.key("allOf").array([&] {
        for (const DefaultOfType& one : kDefaults) if_type(one.type, "default", one.value);
        for (const IntegerType& one : kIntegerTypes) default_of_integer(one);
        if_type("^ *(Optional *\\[ *)?(?!Optional\\b)(" + joined(built_in_types(), "|") + ")\\b", "boxed",
                R"({"const": false})");
      });
    });
    json_.key("member").raw(
        R"({"allOf": [{"$ref": "#/definitions/field"}, {"properties": {"default": false}}]})");
    json_.key("name").raw(R"({"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})");
    // Excludes the characters that find_control() finds.
    json_.key("text").raw(
        R"({"type": "string", "pattern": "^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$"})");
    json_.key("type_name").object([&] {
      json_.key("type").string("string").key("pattern").string("^[A-Z][A-Za-z0-9_]*$");
      json_.key("not").object([&] { names("enum", built_in_types()); });
    });
    json_.key("type_expression").object([&] { type_expression(); });
    json_.key("rule").object([&] { names("enum", rules_); });
    json_.key("number").raw(R"({"type": "integer", "minimum": -2147483648, "maximum": 2147483647})");
    json_.key("int").raw(
        R"({"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807})");
  }

  void map(Part owner) {
    json_.key("type").string("object");
    json_.key("additionalProperties").boolean(false);
    Names required = key_names(owner, true);
    if (owner == Part::field) required.insert(required.begin(), "id");
    if (!required.empty()) names("required", required);
    json_.key("properties").object([&] {
      for (const Key* const key : keys_of(owner)) {
        json_.key(key->name).object([&] {
          json_.key("description").string(key->doc);
          if (!key->idle.empty()) json_.key("default").raw(key->idle);
          // Draft 7 ignores other keys next to a $ref.
          json_.key("allOf").array([&] { json_.raw(key->value); });
        });
      }
    });
  }

  void fields_of(std::string_view kind, std::string_view fields) {
    json_.object([&] {
      json_.key("if").object([&] {
        json_.key("required").array([&] { json_.string("kind"); });
        json_.key("properties").object([&] {
          json_.key("kind").object([&] { json_.key("const").string(kind); });
        });
      });
      json_.key("then").object(
          [&] { json_.key("properties").object([&] { json_.key("fields").raw(fields); }); });
    });
  }

  void if_type(std::string_view type, std::string_view key, std::string_view value) {
    json_.object([&] {
      json_.key("if").object([&] {
        json_.key("required").array([&] { json_.string("type"); });
        json_.key("properties").object([&] {
          json_.key("type").object([&] { json_.key("type").string("string").key("pattern").string(type); });
        });
      });
      json_.key("then").object([&] { json_.key("properties").object([&] { json_.key(key).raw(value); }); });
    });
  }

  void default_of_integer(const IntegerType& type) {
    if (type.kind == Type::Kind::integer) return;
    if_type("^ *" + std::string(type.name) + " *$", "default",
            filled(R"({"type": "integer", "minimum": $, "maximum": $})", type.min, type.max));
  }

  void type_expression() {
    const std::string simple = joined(simple_types(), "|");
    json_.key("type").string("string");
    // Optional must be outermost, the keys of a Dict are str, integers or perhaps enums, and a generic type
    // has brackets.
    json_.key("pattern").string(
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
    json_.key(key).array(list, [&](std::string_view name) { json_.string(name); });
  }

  const Names& rules_;
  JsonText json_;
};

}  // namespace

std::string language_schema(const Names& rules) {
  return LanguageWriter(rules).write();
}

}  // namespace generator
