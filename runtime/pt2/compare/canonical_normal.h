// The normal form.
#pragma once

#include "pt2/compare/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// The form names (see canonical_names.h) of `program` with its nodes in the order that order_nodes() gives
/// (see node_order.h): programs have the same normal form if they differ in nothing but names and the order
/// of nodes that do not depend on each other. Applied again, changes nothing.
///
/// Errors: DataError if a value is defined twice, or used before it is defined.
ExportedProgram canonical_normal(ExportedProgram program, Provenance provenance = Provenance::drop);

}  // namespace pt2
