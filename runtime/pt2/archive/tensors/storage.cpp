#include "pt2/archive/tensors/tensor.h"

#include <optional>
#include <string_view>
#include <utility>

#include "pt2/archive/zip_bytes.h"

namespace pt2 {

Storage::Storage(MemberBytes bytes, MappedPages pages, ByteOrder order)
    : pages_(pages), order_(order), kept_(std::make_shared<const MemberBytes>(std::move(bytes))) {}

Storage::Storage(std::shared_ptr<const ZipReader> zip, const ZipMember& member, ByteOrder order)
    : zip_(std::move(zip)), member_(&member), pages_(zip_->pages()), order_(order) {}

std::shared_ptr<const MemberBytes> Storage::read() const {
  const schemagen::MutexLock lock(mutex_);
  if (kept_) return kept_;
  if (std::shared_ptr<const MemberBytes> inflated = inflated_.lock()) return inflated;
  auto bytes = std::make_shared<const MemberBytes>(zip_->read(*member_));
  if (bytes->owned_bytes() == 0) {
    kept_ = bytes;
  } else {
    inflated_ = bytes;
  }
  return bytes;
}

std::shared_ptr<const MemberBytes> Storage::read_unverified() const {
  if (member_ != nullptr) {
    if (const std::optional<SparseBytes> bytes = zip_->stored(*member_))
      return std::make_shared<const MemberBytes>(bytes->whole());
  }
  return read();
}

std::optional<std::uint64_t> Storage::place() const {
  const std::optional<SparseBytes> bytes = member_ == nullptr ? std::nullopt : zip_->stored(*member_);
  return bytes ? std::optional(bytes->begin()) : std::nullopt;
}

void Storage::copy(const ByteSink& sink) const {
  member_ != nullptr ? zip_->copy(*member_, sink) : for_each_part(kept_->view(), pages_, sink);
}

bool Storage::is_deflated() const noexcept {
  return member_ != nullptr && member_->method != zip::kStored;
}

std::optional<std::uint32_t> Storage::crc32() const {
  if (member_ == nullptr || zip_->checksums() == Checksums::ignore) return std::nullopt;
  return member_->crc32;
}

}  // namespace pt2
