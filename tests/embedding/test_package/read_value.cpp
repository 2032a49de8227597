#include <pt2/json.h>

#include <cstdio>

int main() {
  const auto device = schemagen::from_json<pt2::Device>(R"({"type": "cuda", "index": 1})");
  std::puts(schemagen::to_json(device).c_str());
}
