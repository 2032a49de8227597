#include "schemagen/c/lifetime.h"

#ifndef NDEBUG

#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

#include "schemagen/base/mutex.h"

namespace schemagen::c {
namespace {

struct Lives {
  Mutex mutex;
  std::set<std::uint64_t> all;
  std::uint64_t last = 0;
};

/// Never destroyed: handles may be freed at the very end.
Lives& lives() {
  static Lives* const all = new Lives;
  return *all;
}

std::uint64_t begin_life() {
  const MutexLock lock(lives().mutex);
  lives().all.insert(lives().last + 1);
  return ++lives().last;
}

void end_life(std::uint64_t id) noexcept {
  const MutexLock lock(lives().mutex);
  lives().all.erase(id);
}

}  // namespace

Lifetime::Lifetime() : id_(begin_life()) {}
Lifetime::~Lifetime() {
  end_life(id_);
}

void Lifetime::renew() noexcept {
  const MutexLock lock(lives().mutex);
  auto life = lives().all.extract(id_);  // the new life reuses its memory
  life.value() = id_ = ++lives().last;
  lives().all.insert(std::move(life));
}

void require_alive(std::uint64_t id) noexcept {
  if (id == 0) return;
  const MutexLock lock(lives().mutex);
  if (lives().all.count(id) != 0) return;
  std::fputs("schemagen_value: a value was used after its document was changed or freed\n", stderr);
  std::abort();
}

}  // namespace schemagen::c

#endif
