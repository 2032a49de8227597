#include "schemagen/json/records.h"

#include <algorithm>
#include <istream>
#include <limits>
#include <ostream>

#include "schemagen/base/attempt.h"
#include "schemagen/base/record_stream.h"

namespace schemagen::detail {
namespace {

// Avoids copying the text.
constexpr std::size_t kReadableAfter = 64;

}  // namespace

JsonRecords::JsonRecords(std::istream& in, const JsonReadOptions& options)
    : in_(&in), options_(options), buffer_(std::size_t{4} << 10, '\0') {
  options_.progress = {};
}

bool JsonRecords::next_line() {
  require_quiet(*in_);
  if (is_within_line_) in_->ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  is_within_line_ = false;
  const std::size_t limit = options_.limits.input_bytes;
  for (size_ = 0;;) {
    in_->getline(&buffer_[size_], static_cast<std::streamsize>(buffer_.size() - kReadableAfter - size_));
    const auto got = static_cast<std::size_t>(in_->gcount());
    const bool is_at_end = in_->eof();
    if (in_->bad() || (got == 0 && !is_at_end)) throw IoError("cannot read the record stream");
    size_ += got;
    if (is_at_end) return size_ != 0;
    if (!in_->fail()) {
      --size_;
      return true;
    }
    in_->clear();
    if (size_ > limit) {
      is_within_line_ = true;
      throw DataError("a line exceeds the limit of " + std::to_string(limit) + " bytes");
    }
    buffer_.resize(2 * buffer_.size());
  }
}

void JsonRecords::next(const JsonCodec& codec, void* value) {
  Place place;
  place.line = static_cast<std::size_t>(++number_);
  place.column = 1;
  try {
    if (!next_line()) {
      --number_;
      return;
    }
    const std::string_view line(buffer_.data(), size_);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      throw DataError("expected a value, found an empty line");
    }
    options_.readable_after = buffer_.size() - size_;
    read_by(codec, line, options_, value);
  } catch (const DataError& error) {
    place.column = std::max(place.column, error.place().column);
    throw in_record(error, number_, place);
  }
}

Result<void> JsonRecords::try_next(const JsonCodec& codec, void* value) noexcept {
  return attempt([&] { next(codec, value); });
}

void JsonRecordsOut::write(const JsonCodec& codec, const void* value) {
  if (options_.indent) throw UsageError("JsonWriteOptions::indent is set, but a record must be one line");
  require_quiet(*out_);
  try {
    std::string line = write_document(options_, codec.write, value);
    // Only between tokens of an Any or an unknown field: strings escape line endings.
    for (const char end_of_line : {'\n', '\r'}) std::replace(line.begin(), line.end(), end_of_line, ' ');
    line += '\n';
    write_record(*out_, line, number_ + 1);
    ++number_;
  } catch (const DataError& error) {
    throw in_record(error, number_ + 1, error.place());
  }
}

Result<void> JsonRecordsOut::try_write(const JsonCodec& codec, const void* value) noexcept {
  return attempt([&] { write(codec, value); });
}

}  // namespace schemagen::detail
