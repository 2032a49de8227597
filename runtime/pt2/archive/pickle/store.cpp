#include "pt2/archive/pickle/store.h"

#include <algorithm>
#include <limits>

#include "pt2/archive/pickle/opcodes.h"

namespace pt2 {
namespace {

/// As in Python, equal keys keep the first position and the last value.
void join_equal_keys(Pickle& pickle, std::vector<PickleRef>& items) {
  std::map<std::string_view, std::size_t> places;
  std::size_t end = 0;
  for (std::size_t i = 0; i < items.size(); i += 2) {
    const PickleValue& key = pickle[items[i]];
    if (key.kind == PickleKind::text) {
      const auto [place, is_new] = places.emplace(key.text(), end);
      if (!is_new) {
        items[place->second + 1] = items[i + 1];
        continue;
      }
    }
    items[end] = items[i];
    items[end + 1] = items[i + 1];
    end += 2;
  }
  items.resize(end);
}

}  // namespace

const char* described(PickleKind kind) {
  constexpr const char* kDescribed[] = {"None",
                                        "a bool",
                                        "an int",
                                        "an int",
                                        "a float",
                                        "a complex number",
                                        "a str",
                                        "bytes",
                                        "a bytearray",
                                        "a list",
                                        "a tuple",
                                        "a torch.Size",
                                        "a set",
                                        "a dict",
                                        "an OrderedDict",
                                        "a Counter",
                                        "a device",
                                        "a layout",
                                        "a dtype, class or function",
                                        "a storage",
                                        "a tensor",
                                        "a tensor of another kind"};
  return kDescribed[static_cast<std::size_t>(kind)];
}

bool is_mapping(PickleKind kind) {
  return kind == PickleKind::dict || kind == PickleKind::ordered_dict || kind == PickleKind::counter;
}

std::uint64_t Pickle::expanded_size() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> sizes(values.size());  // kMost while the container is on `open`
  std::vector<std::pair<PickleRef, std::size_t>> open = {{root, 0}};
  sizes[root] = kMost;
  while (!open.empty()) {
    const PickleRef ref = open.back().first;
    const auto* const items = std::get_if<std::vector<PickleRef>>(&values[ref].data);
    if (items != nullptr && open.back().second < items->size()) {
      const PickleRef item = (*items)[open.back().second++];
      if (sizes[item] == 0) {
        sizes[item] = kMost;
        open.emplace_back(item, 0);
      }
      continue;
    }
    std::uint64_t size = 1;
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
      size += std::min(sizes[(*items)[i]], kMost - size);
    }
    sizes[ref] = size;
    open.pop_back();
  }
  return sizes[root];
}

void PickleStore::fail(std::string_view reason) const {
  fail_in_pickle(reason, position_);
}

void PickleStore::expected(const std::string& what, PickleRef ref) const {
  fail("expected " + what + ", found " + described(pickle_[ref].kind));
}

void PickleStore::take(std::size_t count, std::size_t size) {
  if (!budget_.take(count, size)) fail(schemagen::too_much_memory(limits_) + " (memory_bytes)");
}

PickleRef PickleStore::add(PickleKind kind, decltype(PickleValue::data) data) {
  take(3, sizeof(PickleValue));  // a growing vector needs twice the room, plus the old block
  if (pickle_.values.size() == std::numeric_limits<PickleRef>::max())
    fail("the pickle contains too many values");
  pickle_.values.push_back({kind, std::move(data)});
  is_hashable_.push_back(kind != PickleKind::list && kind != PickleKind::set &&
                         kind != PickleKind::bytearray && !is_mapping(kind));
  return static_cast<PickleRef>(pickle_.values.size() - 1);
}

PickleRef PickleStore::add_text(PickleKind kind, std::string_view text) {
  if (text.size() > limits_.string_bytes) {
    fail(schemagen::too_many_bytes(described(kind), text.size(), limits_.string_bytes) + " (string_bytes)");
  }
  take(1, text.size() + schemagen::MemoryBudget::beside_string(text.size()));
  return add(kind, std::string(text));
}

PickleRef PickleStore::add_items(PickleKind kind, std::vector<PickleRef> items) {
  if (items.size() > limits_.container_items) {
    fail(schemagen::too_many_items(items.size(), limits_) + " (container_items)");
  }
  take(items.size(), sizeof(PickleRef));
  if (!items.empty()) take(1, schemagen::MemoryBudget::kPerBlock);
  const bool is_hashable =
      std::all_of(items.begin(), items.end(), [this](PickleRef item) { return is_hashable_[item]; });
  const PickleRef ref = add(kind, std::move(items));
  if (kind == PickleKind::tuple) is_hashable_[ref] = is_hashable;
  return ref;
}

void PickleStore::extend(PickleRef container, const std::vector<PickleRef>& items) {
  auto& all = std::get<std::vector<PickleRef>>(pickle_.values[container].data);
  if (items.size() > limits_.container_items - std::min(all.size(), limits_.container_items)) {
    fail(schemagen::too_many_items(all.size() + items.size(), limits_) + " (container_items)");
  }
  take(items.size(), 3 * sizeof(PickleRef));
  if (all.empty()) take(1, schemagen::MemoryBudget::kPerBlock);
  all.insert(all.end(), items.begin(), items.end());
}

void PickleStore::require_hashable(PickleRef ref) const {
  if (!is_hashable_[ref]) expected("a hashable key", ref);
}

Pickle PickleStore::finish(PickleRef root) {
  for (PickleValue& value : pickle_.values) {
    if (is_mapping(value.kind)) join_equal_keys(pickle_, std::get<std::vector<PickleRef>>(value.data));
  }
  pickle_.root = root;
  return std::move(pickle_);
}

}  // namespace pt2
