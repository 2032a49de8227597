#include "schemagen/base/kept_places.h"

#include <algorithm>
#include <tuple>

#include "schemagen/base/error.h"

namespace schemagen {
namespace {

bool before(const KeptStep& a, const KeptStep& b) {
  const bool is_item = a.count != 0;
  const bool is_other_item = b.count != 0;
  return std::tie(is_item, a.index, a.key) < std::tie(is_other_item, b.index, b.key);
}

std::string items(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " item" : " items");
}

}  // namespace

KeptPlaces::KeptPlaces(const std::vector<KeptField>& fields, const std::vector<std::size_t>& unset_unions)
    : is_put_(fields.size()), unset_unions_(unset_unions), is_set_(unset_unions.size()) {
  sorted_.reserve(fields.size());
  for (const KeptField& field : fields) sorted_.push_back(&field);
  std::stable_sort(sorted_.begin(), sorted_.end(), [](const KeptField* a, const KeptField* b) {
    return std::lexicographical_compare(a->path.begin(), a->path.end(), b->path.begin(), b->path.end(),
                                        before);
  });
}

KeptPlaces::Range KeptPlaces::own(const Range& range) const noexcept {
  std::size_t last = range.first;
  while (last != range.last && sorted_[last]->path.size() == range.depth) ++last;
  return {range.first, last, range.depth};
}

KeptPlaces::Range KeptPlaces::children(const Range& range, const KeptStep& step) const {
  const auto at = [this](std::size_t i) { return sorted_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto step_of = [&](const KeptField* field) -> const KeptStep& { return field->path[range.depth]; };
  const auto first = std::lower_bound(
      at(own(range).last), at(range.last), step,
      [&](const KeptField* field, const KeptStep& wanted) { return before(step_of(field), wanted); });
  const auto last = std::upper_bound(
      first, at(range.last), step,
      [&](const KeptStep& wanted, const KeptField* field) { return before(wanted, step_of(field)); });
  return {static_cast<std::size_t>(first - sorted_.begin()), static_cast<std::size_t>(last - sorted_.begin()),
          range.depth + 1};
}

KeptPlaces::Range KeptPlaces::in(const Range& range, std::string_view key) const {
  return children(range, {std::string(key), 0, 0});
}

KeptPlaces::Range KeptPlaces::in_item(const Range& range, std::size_t index) const {
  return children(range, {{}, index, 1});
}

void KeptPlaces::check_count(const Range& range, std::size_t count) const {
  for (std::size_t i = own(range).last; i != range.last; ++i) {
    const std::size_t was = sorted_[i]->path[range.depth].count;
    if (was != 0 && was != count) {
      fail(i, "a list around it had " + items(was) + " when it was read, and has " + items(count) + " now");
    }
  }
}

void KeptPlaces::fail(std::size_t i, const std::string& why) const {
  throw DataError("the kept field cannot be put back: " + why +
                      "; take it out of the kept fields to write the value without it",
                  path_text(*sorted_[i]));
}

void KeptPlaces::check_own(const Range& own, std::size_t offset, bool in_binary) {
  const auto found = std::lower_bound(unset_unions_.begin(), unset_unions_.end(), offset);
  const bool is_unset = found != unset_unions_.end() && *found == offset;
  for (std::size_t i = own.first; i != own.last; ++i) {
    const KeptField& field = *sorted_[i];
    if ((field.id != 0) != in_binary) {
      fail(i, in_binary ? "it is of JSON, and this is binary" : "it is of binary data, and this is JSON");
    }
    if (is_unset && !field.is_member) fail(i, "it is not the member of a union");
    if (field.is_member && (!is_unset || i != own.first)) fail(i, "the union has a member now");
  }
  if (is_unset && !own.empty()) is_set_[static_cast<std::size_t>(found - unset_unions_.begin())] = true;
}

std::optional<std::size_t> KeptPlaces::finish() const {
  const auto left = std::find(is_put_.begin(), is_put_.end(), false);
  if (left != is_put_.end()) {
    fail(static_cast<std::size_t>(left - is_put_.begin()), "what it was in is not in the value any more");
  }
  const auto unset = std::find(is_set_.begin(), is_set_.end(), false);
  if (unset == is_set_.end()) return std::nullopt;
  return unset_unions_[static_cast<std::size_t>(unset - is_set_.begin())];
}

}  // namespace schemagen
