#include <filesystem>
#include <string>
#include <vector>

#include "export/export.h"
#include "model/canonical.h"
#include "model/cpp_names.h"
#include "model/layout.h"
#include "text/json_text.h"
#include "text/source_place.h"

namespace generator {
namespace {

class ModelWriter {
 public:
  explicit ModelWriter(const Model& model)
      : model_(model), names_(cpp_names(model)), is_recursive_(recursive_types(model)) {}

  std::string write() {
    json_.object([&] {
      json_.key("format").string("schemagen-model 1");
      json_.key("name").string(model_.name);
      json_.key("namespace").string(names_.name_space.name);
      json_.key("version").object([&] {
        json_.key("major").number(model_.version.major_);
        json_.key("minor").number(model_.version.minor_);
      });
      json_.key("hash").string(schema_hash(normal_form(model_)));
      json_.key("constants").array([&] {
        for (std::size_t i = 0; i < model_.constants.size(); ++i) constant(i);
      });
      json_.key("roots").array(model_.roots, [&](std::size_t root_type) { root(root_type); });
      json_.key("types").array([&] {
        for (std::size_t i = 0; i < model_.types.size(); ++i) type(i);
      });
      json_.key("definition_order").array(layout(model_).order, [&](std::size_t one) {
        json_.string(model_.types[one].name);
      });
      allowed(model_.allowed);
    });
    return json_.take();
  }

 private:
  void constant(std::size_t index) {
    const Constant& one = model_.constants[index];
    json_.object([&] {
      json_.key("name").string(one.name);
      json_.key("cpp_name").string(names_.constants[index].name);
      json_.key("value").number(one.value);
      place(one.span);
    });
  }

  void root(std::size_t index) {
    json_.object([&] {
      json_.key("type").string(model_.types[index].name);
      json_.key("hash").string(schema_hash(form_of(model_, index, Form::schema)));
      json_.key("binary_hash").string(schema_hash(form_of(model_, index, Form::binary)));
      json_.key("json_hash").string(schema_hash(form_of(model_, index, Form::json)));
    });
  }

  void type(std::size_t index) {
    const Definition& definition = model_.types[index];
    const std::vector<CppName>& members = names_.members[index];
    json_.object([&] {
      json_.key("name").string(definition.name);
      json_.key("cpp_name").string(names_.types[index].name);
      json_.key("kind").string(name_of(definition.kind));
      json_.key("doc").string(definition.doc);
      json_.key("recursive").boolean(is_recursive_[index]);
      place(definition.span);
      if (definition.is_enum()) {
        json_.key("json").string(definition.is_named_in_json ? "name" : "number");
        json_.key("values").array([&] {
          for (std::size_t i = 0; i < definition.values.size(); ++i) {
            value(definition.values[i], members[i].name);
          }
        });
      } else {
        json_.key("fields").array([&] {
          for (std::size_t i = 0; i < definition.fields.size(); ++i) {
            field(definition.fields[i], members[i].name);
          }
        });
      }
      json_.key("reserved").object([&] {
        json_.key("ids").array(definition.reserved.ids, [&](std::int32_t id) { json_.number(id); });
        json_.key("names").array(definition.reserved.names,
                                 [&](const std::string& name) { json_.string(name); });
      });
      allowed(definition.allowed);
    });
  }

  void value(const EnumValue& one, const std::string& cpp_name) {
    json_.object([&] {
      json_.key("name").string(one.name);
      json_.key("cpp_name").string(cpp_name);
      json_.key("number").number(one.number);
      place(one.span);
    });
  }

  void field(const Field& one, const std::string& cpp_name) {
    json_.object([&] {
      json_.key("name").string(one.name);
      json_.key("cpp_name").string(cpp_name);
      json_.key("id").number(one.id);
      json_.key("type");
      type_of(one.type);
      json_.key("spelled").string(spelled(model_, one.type));
      if (one.fallback) json_.key("default").raw(json_text(model_, one.type, *one.fallback, true));
      json_.key("boxed").boolean(one.boxed);
      json_.key("states_version").boolean(one.states_version);
      json_.key("doc").string(one.doc);
      json_.key("deprecated").string(one.deprecated);
      json_.key("since").string(one.since);
      place(one.span);
      allowed(one.allowed);
    });
  }

  void type_of(const Type& type) {
    json_.object([&] {
      const bool is_named = type.kind == Type::Kind::named;
      json_.key("kind").string(is_named ? "named" : built_in_name(type));
      if (is_named) json_.key("name").string(model_.types[type.named].name);
      if (const Type* const key = key_of(type)) {
        json_.key("key");
        type_of(*key);
      }
      if (!type.args.empty()) {
        json_.key("of");
        type_of(type.args.front());
      }
    });
  }

  std::string built_in_name(const Type& type) const {
    const std::string text = spelled(model_, type);
    return text.substr(0, text.find('['));
  }

  void allowed(const std::vector<Allowance>& allowances) {
    json_.key("allow").array(allowances, [&](const Allowance& one) {
      json_.object([&] { json_.key("rule").string(one.rule).key("reason").string(one.reason); });
    });
  }

  void place(const Span& span) {
    json_.key("place");
    span.file == 0 ? write_place(json_, span) : write_place(json_, path_of(model_.files[span.file]), span);
  }

  /// Relative to the schema's folder, not the current one.
  std::string path_of(const std::string& imported) const {
    const std::filesystem::path folder =
        std::filesystem::path(model_.files.front()).lexically_normal().parent_path();
    return std::filesystem::path(imported).lexically_relative(folder).generic_string();
  }

  const Model& model_;
  CppNames names_;
  std::vector<bool> is_recursive_;
  JsonText json_;
};

}  // namespace

std::string export_model(const Model& model) {
  return ModelWriter(model).write();
}

}  // namespace generator
