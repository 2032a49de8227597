#include "type_text.h"

namespace schemagen {

std::string type_text(const Model& model, const Type& type) {
  switch (type.kind) {
    case Type::Kind::boolean:
      return "bool";
    case Type::Kind::integer:
      return "int";
    case Type::Kind::floating:
      return "float";
    case Type::Kind::string:
      return "str";
    case Type::Kind::bytes:
      return "bytes";
    case Type::Kind::unit:
      return "Tuple[()]";
    case Type::Kind::any:
      return "Any";
    case Type::Kind::list:
      return "List[" + type_text(model, type.args.front()) + "]";
    case Type::Kind::map:
      return "Dict[str, " + type_text(model, type.args.front()) + "]";
    case Type::Kind::optional:
      return "Optional[" + type_text(model, type.args.front()) + "]";
    case Type::Kind::named:
      break;
  }
  return model.types[type.named].name;
}

}  // namespace schemagen
