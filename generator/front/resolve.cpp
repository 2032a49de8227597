#include "front/resolve.h"

#include "front/keys.h"
#include "front/resolve_steps.h"
#include "front/type_parser.h"
#include "text/characters.h"

namespace generator {
namespace {

struct Resolver {
  const std::vector<Document>& documents;
  const Names& rules;
  Diagnostics& diagnostics;

  std::optional<Model> run() {
    if (documents.empty()) return std::nullopt;
    for (const Document& document : documents) read_document(document);
    read_defaults(defaults, usable, model, diagnostics);
    check_model(model, usable, diagnostics);
    if (!diagnostics.has_errors()) complete_defaults(model, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    for (const SourceText& source : diagnostics.files()) model.files.push_back(source.file);
    return std::move(model);
  }

  void read_document(const Document& document) {
    current = &document;
    if (!check_kind(root(), YamlNode::Kind::map, "the schema", diagnostics)) return;
    if (report_keys_beside_theirs(root(), diagnostics)) return;
    check_keys(root(), Part::schema, "the schema", root().span, diagnostics);
    read_name();
    read_version();
    read_constants();
    model.allowed = read_allowances(root(), rules, diagnostics);
    declare_types();
    read_types();
    read_roots();
  }

  const YamlNode& root() const { return current->root; }

  void read_name() {
    const YamlNode* node = find_value(root(), "name");
    if (node == nullptr) return;
    const std::optional<std::string> name = read_string(*node, "'name'", diagnostics);
    model.name_span = node->span;
    if (name && check_identifier(*name, *node, diagnostics)) model.name = *name;
  }

  void read_version() {
    const YamlEntry* entry = root().find("version");
    if (entry == nullptr) return;
    model.version_span = entry->value.span;
    const YamlNode& node = entry->value;
    if (!check_kind(node, YamlNode::Kind::map, "'version'", diagnostics, "write {major: 1, minor: 0}"))
      return;
    check_keys(node, Part::version, "'version'", entry->key.span, diagnostics);
    model.version.major_ = read_version_part(node, "major", model.major_span);
    model.version.minor_ = read_version_part(node, "minor", model.minor_span);
  }

  std::int32_t read_version_part(const YamlNode& version, std::string_view key, Span& span) {
    const YamlNode* node = find_value(version, key);
    if (node == nullptr) return 0;
    span = node->span;
    const auto number = read_int_between(*node, quoted(key), 0, kMaxInt32, diagnostics);
    return static_cast<std::int32_t>(number.value_or(0));
  }

  void read_constants() {
    const YamlNode* node = find_value(root(), "constants");
    if (node == nullptr || !check_kind(*node, YamlNode::Kind::map, "'constants'", diagnostics)) return;
    for (const YamlEntry& entry : node->entries) {
      check_name(entry.key, "a constant", diagnostics);
      const auto value = read_int(entry.value, "the constant " + quoted(entry.key.text), diagnostics);
      const auto [first, added] = constants.emplace(entry.key.text, entry.key.span);
      if (!added) report_clash("the constant", entry.key, first->second);
      model.constants.push_back({entry.key.text, value.value_or(0), entry.key.span});
    }
  }

  void report_clash(const std::string& what, const YamlNode& name, const Span& first) {
    if (name.span.file == first.file) return;
    diagnostics.error(
        name.span, what + " " + quoted(name.text) + " is also defined in another file of the schema",
        "rename one of the two, or move it to a file that both import", {{first, "first defined here"}});
  }

  const std::vector<YamlEntry>& type_entries() const {
    static const std::vector<YamlEntry> none;
    const YamlNode* node = find_value(root(), "types");
    return node == nullptr ? none : node->entries;
  }

  /// Types can refer to later ones.
  void declare_types() {
    if (const YamlNode* node = find_value(root(), "types")) {
      check_kind(*node, YamlNode::Kind::map, "'types'", diagnostics);
    }
    first_type = model.types.size();
    for (const YamlEntry& entry : type_entries()) {
      check_type_name(entry.key);
      Definition definition;
      definition.name = entry.key.text;
      definition.span = entry.key.span;
      const auto [first, added] = types.emplace(definition.name, model.types.size());
      if (!added) report_clash("the type", entry.key, model.types[first->second].span);
      model.types.push_back(std::move(definition));
    }
    usable.resize(model.types.size(), false);
  }

  void read_types() {
    const std::vector<YamlEntry>& entries = type_entries();
    for (std::size_t i = 0; i < entries.size(); ++i) read_type(entries[i].value, first_type + i);
  }

  void read_type(const YamlNode& node, std::size_t index) {
    Definition& definition = model.types[index];
    const std::string where = quoted(definition.name);
    if (!check_kind(node, YamlNode::Kind::map, where, diagnostics)) return;
    check_keys(node, Part::type, where, definition.span, diagnostics);
    read_cpp_name(node, definition.cpp_name, definition.cpp_name_span);
    read_text(node, "doc", definition.doc, diagnostics);
    definition.allowed = read_allowances(node, rules, diagnostics);
    const std::string kind = read_kind(node);
    const bool is_named = read_is_named_in_json(node, kind, where);
    const Reservations reserved = read_reserved(node, kind == "enum", definition, diagnostics);
    const YamlNode* fields = find_value(node, "fields");
    const bool has_fields =
        fields != nullptr && check_kind(*fields, YamlNode::Kind::map, "'fields' of " + where, diagnostics,
                                        fields->kind == YamlNode::Kind::scalar ? "write {} if there are none"
                                        : kind == "enum" ? "write members with their numbers: {NAME: 0}"
                                                         : "write {name: {id: 10, type: str}}");
    if (kind.empty() || !has_fields) return;
    usable[index] = true;
    definition.is_named_in_json = is_named;
    if (kind == "enum") definition.kind = DefinitionKind::enumeration;
    if (kind == "union") definition.kind = DefinitionKind::union_;
    read_members(*fields, index, reserved);
    if (fields->entries.empty() && kind != "struct") {
      diagnostics.error(definition.span, "the " + kind + " " + where + " has no members",
                        kind == "enum" ? "write them with their numbers: fields: {NAME: 0}"
                                       : "write them: fields: {name: {id: 10, type: str}}");
    }
  }

  std::string read_kind(const YamlNode& type) {
    const YamlNode* node = find_value(type, "kind");
    if (node == nullptr) return "";
    const std::optional<std::string> kind = read_string(*node, "'kind'", diagnostics);
    if (!kind) return "";
    const Names kinds = {"struct", "union", "enum"};
    if (contains(kinds, *kind)) return *kind;
    diagnostics.error(node->span, "unknown kind " + quoted(*kind),
                      hint_for(*kind, kinds, "the kinds are " + first_of(kinds)));
    return "";
  }

  bool read_is_named_in_json(const YamlNode& type, const std::string& kind, const std::string& where) {
    const YamlEntry* entry = type.find("json");
    if (entry == nullptr) return false;
    if (!kind.empty() && kind != "enum") {
      return diagnostics.refuse(entry->key.span, "'json' is only for enums, but " + where + " is a " + kind,
                                "remove it");
    }
    const std::optional<std::string> form = read_string(entry->value, "'json'", diagnostics);
    if (form && *form != "name" && *form != "number") {
      diagnostics.error(entry->value.span, "'json' must be 'number' or 'name', not " + quoted(*form),
                        "write 'json: name' to store the members by name in JSON");
    }
    return form == "name";
  }

  void read_members(const YamlNode& node, std::size_t type, const Reservations& reserved) {
    Definition& owner = model.types[type];
    const bool is_enum = owner.is_enum();
    std::vector<Field>& members = is_enum ? owner.values : owner.fields;
    std::vector<NumberUse> uses;
    for (const YamlEntry& entry : node.entries) {
      check_name(entry.key, is_enum ? "an enum member" : "a field", diagnostics);
      check_not_reserved(entry.key, owner.name, reserved, diagnostics);
      const std::string where = quoted(owner.name + "." + entry.key.text);
      Field& member = members.emplace_back();
      member.name = entry.key.text;
      member.span = entry.key.span;
      if (is_enum) {
        const auto number = read_int_between(entry.value, where, kMinInt32, kMaxInt32, diagnostics);
        member.id = static_cast<std::int32_t>(number.value_or(0));
        uses.push_back({entry.key.text, number, entry.value.span, false});
      } else {
        uses.push_back(read_field(entry, where, {type, members.size() - 1}, member));
      }
    }
    is_enum ? check_numbers(owner.name, "number", kMinInt32, kMaxInt32, uses, reserved, diagnostics)
            : check_numbers(owner.name, "id", 1, kMaxId, uses, reserved, diagnostics);
  }

  /// Returns the use of its id. If its type is unknown, what depends on it is not checked.
  NumberUse read_field(const YamlEntry& entry, const std::string& where, const UnreadDefault& place,
                       Field& field) {
    NumberUse use = {entry.key.text, std::nullopt, field.span};
    field.type.kind = Type::Kind::unit;  // for an invalid type: holds nothing, so causes no cycle
    const YamlNode& node = entry.value;
    if (!check_kind(node, YamlNode::Kind::map, where, diagnostics, "write {id: 10, type: str}")) return use;
    check_keys(node, Part::field, where, field.span, diagnostics);
    use.missing = lacks(node, "id", key_names(Part::field));
    if (const YamlNode* id = find_value(node, "id")) {
      field.id_span = use.span = id->span;
      use.number = read_int(*id, "'id'", diagnostics);
      const bool is_possible = use.number && *use.number >= 1 && *use.number <= kMaxId;
      field.id = is_possible ? static_cast<std::int32_t>(*use.number) : 0;
    }
    const std::optional<Type> type = read_type_expression(node, field);
    if (type) field.type = *type;
    read_boxed(node, type, field);
    if (const YamlNode* states = find_value(node, "states_version")) {
      field.states_version = read_bool(*states, "'states_version'", diagnostics).value_or(false) && type;
    }
    read_text(node, "doc", field.doc, diagnostics);
    read_deprecated(node, field);
    read_since(node, field);
    read_cpp_name(node, field.cpp_name, field.cpp_name_span);
    field.allowed = read_allowances(node, rules, diagnostics);
    note_default(node, place, type.has_value(), field);
    return use;
  }

  std::optional<Type> read_type_expression(const YamlNode& node, Field& field) {
    const YamlNode* type = find_value(node, "type");
    if (type == nullptr) return std::nullopt;
    field.type_span = type->span;
    if (!read_string(*type, "'type'", diagnostics)) return std::nullopt;
    std::optional<Type> parsed = parse_type(*type, types, diagnostics);
    if (parsed) check_known(*parsed, type->span);
    return parsed;
  }

  /// A file must mean the same wherever it is imported.
  void check_known(const Type& type, const Span& span) {
    for (const Type& inner : type.args) check_known(inner, span);
    if (type.kind == Type::Kind::named) check_known(type.named, span);
  }

  void check_known(std::size_t type, const Span& span) {
    const Definition& definition = model.types[type];
    if (current->known.count(definition.span.file) != 0) return;
    diagnostics.error(span, quoted(definition.name) + " is defined in a file that this one does not import",
                      "add the file to 'imports'", {{definition.span, "defined here"}});
  }

  void read_boxed(const YamlNode& node, const std::optional<Type>& type, Field& field) {
    const YamlEntry* entry = node.find("boxed");
    if (entry == nullptr) return;
    field.boxed = read_bool(entry->value, "'boxed'", diagnostics).value_or(false);
    if (!field.boxed || !type) return;
    const Type& held = without_optional(*type);
    if (held.kind == Type::Kind::named) return;
    const bool on_heap = held.kind == Type::Kind::list || held.kind == Type::Kind::map;
    const std::string& text = find_value(node, "type")->text;
    diagnostics.error(
        entry->key.span, "'boxed' requires a named type or an Optional of one, not " + quoted(text),
        on_heap ? "remove it: the elements of a List or Dict are on the heap anyway" : "remove it");
  }

  void read_deprecated(const YamlNode& node, Field& field) {
    const YamlNode* reason = find_value(node, "deprecated");
    if (reason == nullptr) return;
    check_sentence(*reason, "'deprecated' must give a reason", "say what to use instead", diagnostics);
    field.deprecated = reason->text;
  }

  void read_since(const YamlNode& node, Field& field) {
    const YamlNode* since = find_value(node, "since");
    if (since == nullptr) return;
    const std::optional<std::string> text = read_string(*since, "'since'", diagnostics);
    if (!text) return;
    if (!is_version(*text)) {
      diagnostics.error(since->span, "'since' must be a version like \"1.4\", not " + describe(*since));
    }
    field.since = *text;
  }

  static bool is_version(std::string_view text) {
    const auto is_part = [](std::string_view part) {
      const bool digits = !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
      return digits && (part.size() == 1 || part.front() != '0');
    };
    const std::size_t dot = text.find('.');
    return dot != std::string_view::npos && is_part(text.substr(0, dot)) && is_part(text.substr(dot + 1));
  }

  void read_cpp_name(const YamlNode& node, std::optional<std::string>& into, Span& span) {
    const YamlNode* name = find_value(node, "cpp_name");
    if (name == nullptr) return;
    span = name->span;
    const std::optional<std::string> text = read_string(*name, "'cpp_name'", diagnostics);
    if (text && check_identifier(*text, *name, diagnostics)) into = *text;
  }

  void check_type_name(const YamlNode& node) {
    if (!check_name(node, "a type", diagnostics)) return;
    if (is_built_in(node.text)) {
      diagnostics.error(node.span, quoted(node.text) + " is a built-in type");
    } else if (!is_upper(node.text.front())) {
      diagnostics.error(node.span, quoted(node.text) + " is not a valid name for a type",
                        "begin the name of a type with an upper-case letter");
    }
  }

  void note_default(const YamlNode& node, UnreadDefault place, bool has_type, Field& field) {
    const YamlEntry* found = node.find("default");
    if (found == nullptr) return;
    if (model.types[place.type].is_union()) {
      diagnostics.error(found->key.span, "a union member cannot have a default",
                        "remove it: a union always has exactly one member set");
      return;
    }
    field.fallback = Literal(std::monostate{});  // until it is read: marks the field as not required
    field.default_span = found->value.span;
    place.value = &found->value;
    if (has_type) defaults.push_back(place);
  }

  void read_roots() {
    model.roots.clear();
    model.roots_span = {};
    const YamlNode* node = find_value(root(), "roots");
    if (node == nullptr) return;
    model.roots_span = root().find("roots")->key.span;
    check_kind(*node, YamlNode::Kind::sequence, "'roots'", diagnostics);
    std::map<std::string, Span> places;
    for (const YamlNode& item : node->items) {
      const std::optional<std::string> name = read_string(item, "a root", diagnostics);
      if (!name) continue;
      const auto [first, added] = places.emplace(*name, item.span);
      if (!added) {
        diagnostics.error(item.span, quoted(*name) + " is listed twice in 'roots'", "",
                          {{first->second, "first listed here"}});
      } else {
        read_root(item);
      }
    }
  }

  void read_root(const YamlNode& item) {
    const auto found = types.find(item.text);
    if (found == types.end()) {
      Names names;
      add_names(types, names);
      diagnostics.error(item.span, "unknown type " + quoted(item.text) + " in 'roots'",
                        did_you_mean(item.text, names));
      return;
    }
    if (model.types[found->second].is_enum()) {
      diagnostics.error(item.span,
                        "a root must be a struct or a union, but " + quoted(item.text) + " is an enum");
    }
    check_known(found->second, item.span);
    model.roots.push_back(found->second);
  }

  const Document* current = nullptr;
  Model model{};
  std::map<std::string, Span> constants{};
  TypeIndex types{};
  std::size_t first_type = 0;
  std::vector<bool> usable{};             // whether the type's kind and fields could be read
  std::vector<UnreadDefault> defaults{};  // read once all types are known: they can name enum members
};

}  // namespace

std::optional<Model> resolve(const std::vector<Document>& documents, const Names& rules,
                             Diagnostics& diagnostics) {
  return Resolver{documents, rules, diagnostics}.run();
}

std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules, const SchemaFiles& files) {
  if (is_other_language(diagnostics)) return std::nullopt;
  // Continues after YAML errors to report all in one run.
  std::optional<Model> model = resolve(read_documents(diagnostics, files), rules, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

}  // namespace generator
