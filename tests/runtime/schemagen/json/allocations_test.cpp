#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "schemagen/json/reader.h"
#include "schemagen/json/writer.h"

using schemagen::JsonReadOptions;

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

// If inlined, gcc reports a mismatch of malloc and free.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* at = std::malloc(size == 0 ? 1 : size)) return at;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* at) noexcept {
  std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept {
  std::free(at);
}

TEST_CASE("a document of one number or bool allocates nothing") {
  std::string json = "[";
  for (int i = 0; i < 10000; ++i)
    json +=
        "{\"flag\": true, \"real\": 1.5, \"small\": 1e-400, \"whole\": 1234567890123456789, \"text\": [1, "
        "2]},";
  json.back() = ']';
  {
    const JsonReadOptions options;
    const schemagen::JsonDocument document(json, options);
    schemagen::JsonReader in(document, options);
    const std::size_t before = allocations;
    for (schemagen::JsonItems items(in); items.next();) {
      static constexpr schemagen::JsonField kFields[] = {{"flag", true},  {"real", true}, {"small", true},
                                                         {"whole", true}, {"text", true}, {"rest", false}};
      bool flag = false;
      double real = 0;
      std::int64_t whole = 0;
      for (schemagen::JsonFields fields(in, kFields); fields.next();) {
        switch (fields.index()) {
          case 0:
            read_json(in, flag);
            break;
          case 1:
          case 2:
            read_json(in, real);
            break;
          case 3:
            read_json(in, whole);
            break;
          case 4:
            for (schemagen::JsonItems numbers(in); numbers.next();) read_json(in, whole);
            break;
        }
      }
    }
    CHECK(allocations - before == 0);
  }
  const auto of_parsing = [](std::size_t n) {
    std::string numbers = "[";
    for (std::size_t i = 0; i < n; ++i) numbers += "1.5,1e-400,-7,true,";
    numbers.back() = ']';
    const std::size_t before = allocations;
    const schemagen::JsonDocument document(numbers, {});
    return allocations - before;
  };
  CHECK(of_parsing(10000) < of_parsing(100) + 20);

  const std::vector<double> reals(10000, 1.25);
  const std::size_t before = allocations;
  const std::string text = schemagen::to_json(std::vector<std::vector<double>>{reals});
  CHECK(allocations - before < 10);
}
