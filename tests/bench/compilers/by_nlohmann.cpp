#include "codec.h"
#include "nlohmann_notes.h"

std::vector<Codec> by_nlohmann(const notes::Notebook& notebook) {
  const auto write = [&] { return nlohmann::json(notebook).dump(); };
  const auto read = [](const std::string& text) {
    return sum_of(nlohmann::json::parse(text).get<notes::Notebook>());
  };
  return {{"nlohmann/json", write(), write, read}};
}
