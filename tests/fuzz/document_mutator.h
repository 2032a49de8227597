// Random changes of JSON documents that know what a document is: a tree in which values of one kind stand in
// many places. What comes out is JSON again, and often still what its schema asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/tree/dom_value.h"

/// Changes documents at random, the same for the same seed.
class DocumentMutator {
 public:
  using Value = schemagen::DomValue;

  explicit DocumentMutator(std::uint64_t seed) : random_(seed) {}

  /// One change: a value becomes a copy of another one that stands under the same key or has the same
  /// members, a list or object gets, loses or moves an item, a string becomes another one wherever it stands,
  /// or a value becomes one of another type.
  void change(Value& root);

  /// A value of `root` becomes a copy of one of the same kind in `donor`; nothing happens if there is none.
  void graft(Value& root, const Value& donor);

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

 private:
  struct Spot {
    Value* value;
    std::uint64_t key;    // of the member that contains it; items of lists differ from their list
    std::uint64_t shape;  // of objects: their keys; else as `key`
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

/// `text` after one to three changes, some of them values of `donor`, which may be empty; nullopt if `text`
/// is no JSON.
std::optional<std::string> mutated_document(std::string_view text, std::string_view donor,
                                            DocumentMutator& mutator);
