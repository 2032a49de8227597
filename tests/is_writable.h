#pragma once

#include <unistd.h>

#include <cerrno>

/// Returns whether a byte can be written. Writes its own value.
inline bool is_writable(const char* byte) {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0 || write(ends[1], byte, 1) != 1) return false;
  // The kernel reports memory that cannot be written; a write in the program would end it.
  const bool is_written = read(ends[0], const_cast<char*>(byte), 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return is_written || errno != EFAULT;
}
