// The result is JSON, and often valid for its schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/tree/dom_value.h"

class DocumentMutator {
 public:
  using Value = schemagen::DomValue;

  explicit DocumentMutator(std::uint64_t seed) : random_(seed) {}

  /// Copies a value over one with the same key or members; adds, removes or moves an item; replaces a string
  /// everywhere; or changes the type of a value.
  void change(Value& root);

  void graft(Value& root, const Value& donor);

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

 private:
  struct Spot {
    Value* value;
    std::uint64_t key;
    std::uint64_t shape;
  };
  static std::vector<Spot> spots_of(Value& root);
  static void collect(Value& value, std::uint64_t key, std::vector<Spot>& spots);
  const Spot* like(const Spot& spot, const std::vector<Spot>& spots);
  void copy_alike(const std::vector<Spot>& targets, const std::vector<Spot>& sources);

  void change_list(Value::List& list);
  void change_members(Value::Object& members);
  void rename(Value& root, const std::vector<Spot>& spots);
  void change_type(Value& value);
  std::string other_text(std::string text);

  std::mt19937_64 random_;
};

/// One to three changes, some with values from `donor`, which may be empty; nullopt if `text` is not JSON.
std::optional<std::string> mutated_document(std::string_view text, std::string_view donor,
                                            DocumentMutator& mutator);
