// Detects cursors that are used after their document was changed or freed. Compiled out with NDEBUG.
#pragma once

#include <cstdint>

namespace schemagen::c {

/// Call renew() before changing the document.
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
/// Aborts with a message if the life has ended; 0 is always alive.
void require_alive(std::uint64_t id) noexcept;
#endif

}  // namespace schemagen::c
