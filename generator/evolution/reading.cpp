#include "evolution/reading.h"

#include "evolution/likeness.h"

namespace generator {
namespace {

using Kind = Type::Kind;

/// Of numbers, without the values of losses that concern all values.
Loss loss_of_numbers(Flow flow, Kind written, Kind read) {
  const IntegerType* const writer = integer_type(written);
  const IntegerType* const reader = integer_type(read);
  if (reader != nullptr && writer == nullptr) return {Verdict::no};  // 1.0 is not an integer
  if (!is_json(flow) && writer != nullptr &&
      (reader == nullptr || bits_in_binary(*writer) > bits_in_binary(*reader)))
    return {Verdict::no};
  if (writer == nullptr)
    return written == Kind::floating && read == Kind::float32 ? Loss{Verdict::depends, "0.1"} : Loss();
  const std::int64_t most = std::int64_t{1} << (read == Kind::float32 ? 24 : 53);  // all below are exact
  const std::uint64_t max = reader == nullptr ? static_cast<std::uint64_t>(most) : reader->max;
  const std::int64_t min = reader == nullptr ? -most : reader->min;
  if (writer->max > max) return {Verdict::depends, std::to_string(max + 1)};
  if (writer->min < min) return {Verdict::depends, std::to_string(min - 1)};
  return {};
}

std::optional<std::string> lost_member(Flow flow, const Definition& written, const Definition& read) {
  for (const Field& value : written.values) {
    const Field* const named = find_named(read.values, value.name);
    const bool has_number = std::any_of(read.values.begin(), read.values.end(),
                                        [&](const Field& one) { return one.id == value.id; });
    const bool by_name = is_json(flow) && written.is_named_in_json;
    const bool is_unknown = named == nullptr;
    const bool is_lost = by_name      ? is_unknown || !read.is_named_in_json
                         : is_unknown ? !has_number && is_backward(flow)
                                      : named->id != value.id;
    if (is_lost) return value_text(written, value);
  }
  return std::nullopt;
}

struct Reading {
  const Scope& scope;
  Flow flow;
  const SmallValues& values = scope.examples.written(flow);
  const Model& writer_model = (is_backward(flow) ? scope.before : scope.after).model;
  const Model& reader_model = (is_backward(flow) ? scope.after : scope.before).model;

  Loss loss(const Type& written, const Type& read) const {
    const bool is_same =
        is_backward(flow) ? corresponds(written, read, scope.match) : corresponds(read, written, scope.match);
    if (is_same) return {};
    if (read.kind == Kind::any) return is_json(flow) ? Loss() : Loss{Verdict::no, values.of(written)};
    if (written.kind == Kind::any)
      return {is_json(flow) ? Verdict::depends : Verdict::no, read.kind == Kind::boolean ? "0" : "true"};
    if (written.kind == Kind::map && read.kind == Kind::map) return loss_of_maps(written, read);
    if (written.kind == Kind::list && read.kind == Kind::list) {
      Loss item = loss(written.args.front(), read.args.front());
      if (item.value) item.value = "[" + *item.value + "]";
      return item;
    }
    if (written.kind == Kind::string && read.kind == Kind::bytes)
      return is_json(flow) ? Loss{Verdict::no, "\"a b\""} : Loss();
    if (written.kind == Kind::bytes && read.kind == Kind::string)
      return is_json(flow) ? Loss{Verdict::no, "\"AA==\""} : Loss{Verdict::depends, "\"/w==\""};
    if (written.kind == Kind::list && read.kind == Kind::unit)
      return {Verdict::no, values.not_empty(written)};
    return loss_of_scalars(written, read);
  }

  Loss loss_of_maps(const Type& written, const Type& read) const {
    const Loss key = loss_of_keys(written, read);
    const Loss item = loss(written.args.front(), read.args.front());
    Loss map = {std::max(key.verdict, item.verdict)};
    if (key.value) {
      map.value = "{" + *key.value + ": " + values.of(written.args.front()) + "}";
    } else if (item.value) {
      map.value = "{" + values.key_of_map(written) + ": " + *item.value + "}";
    }
    return map;
  }

  Loss loss_of_keys(const Type& written, const Type& read) const {
    const Type* const key = key_of(written);
    const Type* const read_key = key_of(read);
    if (key != nullptr && read_key != nullptr) {
      Loss lost = loss(*key, *read_key);
      if (lost.value) lost.value = in_quotes(*lost.value);
      return lost;
    }
    if (key == read_key || (is_json(flow) && read_key == nullptr)) return {};
    return {is_json(flow) ? Verdict::depends : Verdict::no, values.key_of_map(written)};
  }

  /// Also of types with nothing in common.
  Loss loss_of_scalars(const Type& written, const Type& read) const {
    const Definition* const writer = enum_in(writer_model, written);
    const Definition* const reader = enum_in(reader_model, read);
    if (writer != nullptr && reader != nullptr)
      return {verdict_of_enums(written.named, read.named), lost_member(flow, *writer, *reader)};
    const bool writes_name = is_json(flow) && writer != nullptr && writer->is_named_in_json;
    const bool reads_name = is_json(flow) && reader != nullptr && reader->is_named_in_json;
    // A number without a name is written as one.
    if (writes_name && read.kind == Kind::string) return {Verdict::depends, unnamed(*writer)};
    Loss lost = {Verdict::no};
    if (reads_name && written.kind == Kind::string) lost.verdict = Verdict::depends;
    const Kind number = writer == nullptr ? written.kind : Kind::int32;
    const Kind read_number = reader == nullptr ? read.kind : Kind::int32;
    const bool is_float_of_enum = writer != nullptr && is_floating(read.kind);
    if (is_number(number) && is_number(read_number) && !writes_name && !is_float_of_enum)
      lost = loss_of_numbers(flow, number, read_number);
    if (written.kind == Kind::named && read.kind == Kind::named && have_same_files(written.named, read.named))
      return {};
    if (lost.verdict == Verdict::no || !is_number(number)) lost.value = values.of(written);
    return lost;
  }

  bool have_same_files(std::size_t written, std::size_t read) const {
    const Likeness classes = classify(writer_model, reader_model, Form::files);
    return classes.before[written] == classes.after[read];
  }

  Verdict verdict_of_enums(std::size_t written, std::size_t read) const {
    const bool is_old = is_backward(flow);
    Verdict verdict = Verdict::yes;
    for (const Finding& finding :
         compare_inside(scope, is_old ? written : read, is_old ? read : written, "enum"))
      verdict = std::max(verdict, finding.effects.*effect_on(flow));
    return verdict;
  }

  static const Definition* enum_in(const Model& model, const Type& type) {
    return model.is_enum(type) ? &model.types[type.named] : nullptr;
  }
};

}  // namespace

bool is_integer(Kind kind) {
  return integer_type(kind) != nullptr;
}

bool is_number(Kind kind) {
  return is_integer(kind) || is_floating(kind);
}

bool holds_all(Kind holder, Kind held) {
  return loss_of_numbers(Flow::new_reads_old_json, held, holder).verdict == Verdict::yes;
}

Loss loss(const Scope& scope, Flow flow, const Type& written, const Type& read) {
  return Reading{scope, flow}.loss(written, read);
}

}  // namespace generator
