// A minimal malloc for one thread, to be preloaded. It shows the most that an arena could gain. Blocks
// without headers fill chunks of 1 MiB; a chunk whose blocks are all freed is filled next.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { kChunkShift = 20, kChunk = 1 << kChunkShift, kChunks = 1 << 16, kClasses = 17, kAlignment = 16 };

static char *region;
static uint32_t used = 1;
static int live[kChunks];  // number of blocks in a chunk; for a large block, -1 minus its size class
static uint32_t next_free[kChunks];
static uint32_t first_free[kClasses];
static uint32_t current;
static char *at;
static char *end;

static char *chunk(uint32_t index) { return region + ((size_t)index << kChunkShift); }
static uint32_t index_of(const void *block) { return (uint32_t)(((const char *)block - region) >> kChunkShift); }

static uint32_t take(int size_class) {
  if (region == NULL) {
    region = mmap(NULL, (size_t)kChunks << kChunkShift, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED) __builtin_trap();
  }
  uint32_t index = first_free[size_class];
  if (index != 0) {
    first_free[size_class] = next_free[index];
  } else {
    index = used;
    used += 1u << size_class;
    if (used > kChunks) __builtin_trap();
  }
  return index;
}

static void give_back(uint32_t index, int size_class) {
  next_free[index] = first_free[size_class];
  first_free[size_class] = index;
}

void *malloc(size_t size) {
  size = size == 0 ? kAlignment : (size + kAlignment - 1) / kAlignment * kAlignment;
  if (size > kChunk / 4) {
    int size_class = 0;
    while (((size_t)kChunk << size_class) < size) ++size_class;
    const uint32_t index = take(size_class);
    live[index] = -1 - size_class;
    return chunk(index);
  }
  if ((size_t)(end - at) < size) {
    current = take(0);
    live[current] = 0;
    at = chunk(current);
    end = at + kChunk;
  }
  char *const block = at;
  at += size;
  ++live[current];
  return block;
}

void free(void *block) {
  if (block == NULL) return;
  const uint32_t index = index_of(block);
  if (live[index] < 0) {
    give_back(index, -1 - live[index]);
  } else if (--live[index] == 0) {
    index == current ? (void)(at = chunk(index)) : give_back(index, 0);
  }
}

void *calloc(size_t count, size_t size) {
  void *const block = malloc(count * size);
  return memset(block, 0, count * size);
}

void *realloc(void *block, size_t size) {
  void *const bigger = malloc(size);
  if (block == NULL) return bigger;
  // The old size is unknown, so this may copy bytes beyond the block.
  const uint32_t index = index_of(block);
  const size_t chunks = live[index] < 0 ? (size_t)1 << (-1 - live[index]) : 1;
  const size_t most = (size_t)(chunk(index) + chunks * kChunk - (char *)block);
  memmove(bigger, block, size < most ? size : most);
  free(block);
  return bigger;
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  char *const wide = malloc(size + alignment);
  *block = wide + (alignment - (uintptr_t)wide % alignment) % alignment;
  return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  void *block;
  posix_memalign(&block, alignment, size);
  return block;
}
