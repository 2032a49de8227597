#include "model/hash.h"

#include <algorithm>
#include <cassert>
#include <cctype>

#include "model/canonical.h"
#include "text/characters.h"

namespace generator {
namespace {

constexpr std::string_view kPrefix = "sha256:";
constexpr std::size_t kMinDigits = 16;  // fewer digits match by accident
constexpr std::size_t kMaxDigits = 64;

std::string_view digits_of(std::string_view hash) {
  if (hash.substr(0, kPrefix.size()) == kPrefix) hash.remove_prefix(kPrefix.size());
  return hash;
}

}  // namespace

std::optional<std::size_t> only_root(const Model& model) {
  if (model.roots.size() != 1) return std::nullopt;
  return model.roots.front();
}

std::string form_of(const Model& model, std::optional<std::size_t> root, Projection projection) {
  assert(root || projection == Projection::none);
  if (!root) return normal_form(model);
  switch (projection) {
    case Projection::none:
      return normal_form(model, *root);
    case Projection::binary:
      return binary_form(model, *root);
    case Projection::json:
      return json_form(model, *root);
  }
  return {};
}

bool is_hash(std::string_view text) {
  const std::string_view digits = digits_of(text);
  return digits.size() >= kMinDigits && digits.size() <= kMaxDigits &&
         std::all_of(digits.begin(), digits.end(),
                     [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

bool hash_matches(std::string_view hash, std::string_view expected) {
  assert(is_hash(expected));
  const std::string_view digits = digits_of(hash);
  const std::string_view wanted = digits_of(expected);
  return wanted.size() <= digits.size() && lower(digits.substr(0, wanted.size())) == lower(wanted);
}

}  // namespace generator
