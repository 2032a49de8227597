#include "schemagen/json/tape_reader.h"

#include <algorithm>

#include "schemagen/base/base64.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/base/near_name.h"

namespace schemagen {
void JsonReader::expected(const char* what) const {
  fail(std::string("expected ") + what + ", found " + name_of(tag()));
}

void JsonReader::fail_no_member(std::size_t index, const ReflectedType& type, std::string_view name) const {
  std::vector<std::string_view> members;
  for (std::uint32_t i = 0; i < type.field_count && i <= kMaxCandidates; ++i) {
    members.push_back(type.fields[i].name);
  }
  fail_at(index,
          with_suggestion("the enum " + quoted(type.name) + " has no member " + quoted(name), name, members));
}

void JsonReader::not_an_integer() const {
  if (tag() == JsonTape::kUint64 || tag() == JsonTape::kBigInteger) {
    fail("the integer does not fit in 64 bits");
  }
  expected("an integer");
}

void JsonReader::not_in_range(std::int64_t min, std::uint64_t max) const {
  if (tag() != JsonTape::kInt64 && tag() != JsonTape::kUint64 && tag() != JsonTape::kBigInteger)
    expected("an integer");
  fail(out_of_range(min, max));
}

void JsonReader::too_long(std::size_t index, const char* what, std::size_t size) const {
  fail_at(index, too_many_bytes(what, size, options_.limits.string_bytes));
}

void JsonReader::fail_too_large() const {
  fail(too_much_memory(options_.limits));
}

void JsonReader::tell_progress() {
  // The key of a list or map precedes its bracket.
  const std::size_t key = at_ - 2;
  if (tape_.tag(key) != JsonTape::kString) return;
  next_progress_ = at_ + kProgressStep;
  const std::string_view text = document_.text();
  const char* const at = tape_.string(key).data();
  const std::less_equal<const char*> not_after;  // compares pointers into any memory
  if (not_after(text.data(), at) && not_after(at, text.data() + text.size())) {
    options_.progress.passed(options_.progress.context, static_cast<std::size_t>(at - text.data()));
  }
}

std::uint64_t JsonReader::natural() {
  const bool is_natural =
      tag() == JsonTape::kUint64 || (tag() == JsonTape::kInt64 && tape_.number<std::int64_t>(at_) >= 0);
  if (!is_natural) not_in_range(0, std::numeric_limits<std::uint64_t>::max());
  at_ += 2;
  return tape_.number<std::uint64_t>(at_ - 2);
}

float JsonReader::single() {
  const std::size_t start = at_;
  const bool has_digits = tag() != JsonTape::kString && tag() != JsonTape::kBare;
  const double rounded = floating();
  if (!has_digits) return static_cast<float>(rounded);
  const std::size_t begin = text_cursor_.seek(start);
  const std::string_view text = document_.text().substr(begin, text_cursor_.end_of_token() - begin);
  if (const std::optional<float> nearest = nearest_float(text, rounded)) return *nearest;
  fail_at(start, "the number is too large for a 32-bit float");
}

double JsonReader::floating() {
  const std::size_t start = at_;
  switch (tag()) {
    case JsonTape::kDouble:
    case JsonTape::kBigInteger:
    case JsonTape::kBare:
      at_ += 2;
      return tape_.number<double>(start);
    case JsonTape::kInt64:
      at_ += 2;
      return tape_.is_minus_zero(start) ? -0.0 : static_cast<double>(tape_.number<std::int64_t>(start));
    case JsonTape::kUint64:
      at_ += 2;
      return static_cast<double>(tape_.number<std::uint64_t>(start));
    case JsonTape::kString: {
      if (const std::optional<double> named = nonfinite_named(name())) return *named;
      fail_at(start, "expected a number, \"NaN\", \"Infinity\" or \"-Infinity\", found a different string");
    }
    default:
      expected("a number");
  }
}

std::string_view JsonReader::raw() {
  const std::size_t start = text_cursor_.seek(at_);
  const std::size_t after = tape_.next(at_);
  if (tape_.first_bare != 0) {
    for (std::size_t i = at_; i < after; i = tape_.is_container(i) ? i + 1 : tape_.next(i)) {
      if (tape_.tag(i) == JsonTape::kBare) fail_at(i, "cannot preserve a bare NaN or Infinity");
    }
  }
  text_cursor_.seek(tape_.last(at_));
  const std::size_t size = text_cursor_.end_of_token() - start;
  if (size > options_.limits.string_bytes) too_long(at_, "a value", size);
  const std::string_view text = document_.text().substr(start, size);
  if (const std::string fault = any_fault(text, options_.limits.depth); !fault.empty())
    fail_at(at_, "the value" + fault);
  at_ = after;
  return text;
}

Bytes JsonReader::bytes() {
  const std::size_t start = at_;
  auto decoded = from_base64(name());
  if (!decoded) fail_at(start, "the string is not valid base64");
  check_length(start, decoded->size());
  return *std::move(decoded);
}

void JsonReader::pass_unknown(std::size_t key, bool is_member, const std::string& complaint) {
  const std::size_t value = key + 1;
  if (unknown_fields_ == UnknownFields::keep) {
    check_length(key, tape_.string(key).size());
    at_ = value;
    unknown_.push_back({key, is_member, raw()});
    return;
  }
  const JsonTape::Tag tag = tape_.tag(value);
  const bool is_empty = tag == JsonTape::kNull || (tag == JsonTape::kString && tape_.string(value).empty()) ||
                        (tape_.is_container(value) && tape_.count(value) == 0);
  const bool may_skip =
      unknown_fields_ == UnknownFields::skip || (unknown_fields_ == UnknownFields::skip_empty && is_empty);
  if (!may_skip) document_.fail(key, complaint, {true, false});
  if (options_.skipped != nullptr) unknown_.push_back({key, is_member, {}});
  at_ = tape_.next(value);
}

void JsonReader::check_version(const SchemaIdentity& schema, std::string_view type, std::string_view field) {
  if (tag() != JsonTape::kObject) return;  // reported when it is read
  const std::size_t value = find_member(tape_, at_, field);
  const std::optional<Version> version = stated_version(tape_, value);
  if (!version) return;
  const std::string name = std::string(schema.name) + "." + std::string(type);
  if (const auto reason = why_unreadable(schema, name, *version)) fail_at(value, *reason);
  unknown_fields_ = unknown_fields_for(schema, *version, unknown_fields_);
  if (version->minor != schema.version.minor) {
    version_note_ = "; written with schema " + version_text(*version) + ", read with schema " +
                    version_text(schema.version);
  }
}

bool JsonReader::pass_left_out(std::string_view type, std::string_view name) {
  if (!left_out_.leaves_out(type, name)) return false;
  at_ = tape_.next(at_);
  return true;
}

void JsonReader::report() {
  if (options_.left_out != nullptr) *options_.left_out = left_out_.seen();
  unknown_fields_ == UnknownFields::keep ? report_preserved() : report_skipped();
}

void JsonReader::report_skipped() {
  JsonPathCursor paths(tape_);
  JsonTextCursor texts(document_.text());
  Place place{0, 1, 1};
  for (const auto& [key, is_member, text] : unknown_) {
    place = place_in_text(document_.text(), texts.seek(key), place);
    SkippedField skipped{shortened(paths.seek(key)), place};
    if (!memory_.take(1, sizeof skipped + skipped.path.size()))
      document_.fail(key, too_much_memory(options_.limits));
    options_.skipped->push_back(std::move(skipped));
  }
}

void JsonReader::report_preserved() {
  JsonPathCursor paths(tape_);
  std::vector<UnknownField> preserved;
  std::size_t last = 0;
  for (const auto& [key, is_member, text] : unknown_) {
    paths.seek(key);
    UnknownField field;
    field.path = paths.steps();
    field.is_member = is_member;
    field.name = tape_.string(key);
    // After another unknown field, it comes after the same known field.
    const std::size_t previous = paths.previous_key();
    if (previous != 0)
      field.after = previous == last ? preserved.back().after : std::string(tape_.string(previous));
    last = key;
    field.bytes = text;
    if (!memory_.take(1, memory_of(field))) document_.fail(key, too_much_memory(options_.limits));
    preserved.push_back(std::move(field));
  }
  *options_.preserved = std::move(preserved);
}

bool JsonFields::next() {
  while (in_.at() != end_) {
    const std::string_view key = in_.tape().string(in_.at());
    // The best guess: writers follow the schema's order.
    const std::size_t guess = index_ + 1;
    if (guess < count_ && fields_[guess].name == key) {
      index_ = guess;
      if (rare_) mark_seen();
    } else if (!find(key)) {
      continue;
    }
    in_.move_to(in_.at() + 1);
    if (leaves_out_ && in_.pass_left_out(type_, fields_[index_].name)) continue;
    return true;
  }
  if (rare_ || index_ + 1 != count_) check_missing();
  in_.move_to(end_ + 1);
  return false;
}

void JsonFields::leave_order() {
  if (rare_) return;
  rare_ = std::make_unique<Rare>();
  rare_->seen.resize(count_);
  for (std::size_t i = 0; i != index_ + 1; ++i) rare_->seen[i] = true;
}

bool JsonFields::find(std::string_view key) {
  leave_order();
  const JsonField* const end = fields_ + count_;
  const JsonField* const found =
      std::find_if(fields_, end, [&](const JsonField& field) { return field.name == key; });
  if (found != end) {
    index_ = static_cast<std::size_t>(found - fields_);
    mark_seen();
    return true;
  }
  const std::size_t key_at = in_.at();
  if (!rare_->skipped.insert(key).second) in_.fail_at(key_at, "duplicate key " + quoted(key));
  in_.pass_unknown(key_at, false, "unknown field " + quoted(key));
  return false;
}

void JsonFields::mark_seen() {
  if (rare_->seen[index_]) in_.fail_at(in_.at(), "duplicate key " + quoted(fields_[index_].name));
  rare_->seen[index_] = true;
}

void JsonFields::check_missing() {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = rare_ ? 0 : index_ + 1; i < count_; ++i) {
    if (!fields_[i].required || (rare_ && rare_->seen[i])) continue;
    names += (count++ == 0 ? "" : ", ") + quoted(fields_[i].name);
  }
  if (count == 0) return;
  in_.fail_at(start_, (count == 1 ? "the required field " : "the required fields ") + names +
                          (count == 1 ? " is missing" : " are missing"));
}

JsonReader::Contents JsonReader::enter(JsonTape::Tag wanted, const char* kind) {
  if (tag() != wanted) expected(kind);
  const std::size_t size = tape_.size_of(at_);
  if (size > options_.limits.container_items) fail(too_many_items(size, options_.limits));
  const std::size_t end = tape_.after(at_) - 1;
  ++at_;
  return {end, size};
}

JsonMember::JsonMember(JsonReader& in, const std::string_view* names, std::size_t count) : in_(in) {
  if (in.tag() != JsonTape::kObject) in.expected("an object with one key");
  if (const std::size_t keys = in.tape().count(in.at()); keys != 1) {
    in.fail("expected exactly one key in a union, found " + std::to_string(keys));
  }
  const std::size_t key_at = in.at() + 1;
  const std::string_view key = in.tape().string(key_at);
  const std::string_view* const found = std::find(names, names + count, key);
  if (found == names + count) {
    in.pass_unknown(key_at, true, "unknown union member " + quoted(key));
    return;
  }
  index_ = static_cast<std::size_t>(found - names);
  in.move_to(key_at + 1);
}

}  // namespace schemagen
