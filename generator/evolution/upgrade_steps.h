#pragma once

#include "evolution/compat.h"

namespace generator {

enum class Direction : std::uint8_t { upgrade, downgrade };

/// A function that a new major version needs, because readers reject or misread values of a type.
struct NeededStep {
  Direction direction = Direction::upgrade;
  std::string type;                      // in the schema whose documents it changes
  std::string function;                  // such as `node_to_9`
  std::vector<const Finding*> findings;  // what it must make up for
};

/// Whether documents need a step because of the finding, if the major version is new.
bool needs_step(const Finding& finding, Direction direction);

/// Upgrade steps in the order of the older schema, then downgrade steps in the order of the newer one. Empty
/// if the major version is the same. Downgrading drops or refuses other fields and members
/// that only the newer schema has.
std::vector<NeededStep> needed_steps(const Comparison& comparison, const Release& before,
                                     const Release& after);

/// A file of C++ with such functions and a table of them.
struct StepFile {
  std::string text;
  std::vector<NeededStep> added;  // those that the text did not have
};

/// Adds to `text`, for each step in this direction that it lacks, a function that fails, and its row. They go
/// before the comments `schemagen bump: functions` and `schemagen bump: rows`. An empty text becomes a whole
/// file. Throws schemagen::UsageError if a comment is missing.
StepFile with_steps(std::string text, const std::vector<NeededStep>& steps, Direction direction,
                    const Release& before, const Release& after);

/// Only the digits of the version numbers change. Throws std::logic_error if `text` is not the source of
/// `model`.
std::string with_version(const std::string& text, const Model& model, Version version);

}  // namespace generator
