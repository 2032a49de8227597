#include "schemagen/thrift/writer.h"

#include "schemagen/base/unknown_field_places.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/thrift/reader.h"

namespace schemagen {
namespace {

using Range = UnknownFieldPlaces::Range;

class CompactUnknownFields {
 public:
  explicit CompactUnknownFields(const CompactWriter& written)
      : written_(written),
        reading_{only_depth(written.options().limits.depth)},
        in_(written.view(), written.root(), reading_),
        out_(written.root(), written.options()),
        places_(*written.options().preserved, written.unset_unions()) {}

  std::string run() {
    structure(&written_.root(), places_.all());
    if (const auto unset = places_.finish()) written_.fail_at(*unset, kUnsetUnion);
    copy_to(written_.view().size());
    out_.check_size();
    return std::string(out_.view());
  }

 private:
  void value(WireType wire, const CompactType* type, const Range& range) {
    if (range.empty()) return in_.skip(wire);
    switch (wire) {
      case WireType::structure:
        return structure(type, range);
      case WireType::list:
        return list(type, range);
      case WireType::map:
        return map(type, range);
      default:
        return in_.skip(wire);
    }
  }

  void list(const CompactType* type, const Range& range) {
    const CompactReader::Items items = in_.any_list();
    places_.check_count(range, items.count);
    for (std::uint32_t i = 0; i < items.count; ++i) {
      value(in_.item(items.type), type, places_.in_item(range, i));
    }
    in_.leave();
  }

  void map(const CompactType* type, const Range& range) {
    const CompactReader::Items items = in_.any_map();
    for (std::uint32_t i = 0; i < items.count; ++i) {
      const Range inner = items.key == WireType::binary
                              ? places_.in(range, in_.key())
                              : places_.in(range, std::to_string(in_.integer(items.key)));
      value(in_.item(items.type), type, inner);
    }
    in_.leave();
  }

  void structure(const CompactType* type, const Range& range) {
    const Range direct = places_.direct(range);
    places_.check_direct(direct, in_.offset(), true);
    const std::vector<std::size_t> by_id = sorted(direct);
    auto next = by_id.begin();
    in_.enter();
    std::int32_t last_id = 0;
    while (true) {
      const std::size_t start = in_.offset();
      const CompactReader::Header found = in_.header(last_id);
      const bool ends = found.type == WireType::stop;
      std::int32_t last_out = last_id;
      for (; next != by_id.end() && (ends || places_[*next].id <= found.id); ++next) {
        if (!ends && places_[*next].id == found.id)
          places_.fail(*next, "the value already has a field with this id");
        copy_to(start);
        put(*next, last_out);
        last_out = places_[*next].id;
      }
      if (ends) break;
      if (last_out != last_id) {
        out_.header(last_out, found.id, found.type);
        copied_ = in_.offset();
      }
      last_id = found.id;
      const CompactField* const field = type == nullptr ? nullptr : type->find(found.id);
      field == nullptr ? in_.skip(found.type)
                       : value(found.type, field->type, places_.in(range, field->name));
    }
    in_.leave();
  }

  std::vector<std::size_t> sorted(const Range& direct) const {
    std::vector<std::size_t> by_id;
    for (std::size_t i = direct.first; i != direct.last; ++i) by_id.push_back(i);
    const auto id = [this](std::size_t i) { return places_[i].id; };
    std::sort(by_id.begin(), by_id.end(), [&](std::size_t a, std::size_t b) { return id(a) < id(b); });
    for (std::size_t i = 0; i < by_id.size(); ++i) {
      if (id(by_id[i]) < 1) places_.fail(by_id[i], "expected an id in 1..32767");
      if (i != 0 && id(by_id[i]) == id(by_id[i - 1]))
        places_.fail(by_id[i], "another preserved field has the same id");
    }
    return by_id;
  }

  void put(std::size_t i, std::int32_t last_id) {
    const UnknownField& field = places_[i];
    const auto type = static_cast<WireType>(field.type);
    const BinaryReadOptions inner{only_depth(reading_.limits.depth - field.path.size() - 1)};
    try {
      CompactReader in(field.bytes, written_.root(), inner);
      in.skip(type);
      in.finish();
    } catch (const DataError& error) {
      places_.fail(i, "invalid value (" + std::string(name_of(type)) + "): " + error.reason());
    }
    out_.header(last_id, field.id, type);
    out_.bytes(field.bytes);
    places_.set_written(i);
  }

  void copy_to(std::size_t offset) {
    out_.bytes(written_.view().substr(copied_, offset - copied_));
    copied_ = offset;
  }

  const CompactWriter& written_;
  const BinaryReadOptions reading_;
  CompactReader in_;
  CompactWriter out_;
  UnknownFieldPlaces places_;
  std::size_t copied_ = 0;
};

}  // namespace

std::string with_unknown_fields(const CompactWriter& written) {
  return CompactUnknownFields(written).run();
}

}  // namespace schemagen
