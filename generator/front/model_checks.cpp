#include "front/resolve_steps.h"

#include <algorithm>
#include <utility>

#include "front/type_parser.h"
#include "model/cpp_names.h"
#include "model/layout.h"

namespace generator {
namespace {

struct ModelChecks {
  const Model& model;
  const std::vector<bool>& usable;
  Diagnostics& diagnostics;

  void run() {
    check_keys_of_maps();
    check_version_fields();
    check_cycles();
    check_cpp_names();
  }

  void check_keys_of_maps() {
    for (const Definition& definition : model.types) {
      for (const Field& field : definition.fields) {
        for (const Type* type = &field.type; !type->args.empty(); type = &type->args.front()) {
          const Type* const key = key_of(*type);
          if (key == nullptr || key->kind != Type::Kind::named || !usable[key->named]) continue;
          const Definition& named = model.types[key->named];
          if (named.is_enum()) continue;
          diagnostics.error(field.type_span, filled("$the $ '$'", kNoKey, name_of(named.kind), named.name));
        }
      }
    }
  }

  /// A file states its version once, in a field of the root.
  void check_version_fields() {
    for (const Definition& type : model.types) {
      const Field* first = nullptr;
      for (const Field& field : type.fields) {
        if (!field.states_version) continue;
        check_version_field(type, field);
        if (first != nullptr) {
          diagnostics.error(field.span, quoted(type.name) + " has two fields with 'states_version'", "",
                            {{first->span, "first here"}});
        }
        first = &field;
      }
    }
  }

  void check_version_field(const Definition& type, const Field& field) {
    const std::string cannot = quoted(type.name + "." + field.name) + " cannot be marked 'states_version': ";
    if (type.is_union()) {
      diagnostics.error(field.span, cannot + "it is a member of a union");
    } else if (!model.is_root(type)) {
      diagnostics.error(field.span, cannot + quoted(type.name) + " is not in 'roots'");
    }
    const bool is_named = field.type.kind == Type::Kind::named && !field.boxed;
    if (is_named && (!usable[field.type.named] || is_version(model.types[field.type.named]))) return;
    diagnostics.error(
        field.type_span, cannot + "its type must be a struct with two int fields, 'major' and 'minor'",
        "write a type {kind: struct, fields: {major: {id: 10, type: int}, minor: {id: 20, type: int}}}");
  }

  static bool is_version(const Definition& type) {
    if (!type.is_struct() || type.fields.size() != 2) return false;
    const auto has = [&](std::string_view name) {
      const Field* const field = find_named(type.fields, name);
      return field != nullptr && field->type.kind == Type::Kind::integer;
    };
    return has("major") && has("minor");
  }

  static bool is_same(const Cycle& a, const Cycle& b) {
    return std::is_permutation(
        a.begin(), a.end(), b.begin(), b.end(), [](const Containment& one, const Containment& other) {
          return one.from == other.from && one.field == other.field && one.to == other.to;
        });
  }

  void check_cycles() {
    std::vector<Cycle> required = required_cycles(model);
    for (const Cycle& cycle : by_value_cycles(model)) {
      const auto same = std::find_if(required.begin(), required.end(),
                                     [&](const Cycle& other) { return is_same(cycle, other); });
      if (same == required.end()) {
        report_cycle(cycle, "contains itself by value", "put 'boxed: true' on ", "");
        continue;
      }
      required.erase(same);
      report_cycle(cycle, "contains itself by value, and requires itself", "make ",
                   " a List, a Dict or an Optional with 'boxed: true'");
    }
    for (const Cycle& cycle : required) {
      report_cycle(cycle, "requires itself, so it has no finite value", "make ",
                   " an Optional, a List or a Dict");
    }
  }

  /// Reported at the field that closes the cycle, with the other fields as notes, without the middle of long
  /// cycles. The hint, between `advice` and `advice_end`, names all fields that can be changed.
  void report_cycle(const Cycle& cycle, const std::string& problem, const std::string& advice,
                    const std::string& advice_end) {
    Diagnostic diagnostic;
    std::string path;
    std::string fields;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (i == kMaxListed / 2 && cycle.size() > kMaxListed) {
        i = cycle.size() - kMaxListed / 2;
        path += "... -> ";
        fields += ", ...";
      }
      const Definition& from = model.types[cycle[i].from];
      const Field& field = from.fields[cycle[i].field];
      path += from.name + " -> ";
      fields += (i == 0 ? "" : i + 1 == cycle.size() ? " or " : ", ") + from.name + "." + field.name;
      const std::string message = filled("'$' holds '$' here", from.name, model.types[cycle[i].to].name);
      diagnostic.notes.push_back({field.span, message});
    }
    diagnostic.span = diagnostic.notes.back().span;
    diagnostic.notes.pop_back();
    const std::string& name = model.types[cycle.front().from].name;
    diagnostic.message = quoted(name) + " " + problem + ": " + path + name;
    diagnostic.hint = advice + fields + advice_end;
    diagnostics.add(std::move(diagnostic));
  }

  void check_cpp_names() {
    const CppNames names = cpp_names(model);
    const auto check = [&](const std::string& thing, Span span, const CppName& name) {
      if (name.reason.empty()) return;
      diagnostics.error(span, filled("'$' cannot be named '$' in C++: $", thing, name.name, name.reason),
                        "choose a different 'cpp_name'");
    };
    for (std::size_t i = 0; i < model.types.size(); ++i) {
      const Definition& type = model.types[i];
      if (type.cpp_name) check(type.name, type.cpp_name_span, names.types[i]);
      for (std::size_t j = 0; j < type.fields.size(); ++j) {
        const Field& field = type.fields[j];
        if (field.cpp_name) check(type.name + "." + field.name, field.cpp_name_span, names.members[i][j]);
      }
    }
  }
};

}  // namespace

void check_model(const Model& model, const std::vector<bool>& usable, Diagnostics& diagnostics) {
  ModelChecks{model, usable, diagnostics}.run();
}

}  // namespace generator
