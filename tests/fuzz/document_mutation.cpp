// Most mutations change the tree of the JSON input.
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "document_mutator.h"
#include "schemagen/base/error.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::size_t write(const std::optional<std::string>& text, std::uint8_t* out, std::size_t max_size) {
  if (!text || text->size() > max_size) return 0;
  std::memcpy(out, text->data(), text->size());
  return text->size();
}

std::optional<std::string> mutated(std::string_view text, std::string_view donor, DocumentMutator& mutator) {
  try {
    return mutated_document(text, donor, mutator);
  } catch (const schemagen::DataError&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  DocumentMutator mutator(seed);
  if (mutator.below(16) != 0) {
    if (const std::size_t written = write(mutated(view(data, size), {}, mutator), data, max_size))
      return written;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size,
                                                 const std::uint8_t* donor, std::size_t donor_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  DocumentMutator mutator(seed);
  return write(mutated(view(data, size), view(donor, donor_size), mutator), out, max_size);
}
