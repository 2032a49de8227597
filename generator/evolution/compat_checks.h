#pragma once

#include "evolution/compat_report.h"

namespace generator {

void field_added_optional(const Scope&, Report&);
void field_added_defaulted(const Scope&, Report&);
void field_added_required(const Scope&, Report&);
void field_removed_optional(const Scope&, Report&);
void field_removed_required(const Scope&, Report&);
void field_removed_not_reserved(const Scope&, Report&);
void field_moved_into_union(const Scope&, Report&);
void field_id_changed(const Scope&, Report&);
void field_id_reused(const Scope&, Report&);
void field_name_reused(const Scope&, Report&);
void field_renamed(const Scope&, Report&);
void field_reordered(const Scope&, Report&);

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

void report_changes(const Scope&, Report&, Change wanted);
void type_retargeted(const Scope&, Report&);

void required_to_optional(const Scope&, Report&);
void optional_to_required(const Scope&, Report&);
void required_to_defaulted(const Scope&, Report&);
void defaulted_to_required(const Scope&, Report&);
void optional_to_defaulted(const Scope&, Report&);
void defaulted_to_optional(const Scope&, Report&);
void default_changed(const Scope&, Report&);

void union_member_added(const Scope&, Report&);
void union_member_removed(const Scope&, Report&);
void enum_value_added(const Scope&, Report&);
void enum_value_removed(const Scope&, Report&);
void enum_value_removed_not_reserved(const Scope&, Report&);
void enum_value_renamed(const Scope&, Report&);
void enum_json_name_changed(const Scope&, Report&);
void enum_json_to_names(const Scope&, Report&);
void enum_json_to_numbers(const Scope&, Report&);
void enum_value_renumbered(const Scope&, Report&);
void enum_number_reused(const Scope&, Report&);

void type_added(const Scope&, Report&);
void type_removed(const Scope&, Report&);
void type_renamed(const Scope&, Report&);
void kind_changed(const Scope&, Report&);
void recursion_introduced(const Scope&, Report&);
void reserved_removed(const Scope&, Report&);

void root_added(const Scope&, Report&);
void root_removed(const Scope&, Report&);
void root_renamed(const Scope&, Report&);
void schema_renamed(const Scope&, Report&);
void constant_added(const Scope&, Report&);
void constant_removed(const Scope&, Report&);
void constant_changed(const Scope&, Report&);

void doc_changed(const Scope&, Report&);
void deprecated_changed(const Scope&, Report&);
void cpp_attribute_changed(const Scope&, Report&);

// These checks depend on the other findings and run last.
void suppression_unused(const Scope&, Report&);
void version_not_bumped(const Scope&, Report&);
void version_downgraded(const Scope&, Report&);
void version_skipped(const Scope&, Report&);

}  // namespace generator
