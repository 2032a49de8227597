#pragma once

#include <cstddef>
#include <map>

#include "pt2/archive/pickle/pickle.h"

namespace pt2 {

const char* described(PickleKind kind);

bool is_mapping(PickleKind kind);

/// The values of a pickle. Values can be added but not removed. Errors have the position of the current
/// instruction.
class PickleStore {
 public:
  explicit PickleStore(const schemagen::Limits& limits) : limits_(limits), budget_(limits.memory_bytes) {}

  const schemagen::Limits& limits() const { return limits_; }
  void set_position(std::size_t position) { position_ = position; }
  [[noreturn]] void fail(std::string_view reason) const;
  /// Fails because the value at `ref` is not `what`.
  [[noreturn]] void expected(const std::string& what, PickleRef ref) const;

  PickleRef add(PickleKind kind, decltype(PickleValue::data) data = {});
  PickleRef add_text(PickleKind kind, std::string_view text);
  PickleRef add_items(PickleKind kind, std::vector<PickleRef> items);
  void extend(PickleRef container, const std::vector<PickleRef>& items);

  const PickleValue& operator[](PickleRef ref) const { return pickle_.values[ref]; }
  /// Requires that Python accepts the value as a dict key or set item.
  void require_hashable(PickleRef ref) const;

  /// Counts memory against the limit before it is allocated.
  void take(std::size_t count, std::size_t size);

  Pickle finish(PickleRef root);

 private:
  schemagen::Limits limits_;
  schemagen::MemoryBudget budget_;
  std::size_t position_ = 0;
  Pickle pickle_;
  std::vector<bool> is_hashable_;
};

// The following functions evaluate calls of the globals in safe_globals.h, and persistent ids, as data.
// Source: torch/_utils.py and torch/serialization.py of torch 2.13, and Python's own classes.

/// Evaluates REDUCE. Throws DataError if the call is not allowed.
PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments);

/// Evaluates NEWOBJ, which creates an uninitialized object. Throws DataError if the call is not allowed.
PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments);

/// Checks the state that BUILD sets, which is then dropped. Throws DataError if `object` cannot have this
/// state.
void require_state(const PickleStore& store, PickleRef object, PickleRef state);

/// Evaluates BINPERSID: returns the storage that the tuple `id` names. Storages with the same key are the
/// same storage, the first one.
PickleRef find_storage(PickleStore& store, PickleRef id, std::map<std::string, PickleRef>& storages);

}  // namespace pt2
