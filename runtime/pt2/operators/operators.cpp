#include "pt2/operators/operators.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "pt2/operators/binary.h"
#include "pt2/operators/higher_order.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/operators/operator_table.h"
#include "pt2/text/lines.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

operators::StoredOperator stored_at(std::size_t index) {
  auto stored = schemagen::from_binary<operators::StoredOperator>(kOperatorTable.operators[index]);
  if (stored.operator_.kind != OperatorKind::function) stored.operator_.target.insert(0, kOperatorPrefix);
  return stored;
}

Operator decode(std::size_t index) {
  operators::StoredOperator stored = stored_at(index);
  Operator& op = stored.operator_;
  const auto bytes_of = [](std::int64_t part) {
    return kOperatorTable.parts[static_cast<std::size_t>(part)];
  };
  for (const std::int64_t part : stored.arguments)
    op.arguments.push_back(schemagen::from_binary<OperatorArgument>(bytes_of(part)));
  for (const std::int64_t part : stored.returns)
    op.returns.push_back(schemagen::from_binary<OperatorReturn>(bytes_of(part)));
  if (stored.decomposes_to) {
    std::vector<std::string>& targets = op.decomposes_to.emplace();
    for (const std::int64_t number : *stored.decomposes_to) {
      targets.push_back(std::move(stored_at(static_cast<std::size_t>(number)).operator_.target));
    }
  }
  return std::move(op);
}

/// The operator first, then its variants in other releases, then null. `slot` starts at the hash.
const Operator* next_operator(std::string_view target, std::size_t& slot) {
  while (const std::uint16_t number = kOperatorTable.slots[slot++ & (kOperatorTable.slot_count - 1)]) {
    const Operator& op = operator_at(number - 1u);
    if (op.target == target) return &op;
  }
  return nullptr;
}

}  // namespace

const OperatorReleases& operator_releases() noexcept {
  return kOperatorTable.releases;
}

std::size_t operator_count() noexcept {
  return kOperatorTable.count;
}

const Operator& operator_at(std::size_t index) {
  std::atomic<const Operator*>& place = kOperatorTable.decoded[index];
  if (const Operator* const known = place.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<const Operator>(decode(index));
  // If another thread was faster, callers may hold its operator.
  const Operator* other = nullptr;
  if (!place.compare_exchange_strong(other, made.get(), std::memory_order_acq_rel)) return *other;
  return *made.release();
}

const Operator* find_operator(std::string_view target) {
  std::size_t slot = operator_hash(target);
  return next_operator(target, slot);
}

const Operator* find_operator(std::string_view target, std::string_view release) {
  const Operator* found = nullptr;
  for (const Operator* const op : operator_signatures(target)) {
    const bool is_there = !(op->since && is_earlier_release(release, *op->since)) &&
                          !(op->until && is_earlier_release(*op->until, release));
    if (is_there) found = op;
  }
  return found;
}

std::vector<const Operator*> operator_signatures(std::string_view target) {
  std::vector<const Operator*> signatures;
  std::size_t slot = operator_hash(target);
  while (const Operator* const op = next_operator(target, slot)) signatures.push_back(op);
  return signatures;
}

bool is_earlier_release(std::string_view a, std::string_view b) noexcept {
  return std::pair(a.size(), a) < std::pair(b.size(), b);
}

std::size_t argument_position(const Operator& op, std::string_view name) noexcept {
  std::size_t at = 0;
  while (at < op.arguments.size() && op.arguments[at].name != name) ++at;
  return at;
}

bool has_tag(const Operator& op, OperatorTag tag) noexcept {
  return std::find(op.tags.begin(), op.tags.end(), tag) != op.tags.end();
}

Operator& OperatorSet::add(std::string_view schema) {
  return add(parse_operator(schema));
}

Operator& OperatorSet::add(Operator op) {
  Operator& added = own_[op.target];
  return added = std::move(op);
}

void OperatorSet::infer_as(const Operator& op, const Operator* other) {
  inferred_as_.insert_or_assign(op.target, other);
}

const Operator& OperatorSet::inferred_as(const Operator& op) const {
  const auto found = inferred_as_.find(op.target);
  return found == inferred_as_.end() || found->second == nullptr ? op : *found->second;
}

const Operator* OperatorSet::find(std::string_view target) const {
  const auto own = own_.find(target);
  return own == own_.end() ? find_operator(target) : &own->second;
}

OperatorSet read_operators(std::string_view text, std::string_view name) {
  OperatorSet operators;
  std::set<std::string> targets;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty() || line.front() == '#') return;
    try {
      Operator op = parse_operator_line(line);
      if (!targets.insert(op.target).second) {
        throw schemagen::DataError("duplicate operator " + schemagen::quoted(op.target));
      }
      operators.add(std::move(op));
    } catch (const schemagen::DataError& error) {
      throw schemagen::DataError(schemagen::printable(name) + ":" + std::to_string(number) + ": " +
                                 error.what());
    }
  });
  return operators;
}

}  // namespace pt2
