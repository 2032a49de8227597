#include "import/type_expression.h"

#include <utility>

#include "front/type_parser.h"
#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

using Expression = PythonExpression;

struct NoSuchType {
  std::string reason;
};

struct TypeReader {
  const ImportedNames& names;

  ImportedType read(const Expression& expression, bool is_outermost) const {
    switch (expression.kind) {
      case Expression::Kind::string: {
        const Expression inner = unquoted(expression);
        if (inner.kind == Expression::Kind::string) throw NoSuchType{quoted(inner.text) + " is not a type"};
        ImportedType type = read(inner, is_outermost);
        type.is_quoted = true;
        return type;
      }
      case Expression::Kind::name:
      case Expression::Kind::attribute:
        return read_name(expression);
      case Expression::Kind::subscript:
        return read_subscript(expression, is_outermost);
      case Expression::Kind::alternatives:
        return read_alternatives(expression.parts, false, is_outermost);
      default:
        throw NoSuchType{"it is not a type"};
    }
  }

  ImportedType read_name(const Expression& expression) const {
    const std::string& name = expression.text;
    if (const auto type = names.types.find(name); type != names.types.end()) return {type->second, {}, false};
    if (contains(simple_types(), name)) return {name, {}, false};
    if (name == "List" || name == "list" || name == "Dict" || name == "dict")
      throw NoSuchType{quoted(name) + " has no type argument"};
    if (name == "Tuple" || name == "tuple") throw NoSuchType{"the language has no tuples"};
    static const Words python = words_of({"complex object set frozenset type bytearray None"});
    const bool is_known = expression.kind == Expression::Kind::attribute ||
                          names.elsewhere.count(name) != 0 || python.count(name) != 0;
    if (is_known) throw NoSuchType{"the language has no " + quoted(name)};
    return {name, {}, false};
  }

  ImportedType read_subscript(const Expression& expression, bool is_outermost) const {
    const std::string head = expression.parts.front().last_name();
    const std::vector<Expression> args(expression.parts.begin() + 1, expression.parts.end());
    if ((head == "List" || head == "list") && args.size() == 1)
      return {"List", {read(args[0], false)}, false};
    if ((head == "Dict" || head == "dict") && args.size() == 2) {
      ImportedType key = read(args[0], false);
      if (!is_key(key)) throw NoSuchType{"the key of a Dict must be str, an integer or an enum"};
      return {"Dict", {std::move(key), read(args[1], false)}, false};
    }
    if (head == "Optional" && args.size() == 1) return read_alternatives(args, true, is_outermost);
    if (head == "Union") return read_alternatives(args, false, is_outermost);
    if (head == "Tuple" || head == "tuple") {
      if (args.empty()) return {"Tuple[()]", {}, false};
      throw NoSuchType{"the language has no tuples"};
    }
    if (head.empty()) throw NoSuchType{"it is not a type"};
    throw NoSuchType{"the language has no " + quoted(head + "[...]")};
  }

  bool is_key(const ImportedType& type) const {
    return type.head == "str" || names.enums.count(type.head) != 0 || type.head == "int64" ||
           find_named(kIntegerTypes, type.head) != nullptr;
  }

  ImportedType read_alternatives(const std::vector<Expression>& all, bool is_optional,
                                 bool is_outermost) const {
    const Expression* choice = nullptr;
    for (const Expression& one : all) {
      if (one.is_name("None")) {
        is_optional = true;
      } else if (choice == nullptr) {
        choice = &one;
      } else {
        throw NoSuchType{"the language has no alternatives other than Optional[T]"};
      }
    }
    if (choice == nullptr) throw NoSuchType{"the language has no alternatives other than Optional[T]"};
    ImportedType inner = read(*choice, is_outermost);
    if (!is_optional || inner.head == "Optional" || inner.head == "Any") return inner;
    if (!is_outermost) throw NoSuchType{"Optional can only be the outermost type"};
    const bool is_quoted = inner.is_quoted;
    return {"Optional", {std::move(inner)}, is_quoted};
  }
};

}  // namespace

PythonExpression unquoted(PythonExpression expression) {
  while (expression.kind == Expression::Kind::string) {
    std::optional<Expression> inner = parse_python_expression(expression.text, expression.span);
    if (!inner) return expression;
    expression = *std::move(inner);
  }
  return expression;
}

ImportedType read_type(const PythonExpression& expression, const std::string& label,
                       const ImportedNames& names, Diagnostics& diagnostics) {
  try {
    return TypeReader{names}.read(expression, true);
  } catch (const NoSuchType& fault) {
    diagnostics.add({Severity::note, expression.span, label + " becomes Any: " + fault.reason});
    return {"Any", {}, false};
  }
}

}  // namespace generator
