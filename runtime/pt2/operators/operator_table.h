// The table of PyTorch's operators as it is linked in: bytes, and an index into them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pt2/operators/operators.h"
#include "pt2/operators/types.h"

namespace pt2 {

/// Payloads of Thrift Compact, without envelopes, one behind the other.
struct CompactTable {
  const unsigned char* bytes;
  const std::uint32_t* offsets;  // of each payload, and of the end

  std::string_view operator[](std::size_t index) const noexcept {
    return {reinterpret_cast<const char*>(bytes) + offsets[index], offsets[index + 1] - offsets[index]};
  }
};

/// All of it is constant but `decoded`. generated/pt2/operator_table/operator_table.cpp defines the one there
/// is, which embed_operators writes.
struct OperatorTable {
  CompactTable parts;      // each an OperatorArgument or an OperatorReturn
  CompactTable operators;  // each a StoredOperator, with numbers of parts, and without kOperatorPrefix
  std::size_t count;       // of operators; behind these are those that other releases have otherwise
  /// Where a target is: at the slot of its hash or, where others are, in the ones behind it, up to an empty
  /// one. The operator's number plus one; 0: empty. As other releases have it, it stands behind itself.
  const std::uint16_t* slots;
  std::size_t slot_count;                            // a power of two
  std::atomic<const operators::Operator*>* decoded;  // what was asked for so far
  OperatorReleases releases;
};

extern const OperatorTable kOperatorTable;

/// FNV-1a. It stays what it is as long as the slots do.
constexpr std::uint32_t operator_hash(std::string_view target) noexcept {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : target) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash ^ (hash >> 15);
}

}  // namespace pt2
