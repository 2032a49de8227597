// Emscripten grows memory by no more than what is asked for, a little at a time, and engines take as long for a small step as for a
// large one. dev/npm.sh wraps its function by this one.
#include <stddef.h>

enum { PAGE = 65536 };  // bytes

int __real_emscripten_resize_heap(size_t size);

/// Grows memory by a quarter if it can, or else to `size` bytes. Returns whether it did.
int __wrap_emscripten_resize_heap(size_t size) {
  const size_t pages = __builtin_wasm_memory_size(0);
  const size_t most = (size_t)-1 / PAGE;
  const size_t larger = pages < most / 5 * 4 ? (pages + pages / 4) * PAGE : 0;
  return (larger > size && __real_emscripten_resize_heap(larger)) || __real_emscripten_resize_heap(size);
}
