// Detects cursors that are used after their document was changed or freed. Compiled out with NDEBUG.
#pragma once

#include <cstdint>

namespace schemagen::c {

/// The time in which cursors at a document are valid. Call renew() before changing the document.
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
/// Prints a message and aborts if the life `id` has ended. The life 0 never ends.
void require_alive(std::uint64_t id) noexcept;
#endif

}  // namespace schemagen::c
