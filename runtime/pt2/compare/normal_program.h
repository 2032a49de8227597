// A program in its normal form that still knows the names of its file.
#pragma once

#include <map>
#include <string>

#include "pt2/types.h"
#include "schemagen/value/map.h"

namespace pt2 {

struct NormalProgram {
  ExportedProgram program;
  /// By graph, those in subgraphs included: the names of values and subgraphs in the file, by the new ones.
  std::map<const Graph*, schemagen::Map<std::string>> names;
};

/// The normal form of `program` (see canonical_normal.h), and its names.
/// Errors: DataError if it has none.
NormalProgram normal_program(ExportedProgram program);

}  // namespace pt2
