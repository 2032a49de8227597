// Arguments in the place of values. All functions may be called from several threads at once.
#pragma once

#include <string>
#include <vector>

#include "pt2/graph/value_slots.h"
#include "pt2/types.h"
#include "schemagen/value/map.h"

namespace pt2 {

/// What is to stand where values are used, by their names: other values, or literals.
using Substitutes = schemagen::Map<Argument>;

/// The value that `argument` is: null if it is a list, a literal, or none.
const std::string* value_of(const Argument& argument);

/// The value `name`, which is in `table`, as an argument; of an object, without its class.
Argument value_argument(ValueName::Table table, const std::string& name);

/// The value `name` of `graph` as an argument. Errors: DataError, if it is in no table.
Argument value_argument(const Graph& graph, const std::string& name);

/// Puts substitutes in the place of the values that `argument` uses, those in lists and dicts included. What
/// is put in is not looked at again. Errors: UsageError, if what is to stand in a list or dict cannot.
void substitute(const Substitutes& substitutes, Argument& argument);
void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments);

}  // namespace pt2
