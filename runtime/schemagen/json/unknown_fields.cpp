#include "schemagen/json/writer.h"

#include <map>

#include "schemagen/base/json_syntax.h"
#include "schemagen/base/unknown_field_places.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/json/document.h"
#include "schemagen/json/json_writer.h"

namespace schemagen {
namespace {

using Range = UnknownFieldPlaces::Range;

class JsonUnknownFields {
 public:
  JsonUnknownFields(const JsonSink& written, const char* end)
      : written_(written),
        end_(end),
        text_(written.view(end)),
        document_(text_, {only_depth(written.options().limits.depth)}),
        tape_(document_.tape()),
        cursor_(text_),
        places_(*written.options().preserved, written.unset_unions()) {}

  std::string run() {
    value(JsonDocument::root(), places_.all());
    if (const auto unset = places_.finish()) written_.fail_at(end_, *unset, kUnsetUnion);
    copy_to(text_.size());
    const std::size_t limit = written_.options().limits.input_bytes;
    if (out_.size() > limit) throw DataError(too_many_bytes("a document", out_.size(), limit));
    return std::move(out_);
  }

 private:
  void value(std::size_t index, const Range& range) {
    if (tape_.tag(index) == JsonTape::kObject) object(index, range);
    if (tape_.tag(index) == JsonTape::kArray) list(index, range);
  }

  void list(std::size_t start, const Range& range) {
    places_.check_count(range, tape_.size_of(start));
    const std::size_t end = tape_.after(start) - 1;
    std::size_t number = 0;
    for (std::size_t item = start + 1; item != end; item = tape_.next(item)) {
      const Range inner = places_.in_item(range, number++);
      if (!inner.empty()) value(item, inner);
    }
  }

  void object(std::size_t start, const Range& range) {
    const Range direct = places_.direct(range);
    const std::size_t offset = cursor_.seek(start);
    places_.check_direct(direct, offset, false);
    const Names names = names_of(direct);
    const std::size_t end = tape_.after(start) - 1;
    copy_to(direct.empty() ? copied_ : offset + 1);
    const std::size_t at_start = out_.size();
    write_after({}, direct);
    if (out_.size() != at_start && start + 1 != end) out_ += ", ";
    for (std::size_t key = start + 1; key != end; key = tape_.next(key + 1)) {
      const std::string_view name = tape_.string(key);
      if (const auto same = names.find(name); same != names.end()) {
        places_.fail(same->second, "the value already has a field with this name");
      }
      const Range inner = places_.in(range, name);
      if (!inner.empty()) value(key + 1, inner);
      if (!direct.empty()) {
        copy_to(end_of_value(key + 1));
        write_after(name, direct);
      }
    }
    // The field before it is not written, e.g. an omitted null.
    for (std::size_t i = direct.first; i != direct.last; ++i) {
      if (!places_.is_written(i)) put(i);
    }
  }

  using Names = std::map<std::string_view, std::size_t>;
  Names names_of(const Range& direct) const {
    Names names;
    for (std::size_t i = direct.first; i != direct.last; ++i) {
      if (!names.emplace(places_[i].name, i).second)
        places_.fail(i, "another preserved field has the same name");
    }
    return names;
  }

  void write_after(std::string_view name, const Range& direct) {
    for (std::size_t i = direct.first; i != direct.last; ++i) {
      if (places_[i].after == name) put(i);
    }
  }

  void put(std::size_t i) {
    const UnknownField& field = places_[i];
    const std::string fault = any_fault(field.bytes, written_.options().limits.depth - field.path.size() - 1);
    if (!fault.empty()) places_.fail(i, "it" + fault);
    JsonWriter key(written_.options());
    key.string(field.name);
    if (out_.back() != '{') out_ += ", ";
    out_.append(key.view()).append(": ").append(field.bytes);
    places_.set_written(i);
  }

  void copy_to(std::size_t offset) {
    out_.append(text_, copied_, offset - copied_);
    copied_ = offset;
  }

  std::size_t end_of_value(std::size_t index) {
    cursor_.seek(tape_.last(index));
    return cursor_.end_of_token();
  }

  const JsonSink& written_;
  const char* const end_;
  std::string_view text_;
  const JsonDocument document_;
  const JsonTape& tape_;
  JsonTextCursor cursor_;
  UnknownFieldPlaces places_;
  std::string out_;
  std::size_t copied_ = 0;
};

}  // namespace

std::string with_unknown_fields(const JsonSink& written, const char* end) {
  return JsonUnknownFields(written, end).run();
}

}  // namespace schemagen
