#include "pt2/archive/sparse_bytes.h"

#include <iterator>

namespace pt2 {
namespace {

std::string text_of(const ByteRange& range) {
  return "bytes " + std::to_string(range.begin) + " to " + std::to_string(range.end);
}

}  // namespace

MissingBytes::MissingBytes(const ByteRange& range)
    : IoError(text_of(range) + " of the file have not been read"), range_(range) {}

char* FileParts::add(std::uint64_t offset, std::size_t size) {
  const ByteRange range = {offset, offset + size};
  if (offset > size_ || size > size_ - offset) {
    throw schemagen::UsageError(text_of(range) + " are not in the file, which has " + std::to_string(size_));
  }
  owned_.emplace_back(new char[size]);
  if (has(range)) return owned_.back().get();
  // Views of the parts that the new one contains stay valid.
  auto next = parts_.lower_bound(offset);
  while (next != parts_.end() && next->first + next->second.size() <= range.end) next = parts_.erase(next);
  parts_.emplace(offset, std::string_view(owned_.back().get(), size));
  return owned_.back().get();
}

bool FileParts::has(const ByteRange& range) const {
  const auto after = parts_.upper_bound(range.begin);
  if (after == parts_.begin()) return range.begin == range.end;
  const auto& [offset, bytes] = *std::prev(after);
  return range.end <= offset + bytes.size();
}

std::string_view FileParts::view(const ByteRange& range) const {
  if (!has(range)) throw MissingBytes(range);
  if (range.begin == range.end) return {};
  const auto& [offset, bytes] = *std::prev(parts_.upper_bound(range.begin));
  return bytes.substr(static_cast<std::size_t>(range.begin - offset),
                      static_cast<std::size_t>(range.end - range.begin));
}

std::string_view SparseBytes::part(std::uint64_t offset, std::uint64_t count) const {
  offset = std::min(offset, size_);
  count = std::min(count, size_ - offset);
  if (parts_ != nullptr) return parts_->view({begin_ + offset, begin_ + offset + count});
  return whole_.substr(static_cast<std::size_t>(begin_ + offset), static_cast<std::size_t>(count));
}

SparseBytes SparseBytes::sub(std::uint64_t offset, std::uint64_t count) const {
  SparseBytes found = *this;
  found.begin_ += std::min(offset, size_);
  found.size_ = std::min(count, size_ - std::min(offset, size_));
  return found;
}

}  // namespace pt2
