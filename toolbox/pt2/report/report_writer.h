#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schemagen/json/json_writer.h"

namespace pt2 {

/// Writes a JSON report. Limits it to 256 MiB, because a report repeats long names of a small program.
class ReportWriter : public schemagen::JsonWriter {
 public:
  explicit ReportWriter(Punctuation punctuation = Punctuation::spaced) : JsonWriter(options(), punctuation) {}

  /// Writes text, a number, a boolean, what an optional contains or null, a list of these, an object for
  /// pairs, or anything that value() writes. Calls a function, which must write the value.
  template <class Value>
  void put(const Value& given) {
    if constexpr (std::is_invocable_v<const Value&>) {
      given();
    } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      string(given);
    } else if constexpr (std::is_same_v<Value, bool>) {
      boolean(given);
    } else if constexpr (std::is_floating_point_v<Value>) {
      floating(given);
    } else if constexpr (std::is_unsigned_v<Value>) {
      count(given);
    } else if constexpr (std::is_integral_v<Value>) {
      integer(given);
    } else if constexpr (std::is_constructible_v<bool, const Value&>) {
      if (given) put(*given);
      if (!given) null();
    } else {
      value(given);
    }
  }

  template <class Item>
  void put(const std::vector<Item>& items) {
    list(items, [&](const Item& item) { put(item); });
  }
  template <class Name, class Item>
  void put(const std::vector<std::pair<Name, Item>>& pairs) {
    map(pairs);
  }
  template <class Item>
  void put(const std::map<std::string, Item>& pairs) {
    map(pairs);
  }

  /// Takes a key, its value, the next key, and so on. The last argument can be a function that writes
  /// members.
  template <class Value, class... More>
  void members(std::string_view name, const Value& given, const More&... more) {
    key(name);
    put(given);
    members(more...);
  }
  template <class Body>
  void members(const Body& body) {
    body();
  }
  void members() {}
  template <class... Members>
  void object(const Members&... all) {
    begin('{');
    members(all...);
    end('}');
  }
  /// Writes an object with the names, which can be enumerators, and values of `pairs`.
  template <class Pairs>
  void map(const Pairs& pairs) {
    begin('{');
    for (const auto& [name, given] : pairs) {
      if constexpr (std::is_enum_v<std::remove_const_t<std::remove_reference_t<decltype(name)>>>) {
        members(name_of(name), given);
      } else {
        members(name, given);
      }
    }
    end('}');
  }
  /// Calls `write(item)`, or `write(key, value)` for a map, which must write values.
  template <class Items, class Write>
  void list(const Items& items, const Write& write) {
    begin('[');
    for (const auto& item : items) {
      if constexpr (std::is_invocable_v<const Write&, decltype(item)>) {
        write(item);
      } else {
        const auto& [name, given] = item;
        write(name, given);
      }
    }
    end(']');
  }
  template <class Items, class Write>
  void list(std::string_view name, const Items& items, const Write& write) {
    key(name);
    list(items, write);
  }
  template <class... Values>
  void values(const Values&... all) {
    (put(all), ...);
  }
  template <class... Values>
  void row(const Values&... all) {
    begin('[');
    values(all...);
    end(']');
  }

 private:
  static schemagen::JsonWriteOptions options() {
    schemagen::JsonWriteOptions limited;
    limited.limits.input_bytes = std::size_t{256} << 20;
    return limited;
  }
};

}  // namespace pt2
