// Steps from schema 1 (torch 2.1) to schema 2, for table upgrade_steps.cpp. Each is named for what it does to
// the type that it is for.
// Source: PyTorch's schema.py and serialize.py of 2.1.2 and 2.2.2.
#pragma once

#include "pt2/upgrade/upgrade.h"

namespace pt2::from_1 {

/// TensorValue: it held nothing but a TensorMeta, which takes its place.
void unwrap_tensor_value(schemagen::DomValue& value, const UpgradeContext& context);
/// SymExpr: `hint` becomes a union, in which it is the integer.
void widen_hint(schemagen::DomValue& expression, const UpgradeContext& context);
/// SymBool: an expression that was a string becomes a SymExpr.
void wrap_bool_expression(schemagen::DomValue& symbol, const UpgradeContext& context);
/// CustomObjArgument: it held a pickle, for which there is no place any more. Errors: DataError, always.
void refuse_pickled_object(schemagen::DomValue& argument, const UpgradeContext& context);
/// Node: new texts of metadata, and the new name of higher-order operators.
void rewrite_node(schemagen::DomValue& node, const UpgradeContext& context);
/// GraphModule: the maps of the signature become lists of specs, in which constants of the graph are, too,
/// see lift_constants(); `call_spec` becomes the first entry of `module_call_graph`.
void rebuild_graph_module(schemagen::DomValue& module, const UpgradeContext& context);
/// ExportedProgram: `equality_constraints` and `example_inputs` go, `dialect` comes.
void rewrite_program(schemagen::DomValue& program, const UpgradeContext& context);

}  // namespace pt2::from_1
