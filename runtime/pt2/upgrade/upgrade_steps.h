#pragma once

#include "pt2/upgrade/upgrade.h"

namespace pt2 {

UpgradeSteps shipped_upgrade_steps();

/// If `is_old` returns true, puts the member into an object under `inner`.
void wrap_member(schemagen::DomValue& value, const char* name,
                 bool (schemagen::DomValue::*is_old)() const noexcept, const char* inner,
                 const UpgradeContext& context);

void add_missing_member(schemagen::DomValue& value, const char* name, schemagen::DomValue member,
                        std::string_view why, const UpgradeContext& context);

}  // namespace pt2

// Steps from schema 1 (torch 2.1) to schema 2. Source: PyTorch's schema.py and serialize.py of 2.1.2
// and 2.2.2.
namespace pt2::from_1 {

/// TensorValue: replaced by its TensorMeta.
void unwrap_tensor_value(schemagen::DomValue& value, const UpgradeContext& context);
/// SymExpr: the integer `hint` becomes a union.
void widen_hint(schemagen::DomValue& expression, const UpgradeContext& context);
/// SymBool: a string expression becomes a SymExpr.
void wrap_bool_expression(schemagen::DomValue& symbol, const UpgradeContext& context);
/// CustomObjArgument: throws DataError, because later versions cannot store its pickle.
void refuse_pickled_object(schemagen::DomValue& argument, const UpgradeContext& context);
/// Node: format of metadata, names of higher-order operators.
void rewrite_node(schemagen::DomValue& node, const UpgradeContext& context);
/// GraphArgument: removes its constants. Throws DataError unless they are empty, because the caller of the
/// graph would have to pass them.
void drop_constants_of_subgraph(schemagen::DomValue& argument, const UpgradeContext& context);
/// GraphModule: the signature's maps become lists of specs, which include the graph's constants: pickled
/// tensors, which later schemas store outside the program and list as inputs. `call_spec` becomes the first
/// entry of `module_call_graph`.
void rebuild_graph_module(schemagen::DomValue& module, const UpgradeContext& context);
/// ExportedProgram: drops `equality_constraints` and `example_inputs`, adds `dialect`.
void rewrite_program(schemagen::DomValue& program, const UpgradeContext& context);

}  // namespace pt2::from_1
