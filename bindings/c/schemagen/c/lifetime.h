// Detects cursors that are used after their document was changed or freed. NDEBUG turns the check off.
#pragma once

#include <cstdint>

namespace schemagen::c {

/// The period during which the cursors of a document are valid. renew() ends the period and begins a new one;
/// call it before changing the document.
class Lifetime {
 public:
#ifdef NDEBUG
  std::uint64_t id() const noexcept {
    return 0;
  }
  void renew() noexcept {}
#else
  Lifetime();
  ~Lifetime();
  Lifetime(const Lifetime&) = delete;
  Lifetime& operator=(const Lifetime&) = delete;
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
/// Prints a message and aborts if the Lifetime with this id has ended. Id 0 stands for a Lifetime that never
/// ends.
void require_alive(std::uint64_t id) noexcept;
#endif

}  // namespace schemagen::c
