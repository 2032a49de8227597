#include "schemagen/base/huge_pages.h"

#include <everything/json.h>
#include <malloc.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

namespace {

std::string large_tree(std::size_t bytes) {
  const std::string leaf = R"({"name": "a leaf", "left": null, "right": null, "children": [], "named": {}})";
  std::string text;
  text.reserve(bytes + 1000);
  // In groups, because a long list needs a large block.
  for (const char* start = R"({"name": "", "children": [)"; text.size() < bytes; start = ", ") {
    text += start;
    text += R"({"name": "a group", "children": [)";
    for (int i = 0; i < 50; ++i) text.append(i == 0 ? "" : ", ").append(leaf);
    text += "]}";
  }
  return text += "]}";
}

void load(const std::string& text) {
  const auto tree = schemagen::from_json<everything::Tree>(text);
  CHECK(tree.children.size() > 100);
}

bool is_mapped(std::size_t bytes) {
  const std::size_t before = mallinfo2().hblks;
  void* volatile block = std::malloc(bytes);
  const bool is_so = mallinfo2().hblks == before + 1;
  std::free(block);
  return is_so;
}

}  // namespace

TEST_CASE("a load leaves malloc alone until the application prepares the heap") {
  constexpr std::size_t kMega = std::size_t{1} << 20;
  // After freeing a mapped block, malloc takes blocks of up to that size from the heap. The text and the
  // reader's copy are such blocks, so ask about a larger one.
  const std::string text = large_tree(8 * kMega);
  load(text);
  CHECK(is_mapped(12 * kMega));

  schemagen::prepare_heap_for_values();
  load(text);
  CHECK_FALSE(is_mapped(14 * kMega));
}
