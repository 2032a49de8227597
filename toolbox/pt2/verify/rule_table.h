// Tables of rules, with a row for each enumerator of an enum, in its order: an inner part of verify.h.
#pragma once

#include <cstddef>
#include <vector>

#include "pt2/verify/verify.h"

namespace pt2 {

template <typename Id>
struct RuleRow {
  Id id;
  Rule rule;
};

/// Whether each enumerator has its row; `last` is the last one.
template <typename Id, std::size_t N>
constexpr bool is_complete(const RuleRow<Id> (&rows)[N], Id last) {
  for (std::size_t i = 0; i < N; ++i) {
    if (rows[i].id != static_cast<Id>(i)) return false;
  }
  return rows[N - 1].id == last;
}

template <typename Id, std::size_t N>
const Rule& row_of(const RuleRow<Id> (&rows)[N], Id id) {
  return rows[static_cast<std::size_t>(id)].rule;
}

template <typename Id, std::size_t N>
std::vector<const Rule*> rules_in(const RuleRow<Id> (&rows)[N]) {
  std::vector<const Rule*> rules;
  for (const RuleRow<Id>& row : rows) rules.push_back(&row.rule);
  return rules;
}

}  // namespace pt2
