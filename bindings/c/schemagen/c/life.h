// What tells that a cursor is used after its document was changed or freed: in builds without NDEBUG;
// others have nothing of it.
#pragma once

#include <cstdint>

namespace schemagen::c {

/// A document's. Whoever changes the document renews it, before anything is changed.
class Life {
 public:
#ifdef NDEBUG
  std::uint64_t id() const noexcept {
    return 0;
  }
  void renew() noexcept {}
#else
  Life();
  ~Life();
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;
  std::uint64_t id() const noexcept {
    return id_;
  }
  void renew() noexcept;

 private:
  std::uint64_t id_;
#endif
};

#ifdef NDEBUG
inline void require_alive(std::uint64_t) noexcept {}
#else
/// Says on standard error that it is not, and aborts; 0 is nobody's.
void require_alive(std::uint64_t id) noexcept;
#endif

}  // namespace schemagen::c
