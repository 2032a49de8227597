#include "schemagen/base/unknown_field_places.h"

#include <algorithm>
#include <tuple>

#include "schemagen/base/counted.h"

namespace schemagen {
namespace {

bool before(const UnknownFieldStep& a, const UnknownFieldStep& b) {
  const bool is_item = a.count != 0;
  const bool is_other_item = b.count != 0;
  return std::tie(is_item, a.index, a.key) < std::tie(is_other_item, b.index, b.key);
}

}  // namespace

UnknownFieldPlaces::UnknownFieldPlaces(const std::vector<UnknownField>& fields,
                                       const std::vector<std::size_t>& unset_unions)
    : is_written_(fields.size()), unset_unions_(unset_unions), is_set_(unset_unions.size()) {
  sorted_.reserve(fields.size());
  for (const UnknownField& field : fields) sorted_.push_back(&field);
  std::stable_sort(sorted_.begin(), sorted_.end(), [](const UnknownField* a, const UnknownField* b) {
    return std::lexicographical_compare(a->path.begin(), a->path.end(), b->path.begin(), b->path.end(),
                                        before);
  });
}

UnknownFieldPlaces::Range UnknownFieldPlaces::direct(const Range& range) const noexcept {
  std::size_t last = range.first;
  while (last != range.last && sorted_[last]->path.size() == range.depth) ++last;
  return {range.first, last, range.depth};
}

UnknownFieldPlaces::Range UnknownFieldPlaces::children(const Range& range,
                                                       const UnknownFieldStep& step) const {
  const auto at = [this](std::size_t i) { return sorted_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto first =
      std::partition_point(at(direct(range).last), at(range.last),
                           [&](const UnknownField* field) { return before(field->path[range.depth], step); });
  const auto last = std::partition_point(first, at(range.last), [&](const UnknownField* field) {
    return !before(step, field->path[range.depth]);
  });
  return {static_cast<std::size_t>(first - sorted_.begin()), static_cast<std::size_t>(last - sorted_.begin()),
          range.depth + 1};
}

void UnknownFieldPlaces::check_count(const Range& range, std::size_t count) const {
  for (std::size_t i = direct(range).last; i != range.last; ++i) {
    const std::size_t was = sorted_[i]->path[range.depth].count;
    if (was != 0 && was != count) {
      fail(i, "its list had " + counted(was, "item") + " when it was read, but has " +
                  counted(count, "item") + " now");
    }
  }
}

void UnknownFieldPlaces::fail(std::size_t i, const std::string& why) const {
  throw DataError("cannot write the unknown field back: " + why +
                      "; hint: remove the field from the preserved fields to write the value without it",
                  path_text(*sorted_[i]));
}

void UnknownFieldPlaces::check_direct(const Range& direct, std::size_t offset, bool in_binary) {
  const auto found = std::lower_bound(unset_unions_.begin(), unset_unions_.end(), offset);
  const bool is_unset = found != unset_unions_.end() && *found == offset;
  for (std::size_t i = direct.first; i != direct.last; ++i) {
    const UnknownField& field = *sorted_[i];
    if ((field.id != 0) != in_binary) {
      fail(i, in_binary ? "it is JSON, but the output is binary" : "it is binary, but the output is JSON");
    }
    if (is_unset && !field.is_member) fail(i, "it is not a union member, but its parent is an unset union");
    if (field.is_member && (!is_unset || i != direct.first)) fail(i, "a member of the union is already set");
  }
  if (is_unset && !direct.empty()) is_set_[static_cast<std::size_t>(found - unset_unions_.begin())] = true;
}

std::optional<std::size_t> UnknownFieldPlaces::finish() const {
  const auto left = std::find(is_written_.begin(), is_written_.end(), false);
  if (left != is_written_.end()) {
    fail(static_cast<std::size_t>(left - is_written_.begin()), "its parent no longer exists");
  }
  const auto unset = std::find(is_set_.begin(), is_set_.end(), false);
  if (unset == is_set_.end()) return std::nullopt;
  return unset_unions_[static_cast<std::size_t>(unset - is_set_.begin())];
}

}  // namespace schemagen
