#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cpp/mustache.h"
#include "export/export.h"
#include "model/embedded_files.h"
#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

constexpr std::string_view kTorchTemplate = "torch_types.h";

constexpr TypeWords kTorchWords = {"bool",
                                   "int64_t",
                                   "F64",
                                   "std::string",
                                   {},
                                   {},
                                   {},
                                   "std::vector<$>",
                                   "std::unordered_map<std::string, $>",
                                   "std::optional<$>"};

/// Returns nullopt if there is none.
std::optional<std::string> torch_initializer(const Literal& literal) {
  if (std::holds_alternative<std::monostate>(literal)) return " = std::nullopt";
  if (std::holds_alternative<bool>(literal) || std::holds_alternative<std::string>(literal))
    return " = " + spelled(literal);
  const bool is_container =
      std::holds_alternative<ListLiteral>(literal) || std::holds_alternative<MapLiteral>(literal);
  return is_container && !is_composed(literal) ? std::optional(std::string()) : std::nullopt;
}

struct TorchCppWriter {
  const Model& model;
  std::set<std::string> defined{};

  std::string write() {
    TemplateData::List enums;
    TemplateData::List classes;
    for (const Definition* type : model.types_by_name()) {
      if (type->is_enum()) enums.push_back(enum_data(*type));
    }
    for (const Definition& type : model.types) {
      if (type.is_enum()) continue;
      classes.push_back(class_data(type));
      defined.insert(type.name);
    }
    TemplateData::List sorted = classes;
    std::sort(sorted.begin(), sorted.end(), [](const TemplateData& a, const TemplateData& b) {
      return std::get<std::string>(a.entries.front().second) <
             std::get<std::string>(b.entries.front().second);
    });
    const auto data = TemplateData::of("checksum", torch_checksum(model), "enums", std::move(enums),
                                       "classes", std::move(classes), "sorted_classes", std::move(sorted));
    return template_renderer(data)(kTorchTemplate, embedded_files().at(kTorchTemplate));
  }

  static TemplateData enum_data(const Definition& type) {
    TemplateData::List values;
    for (const Field& value : type.values) {
      values.push_back(TemplateData::of("value", value.name, "number", value.id));
    }
    return TemplateData::of("enum", type.name, "values", std::move(values));
  }

  TemplateData class_data(const Definition& type) const {
    const bool is_struct = type.is_struct();
    TemplateData::List fields;
    std::string alternatives = "Void";
    for (const Field& field : type.fields) {
      const std::string spelled_type =
          model.is_enum(field.type) ? model.types[field.type.named].name : cpp_type(field.type);
      fields.push_back(TemplateData::of("field", field.name, "type", spelled_type, "stored",
                                        cpp_type(field.type), "fallback", initializer(field), "is_enum",
                                        is_struct && model.is_enum(field.type), "tag", upper(field.name),
                                        "place", fields.size() + 1));
      alternatives += ", " + spelled_type;
    }
    const std::string tags = joined(type.fields, ", ", [](const Field& field) { return upper(field.name); });
    return TemplateData::of("class", type.name, "is_struct", is_struct, "fields", std::move(fields), "tags",
                            tags, "alternatives", alternatives);
  }

  std::string initializer(const Field& field) const {
    if (field.fallback) return *torch_initializer(*field.fallback);
    const bool is_scalar = field.type.kind == Type::Kind::boolean || field.type.kind == Type::Kind::integer ||
                           field.type.kind == Type::Kind::floating || model.is_enum(field.type);
    return is_scalar ? " = {}" : "";
  }

  std::string cpp_type(const Type& type) const {
    if (model.is_enum(type)) return "int64_t";
    if (type.kind != Type::Kind::named)
      return spelled(type, kTorchWords, [&](const Type& part) { return cpp_type(part); });
    const std::string& name = model.types[type.named].name;
    return defined.count(name) > 0 ? name : "ForwardRef<" + name + ">";
  }
};

bool has_torch_cpp(const Type& type) {
  const bool has_words = type.kind == Type::Kind::named || !kTorchWords.of(type.kind).empty();
  return has_words && key_of(type) == nullptr &&
         std::all_of(type.args.begin(), type.args.end(), has_torch_cpp);
}

}  // namespace

std::string unsupported_in_torch_cpp(const Model& model) {
  if (std::string unsupported = unsupported_in_torch_yaml(model); !unsupported.empty()) return unsupported;
  for (const Definition& type : model.types) {
    for (const Field& field : type.fields) {
      const std::string name = quoted(type.name + "." + field.name);
      if (!has_torch_cpp(field.type)) {
        return filled("$ is of type '$', which PyTorch's C++ types lack", name, spelled(model, field.type));
      }
      if (field.fallback && !torch_initializer(*field.fallback)) {
        return "PyTorch's C++ types cannot express the default of " + name + ": " + spelled(*field.fallback);
      }
    }
  }
  return {};
}

std::string export_torch_cpp(const Model& model) {
  return TorchCppWriter{model}.write();
}

}  // namespace generator
