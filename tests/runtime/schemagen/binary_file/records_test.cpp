#include <everything/binary.h>
#include <letters_2_4/binary.h>
#include <letters_2_5/binary.h>
#include <letters_3_0/binary.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/hex.h"
#include "schemagen/base/error.h"
#include "schemagen/binary_file/binary_file.h"
#include "schemagen/binary_file/records.h"

using schemagen::BinaryReadOptions;
using schemagen::BinaryRecordReader;
using schemagen::BinaryRecordWriter;

namespace {

letters_2_4::Address box(std::int64_t number) {
  letters_2_4::Address value;
  value.emplace<letters_2_4::Address::box>(number);
  return value;
}

std::string file_of_boxes(std::int64_t count) {
  std::ostringstream out;
  BinaryRecordWriter<letters_2_4::Address> writer(out);
  for (std::int64_t i = 0; i < count; ++i) writer.write(box(i));
  return out.str();
}

std::vector<std::string> read_boxes(const std::string& file, const BinaryReadOptions& options = {}) {
  std::istringstream in(file);
  BinaryRecordReader<letters_2_4::Address> reader(in, options);
  std::vector<std::string> found;
  try {
    while (const auto value = reader.next())
      found.push_back(std::to_string(value->get<letters_2_4::Address::box>()));
  } catch (const schemagen::DataError& error) {
    CHECK(error.place().offset);
    CHECK(*error.place().offset <= file.size());
    found.emplace_back(error.what());
  }
  return found;
}

using Found = std::vector<std::string>;

}  // namespace

TEST_CASE("a file of records is a header, and each value after its length") {
  const std::string none = file_of_boxes(0);
  const schemagen::BinaryFile opened(schemagen::kAnySchema, none, {});
  CHECK(opened.header().root == "letters.Address");
  CHECK(opened.payload().empty());
  const std::string file = file_of_boxes(2);
  CHECK(file.substr(0, none.size()) == none);
  CHECK(to_hex(file.substr(none.size())) == "04 06 28 00 00 04 06 28 02 00");
}

TEST_CASE("records round trip one at a time, even large ones") {
  std::ostringstream out;
  BinaryRecordWriter<letters_2_4::Address> writer(out);
  std::vector<letters_2_4::Address> values;
  for (const std::size_t size : std::vector<std::size_t>{0, 100, 130, 20000, 65536, 300000, 1}) {
    values.emplace_back().emplace<letters_2_4::Address::street>(std::string(size, 'x'));
    writer.write(values.back());
  }
  std::istringstream in(out.str());
  BinaryRecordReader<letters_2_4::Address> reader(in);
  for (const auto& value : values) CHECK(reader.next() == value);
  CHECK_FALSE(reader.next());
  CHECK_FALSE(reader.next());
  CHECK(reader.number() == values.size());
  CHECK(reader.header().schema_minor == 4);
  CHECK(read_boxes(file_of_boxes(0)) == Found{});
}

TEST_CASE("a file may end between two records but not within one") {
  const std::string none = file_of_boxes(0);
  const std::string file = file_of_boxes(2);
  for (std::size_t size = 0; size < file.size(); ++size) {
    CAPTURE(size);
    const Found found = read_boxes(file.substr(0, size));
    const std::string last = found.empty() ? "" : found.back();
    if (size < none.size()) {
      CHECK(found.size() == 1);
      CHECK(last.find(" (byte ") != std::string::npos);
    } else if (size == none.size()) {
      CHECK(found.empty());
    } else if (size < none.size() + 5) {
      CHECK(found ==
            Found{"expected a record of 4 bytes, found " + std::to_string(size - none.size() - 1) +
                  " before the end of the file; record 1 (byte " + std::to_string(none.size()) + ")"});
    } else {
      CHECK(found.front() == "0");
      CHECK(found.size() == (size == none.size() + 5 ? 1 : 2));
    }
  }
}

TEST_CASE("the record after one with a bad payload can be read") {
  std::string file = file_of_boxes(3);
  const std::size_t second = file_of_boxes(1).size();
  file[second + 2] = '\x2a';
  std::istringstream in(file);
  BinaryRecordReader<letters_2_4::Address> reader(in);
  CHECK(reader.next() == box(0));
  const auto failed = reader.try_next();
  REQUIRE_FALSE(failed);
  CHECK(failed.failure().reason() == "unknown union member id 21; record 2");
  CHECK(failed.failure().path() == "#21");
  const std::size_t offset = failed.failure().place().offset.value();
  CHECK((offset > second && offset < second + 5));
  const auto last = reader.try_next();
  REQUIRE(last);
  CHECK(*last == box(2));
  CHECK(reader.number() == 3);
}

TEST_CASE("no record can be read after a wrong length") {
  const std::string none = file_of_boxes(0);
  const std::string at = "; record 1 (byte " + std::to_string(none.size()) + ")";
  BinaryReadOptions options;
  options.limits.input_bytes = 100;
  const std::pair<std::string, std::string> cases[] = {
      {"\x65", "a record of 101 bytes, over the limit of 100"},
      {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
       "a record of 18446744073709551615 bytes, over the limit of 100"},
      {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "the length of a record does not fit in 64 bits"},
      {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "the length of a record does not fit in 64 bits"},
      {"\x83", "the file ends within the length of a record"},
      {"\x50\x26", "expected a record of 80 bytes, found 1 before the end of the file"},
  };
  for (const auto& [bytes, message] : cases) {
    CAPTURE(message);
    std::istringstream in(none + bytes);
    BinaryRecordReader<letters_2_4::Address> reader(in, options);
    CHECK_THROWS_WITH(reader.next(), message + at);
    CHECK(reader.next() == std::nullopt);
    CHECK(reader.number() == 1);
  }
  std::istringstream no_file("PT2");
  BinaryRecordReader<letters_2_4::Address> reader(no_file);
  CHECK_THROWS_AS(reader.next(), schemagen::DataError);
  CHECK(reader.next() == std::nullopt);
  CHECK(read_boxes(none + std::string(1, '\0'))[0].find("; record 1 (byte ") != std::string::npos);
  // Long varints are accepted, as in protobuf.
  CHECK(read_boxes(none + std::string("\x84\x80\x00\x06\x28\x02\x00", 7)) == Found{"1"});
}

TEST_CASE("a claimed length takes no memory") {
  BinaryReadOptions options;
  options.limits.input_bytes = std::size_t{1} << 62;
  const std::string none = file_of_boxes(0);
  const Found found = read_boxes(none + std::string("\x80\x80\x80\x80\x80\x80\x80\x80\x40\x26", 10), options);
  REQUIRE(found.size() == 1);
  CHECK(found[0].find("expected a record of 4611686018427387904 bytes, found 1 before the end of the file") ==
        0);
}

TEST_CASE("files of one value and of records are distinguished") {
  const auto last_of = [](const std::string& file) { return read_boxes(file).back(); };
  const std::string one = schemagen::to_binary_file(box(7));
  CHECK(last_of(one) == "expected a file of records, got a file with one value (byte 42)");
  CHECK_THROWS_WITH(schemagen::from_binary_file<letters_2_4::Address>(file_of_boxes(2)),
                    "expected a file with one value, got a file of records (byte 42)");
  CHECK(last_of("").find("not a schemagen file") == 0);
  CHECK(last_of("{\"box\": 7}").find("not a schemagen file") == 0);
  std::string damaged = file_of_boxes(1);
  damaged[20] = 'x';
  CHECK(last_of(damaged).find("checksum mismatch") == 0);
}

TEST_CASE("files of records check versions once, like files of one value") {
  letters_2_5::Letter next;
  next.text = "hello";
  next.to.emplace<letters_2_5::Address::box>(7);
  std::ostringstream out;
  BinaryRecordWriter<letters_2_5::Letter> writer(out);
  writer.write(next);
  writer.write(next);
  std::istringstream newer(out.str());
  std::vector<schemagen::SkippedField> skipped;
  BinaryReadOptions options;
  options.skipped = &skipped;
  BinaryRecordReader<letters_2_4::Letter> reader(newer, options);
  CHECK(reader.next()->text == "hello");
  CHECK(reader.next()->text == "hello");
  CHECK_FALSE(reader.next());
  CHECK(reader.header().schema_minor == 5);

  std::istringstream again(out.str());
  BinaryRecordReader<letters_3_0::Letter> other(again);
  CHECK_THROWS_WITH(other.next(),
                    Catch::StartsWith("cannot read 'letters.Letter' of schema 2.5 with code for schema 3.0"));
  std::istringstream boxes(file_of_boxes(1));
  BinaryRecordReader<letters_2_4::Letter> letters(boxes);
  CHECK_THROWS_WITH(letters.next(),
                    Catch::StartsWith("expected a value of type 'letters.Letter', got 'letters.Address'"));
}

TEST_CASE("newer fields of each record are preserved and written to the next file") {
  letters_2_5::Letter next;
  next.text = "hello";
  next.to.emplace<letters_2_5::Address::box>(7);
  std::ostringstream out;
  BinaryRecordWriter<letters_2_5::Letter> writer(out);
  for (const char* text : {"a", "b"}) {
    next.text = text;
    writer.write(next);
  }
  std::istringstream in(out.str());
  std::vector<schemagen::UnknownField> kept;
  BinaryReadOptions reading;
  reading.unknown_fields = schemagen::UnknownFields::keep;
  reading.preserved = &kept;
  BinaryRecordReader<letters_2_4::Letter> reader(in, reading);
  std::optional<letters_2_4::Letter> letter = reader.next();

  std::ostringstream copy;
  schemagen::BinaryFileWriteOptions writing;
  writing.payload.preserved = &kept;
  CHECK_THROWS_AS(BinaryRecordWriter<letters_2_4::Letter>(copy, writing), schemagen::UsageError);
  writing.written_by = &reader.header();
  BinaryRecordWriter<letters_2_4::Letter> copier(copy, writing);
  for (; letter; letter = reader.next()) copier.write(*letter);
  CHECK(copy.str() == out.str());
}

TEST_CASE("a write error names the record, which leaves no output") {
  std::ostringstream out;
  BinaryRecordWriter<letters_2_4::Address> writer(out);
  writer.write(box(0));
  CHECK_THROWS_WITH(writer.write({}), "cannot write an unset union; record 2");
  CHECK_FALSE(writer.try_write({}));
  writer.write(box(1));
  CHECK(out.str() == file_of_boxes(2));

  schemagen::BinaryFileWriteOptions options;
  options.compression = schemagen::Compression::zstd;
  CHECK_THROWS_AS(BinaryRecordWriter<letters_2_4::Address>(out, options), schemagen::UsageError);
  out.setstate(std::ios::badbit);
  CHECK_THROWS_WITH(writer.write(box(2)), "cannot write record 3");
}
