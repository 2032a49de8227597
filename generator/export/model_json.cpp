#include <filesystem>
#include <vector>

#include "export/export.h"
#include "model/canonical.h"
#include "model/cpp_names.h"
#include "model/layout.h"
#include "text/json_text.h"
#include "text/source_place.h"

namespace generator {
namespace {

struct ModelWriter {
  const Model& model;
  CppNames names = cpp_names(model);
  std::vector<bool> is_recursive = recursive_types(model);
  JsonText json{};

  std::string write() {
    json.object("format", "schemagen-model 1", "name", model.name, "namespace", names.name_space.name, [&] {
      json.key("version").object("major", model.version.major_, "minor", model.version.minor_);
      json.members("hash", schema_hash(normal_form(model)));
      json.key("constants").array([&] {
        for (std::size_t i = 0; i < model.constants.size(); ++i) constant(i);
      });
      json.key("roots").array(model.roots, [&](std::size_t root_type) { root(root_type); });
      json.key("types").array([&] {
        for (std::size_t i = 0; i < model.types.size(); ++i) type(i);
      });
      json.key("definition_order").array(layout(model), [&](std::size_t one) {
        json.string(model.types[one].name);
      });
      allowed(model.allowed);
    });
    return json.take();
  }

  void constant(std::size_t index) {
    const Constant& one = model.constants[index];
    json.object("name", one.name, "cpp_name", names.constants[index].name, "value", one.value,
                [&] { place(one.span); });
  }

  void root(std::size_t index) {
    json.object("type", model.types[index].name, "hash", schema_hash(form_of(model, index, Form::schema)),
                "binary_hash", schema_hash(form_of(model, index, Form::binary)), "json_hash",
                schema_hash(form_of(model, index, Form::json)));
  }

  void type(std::size_t index) {
    const Definition& definition = model.types[index];
    const std::vector<CppName>& members = names.members[index];
    json.object([&] {
      json.members("name", definition.name, "cpp_name", names.types[index].name, "kind",
                   name_of(definition.kind), "doc", definition.doc, "recursive", bool(is_recursive[index]));
      place(definition.span);
      if (definition.is_enum()) {
        json.members("json", definition.is_named_in_json ? "name" : "number");
        json.key("values").array([&] {
          for (std::size_t i = 0; i < definition.values.size(); ++i) {
            value(definition.values[i], members[i].name);
          }
        });
      } else {
        json.key("fields").array([&] {
          for (std::size_t i = 0; i < definition.fields.size(); ++i) {
            field(definition.fields[i], members[i].name);
          }
        });
      }
      json.key("reserved").object([&] {
        json.key("ids").array(definition.reserved.ids, [&](std::int32_t id) { json.number(id); });
        json.key("names").array(definition.reserved.names,
                                [&](const std::string& name) { json.string(name); });
      });
      allowed(definition.allowed);
    });
  }

  void value(const Field& one, const std::string& cpp_name) {
    json.object("name", one.name, "cpp_name", cpp_name, "number", one.id, [&] { place(one.span); });
  }

  void field(const Field& one, const std::string& cpp_name) {
    json.object("name", one.name, "cpp_name", cpp_name, "id", one.id, [&] {
      json.members(
          "type", [&] { type_of(one.type); }, "spelled", spelled(model, one.type));
      if (one.fallback) json.key("default").raw(json_text(model, *one.fallback, true));
      json.members("boxed", one.boxed, "states_version", one.states_version, "doc", one.doc, "deprecated",
                   one.deprecated, "since", one.since);
      place(one.span);
      allowed(one.allowed);
    });
  }

  void type_of(const Type& type) {
    json.object([&] {
      const bool is_named = type.kind == Type::Kind::named;
      json.members("kind", is_named ? "named" : built_in_name(type));
      if (is_named) json.members("name", model.types[type.named].name);
      if (const Type* const key = key_of(type)) json.members("key", [&] { type_of(*key); });
      if (!type.args.empty()) json.members("of", [&] { type_of(type.args.front()); });
    });
  }

  std::string built_in_name(const Type& type) const {
    const std::string text = spelled(model, type);
    return text.substr(0, text.find('['));
  }

  void allowed(const std::vector<Allowance>& allowances) {
    json.key("allow").array(
        allowances, [&](const Allowance& one) { json.object("rule", one.rule, "reason", one.reason); });
  }

  void place(const Span& span) {
    json.key("place");
    span.file == 0 ? write_place(json, span) : write_place(json, path_of(model.files[span.file]), span);
  }

  /// Relative to the schema's folder, not the current one.
  std::string path_of(const std::string& imported) const {
    const std::filesystem::path folder =
        std::filesystem::path(model.files.front()).lexically_normal().parent_path();
    return std::filesystem::path(imported).lexically_relative(folder).generic_string();
  }
};

}  // namespace

std::string export_model(const Model& model) {
  return ModelWriter{model}.write();
}

}  // namespace generator
