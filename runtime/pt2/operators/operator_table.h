// Defines the table of encoded operators and its hash index.
#pragma once

#include <atomic>

#include "pt2/operators/operators.h"

namespace pt2 {

struct CompactTable {
  const unsigned char* bytes;
  const std::uint32_t* offsets;

  std::string_view operator[](std::size_t index) const noexcept {
    return {reinterpret_cast<const char*>(bytes) + offsets[index], offsets[index + 1] - offsets[index]};
  }
};

/// The table, which is constant except for `decoded`. embed_operators writes the only instance, to
/// generated/pt2/operator_table/operator_table.cpp.
struct OperatorTable {
  CompactTable parts;
  CompactTable operators;  // each a StoredOperator, with numbers of parts, and without kOperatorPrefix
  std::size_t count;       // number of operators; variants in other releases follow them
  /// Open addressing with linear probing. A slot holds the operator's number plus one, or 0. Variants of an
  /// operator in other releases come after it.
  const std::uint16_t* slots;
  std::size_t slot_count;
  std::atomic<const operators::Operator*>* decoded;  // a cache, filled on demand
  OperatorReleases releases;
};

extern const OperatorTable kOperatorTable;

/// Returns the FNV-1a hash, on which the slots depend.
constexpr std::uint32_t operator_hash(std::string_view target) noexcept {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : target) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash ^ (hash >> 15);
}

}  // namespace pt2
