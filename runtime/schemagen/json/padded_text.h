#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schemagen {

class PaddedText {
 public:
  /// Number of readable bytes after view(), with unspecified contents.
  static constexpr std::size_t kBehind = 64;

  /// Copies `text` unless at least kBehind bytes after it are readable, as `readable_after` says.
  PaddedText(std::string_view text, std::size_t readable_after) : text_(text) {
    if (readable_after >= kBehind) return;
    copy_.reserve(text.size() + kBehind);
    copy_ = text;
    copy_.append(kBehind, ' ');
    text_ = std::string_view(copy_).substr(0, text.size());
  }
  PaddedText(const PaddedText&) = delete;
  PaddedText& operator=(const PaddedText&) = delete;

  std::string_view view() const noexcept { return text_; }

 private:
  std::string copy_;
  std::string_view text_;
};

}  // namespace schemagen
