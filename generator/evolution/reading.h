#pragma once

#include "evolution/compat_report.h"

namespace generator {

bool is_integer(Type::Kind kind);
bool is_number(Type::Kind kind);
/// Whether readers of `holder`, a number, accept all values of `held` in JSON.
bool holds_all(Type::Kind holder, Type::Kind held);

struct Loss {
  Verdict verdict = Verdict::yes;
  std::optional<std::string> value{};  // JSON of a value that is rejected or misread, if there is a short one
};

/// Returns what becomes of values of one type that a reader takes for another. Neither type may be Optional.
Loss loss(const Scope& scope, Flow flow, const Type& written, const Type& read);

/// Returns findings, other than harmless ones, about two types and the types in them.
std::vector<Finding> compare_inside(const Scope& scope, std::size_t before, std::size_t after,
                                    const std::string& path);

}  // namespace generator
