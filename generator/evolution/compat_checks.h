#pragma once

#include "evolution/compat_report.h"

namespace generator {

void field_added(TypeCheck&, const Field*, bool is_optional);
void field_added_required(TypeCheck&, const Field*);
void field_removed(TypeCheck&, const Field*, bool had_default);
void field_removed_not_reserved(TypeCheck&);
void field_moved_into_union(TypeCheck&, const Field*);
void field_id_changed(TypeCheck&);
void field_id_reused(TypeCheck&);
void field_name_reused(TypeCheck&);
void field_renamed(TypeCheck&, const FieldPair&);
void field_reordered(TypeCheck&);

enum class Change {
  none,
  to_double,
  to_binary,
  to_string,
  enum_to_int,
  int_to_enum,
  to_any,
  from_any,
  to_list,
  widened,
  narrowed,
  range_changed,
  retargeted,
  other,
};

void type_changed(TypeCheck&, const FieldPair&, Change wanted);
void type_retargeted(TypeCheck&, const FieldPair&);

enum class Presence { required, defaulted, optional };

void presence_changed(TypeCheck&, const FieldPair&, Presence from, Presence to);
void required_to_defaulted(TypeCheck&, const FieldPair&);
void defaulted_to_required(TypeCheck&, const FieldPair&);
void default_changed(TypeCheck&, const FieldPair&);

void union_member_added(TypeCheck&, const Field*);
void union_member_removed(TypeCheck&, const Field*);
void enum_value_added(TypeCheck&, const Field*);
void enum_value_removed(TypeCheck&, const Field*);
void enum_value_removed_not_reserved(TypeCheck&);
void enum_value_renamed(TypeCheck&, const FieldPair&, bool in_json);
void enum_json_changed(TypeCheck&, bool to_names);
void enum_value_renumbered(TypeCheck&, const FieldPair&);
void enum_number_reused(TypeCheck&, const Field*);

void type_added(const Scope&, Report&);
void type_removed(const Scope&, Report&);
void type_renamed(TypeCheck&);
void kind_changed(TypeCheck&);
void recursion_introduced(const Scope&, Report&);
void reserved_removed(TypeCheck&);

void root_added(const Scope&, Report&);
void root_removed(const Scope&, Report&);
void root_renamed(const Scope&, Report&);
void schema_renamed(const Scope&, Report&);
void constant_added(const Scope&, Report&);
void constant_removed(const Scope&, Report&);
void constant_changed(const Scope&, Report&);

void doc_changed(TypeCheck&);
void deprecated_changed(TypeCheck&);
void cpp_attribute_changed(TypeCheck&);

// These checks depend on the other findings and run last.
void suppression_unused(const Scope&, Report&);
void version_not_bumped(const Scope&, Report&);
void version_downgraded(const Scope&, Report&);
void version_skipped(const Scope&, Report&);

}  // namespace generator
