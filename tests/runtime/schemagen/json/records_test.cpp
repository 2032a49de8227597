#include <everything/json.h>
#include <letters_2_4/json.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "runtime/test_seed.h"
#include "schemagen/base/error.h"
#include "schemagen/base/result.h"
#include "schemagen/json/json.h"
#include "schemagen/json/records.h"

using everything::Containers;
using letters_2_4::Address;
using schemagen::Json;
using schemagen::JsonReadOptions;
using schemagen::JsonRecordReader;
using schemagen::JsonRecordWriter;

namespace {

std::vector<std::string> read_lines(const std::string& file, const JsonReadOptions& options = {}) {
  std::istringstream in(file);
  JsonRecordReader<Address> reader(in, options);
  std::vector<std::string> lines;
  for (;;) {
    try {
      const std::optional<Address> value = reader.next();
      if (!value) break;
      lines.push_back(schemagen::to_json(*value));
    } catch (const schemagen::DataError& error) {
      CHECK(error.place().line == reader.number());
      lines.emplace_back(error.what());
    }
    CHECK(reader.number() == lines.size());
  }
  CHECK(reader.number() == lines.size());
  CHECK_FALSE(reader.next());
  return lines;
}

class BrokenBuffer : public std::streambuf {
 public:
  explicit BrokenBuffer(std::string bytes) : bytes_(std::move(bytes)) {
    setg(bytes_.data(), bytes_.data(), bytes_.data() + bytes_.size());
  }

 private:
  int_type underflow() override { throw std::runtime_error("the device was removed"); }

  std::string bytes_;
};

}  // namespace

TEST_CASE("JSON Lines are read one value at a time") {
  using Lines = std::vector<std::string>;
  CHECK(read_lines("") == Lines{});
  CHECK(read_lines("{\"box\": 1}\n{\"street\": \"a\\nb\"}\n") ==
        Lines{"{\"box\": 1}", "{\"street\": \"a\\nb\"}"});
  CHECK(read_lines("{\"box\":1}\r\n  {\"box\":2}\t") == Lines{"{\"box\": 1}", "{\"box\": 2}"});
}

TEST_CASE("an error names the bad record, and the next one can be read") {
  CHECK(
      read_lines("{\"box\": 1}\n{\"box\": true}\n\n{\"box\": 4}\n {\"box\"\n{\"box\": 6} {}\n{\"box\": 7}") ==
      std::vector<std::string>{
          "{\"box\": 1}",
          "box: expected an integer, found a bool; record 2 (line 2, column 9)",
          "expected a value, found an empty line; record 3 (line 3, column 1)",
          "{\"box\": 4}",
          "box: expected ':' after the key; record 5 (line 5, column 8)",
          "there is text after the end of the document; record 6 (line 6, column 12)",
          "{\"box\": 7}",
      });
}

TEST_CASE("a file that ends within a record is an error") {
  const std::string record = "{\"street\": \"main\"}";
  for (std::size_t size = 1; size < record.size(); ++size) {
    const std::vector<std::string> lines = read_lines(record + "\n" + record.substr(0, size));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == record);
    CHECK(lines[1].find("; record 2 (line 2, column ") != std::string::npos);
  }
}

TEST_CASE("a line beyond the limit takes no memory, and the next one can be read") {
  JsonReadOptions options;
  options.limits.input_bytes = 20;
  const std::string good = "{\"box\": 1}";
  const std::string fits = "{\"box\": 1         }";
  for (const std::size_t size : {std::size_t{21}, std::size_t{5000}, std::size_t{1} << 20}) {
    const std::vector<std::string> lines = read_lines(
        fits + "\n" + std::string(size, '[') + "\n" + good + "\n" + std::string(size, '1'), options);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == good);
    CHECK(lines[1].find(" the limit") != std::string::npos);
    CHECK(lines[1].find("; record 2 (line 2, column 1)") != std::string::npos);
    CHECK(lines[2] == good);
    CHECK(lines[3].find("; record 4 (line 4, column 1)") != std::string::npos);
  }
}

TEST_CASE("lines of any length round trip, including the length of the buffer") {
  std::mt19937_64 random(test_seed());
  std::vector<std::size_t> sizes;
  for (const std::size_t size : {std::size_t{4096}, std::size_t{8192}, std::size_t{16384}}) {
    for (std::size_t less = 0; less < 90; ++less) sizes.push_back(size - less);
  }
  for (int i = 0; i < 50; ++i) sizes.push_back(random() % 70000);
  std::ostringstream out;
  JsonRecordWriter<Address> writer(out);
  std::vector<Address> values;
  for (const std::size_t size : sizes) {
    values.emplace_back().emplace<Address::street>(std::string(size, 'x'));
    writer.write(values.back());
  }
  std::istringstream in(out.str());
  JsonRecordReader<Address> reader(in);
  for (const Address& value : values) REQUIRE(reader.next() == value);
  CHECK_FALSE(reader.next());
  CHECK(reader.number() == sizes.size());
}

TEST_CASE("a record is one line, regardless of an Any's text and the options") {
  Containers value;
  value.values = {Json{"[1,\r\n 2]"}, Json{"\"\\n\""}};
  std::ostringstream out;
  JsonRecordWriter<Containers> writer(out);
  writer.write(value);
  writer.write(Containers());
  std::istringstream in(out.str());
  JsonRecordReader<Containers> reader(in);
  CHECK(reader.next()->values == std::vector<Json>{{"[1,   2]"}, {"\"\\n\""}});
  CHECK(reader.next() == Containers());
  CHECK_FALSE(reader.next());

  schemagen::JsonWriteOptions options;
  options.indent = 2;
  CHECK_THROWS_AS(JsonRecordWriter<Containers>(out, options).write(value), schemagen::UsageError);
}

TEST_CASE("a record that cannot be written leaves no output, and the error names it") {
  std::ostringstream out;
  JsonRecordWriter<Address> writer(out);
  Address value;
  value.emplace<Address::box>(1);
  writer.write(value);
  CHECK_THROWS_WITH(writer.write(Address()), "cannot write an unset union; record 2");
  const schemagen::Result<void> done = writer.try_write(Address());
  REQUIRE_FALSE(done);
  CHECK(std::string(done.failure().what()) == "cannot write an unset union; record 2");
  CHECK(writer.try_write(value));
  CHECK(out.str() == "{\"box\": 1}\n{\"box\": 1}\n");
}

TEST_CASE("records are read without exceptions, too") {
  std::istringstream in("{\"box\": 1}\n?\n");
  JsonRecordReader<Address> reader(in);
  const auto first = reader.try_next();
  REQUIRE(first);
  CHECK((*first)->get<Address::box>() == 1);
  const auto second = reader.try_next();
  REQUIRE_FALSE(second);
  CHECK(second.failure().place().line == 2);
  const auto third = reader.try_next();
  REQUIRE(third);
  CHECK_FALSE(third->has_value());
}

TEST_CASE("a failing stream is not the end of the records") {
  BrokenBuffer buffer("{\"box\": 1}\n{\"box\"");
  std::istream in(&buffer);
  JsonRecordReader<Address> reader(in);
  CHECK(reader.next());
  CHECK_THROWS_AS(reader.next(), schemagen::IoError);

  std::istringstream not_opened("{\"box\": 1}\n");
  not_opened.setstate(std::ios::failbit);
  CHECK_THROWS_AS(JsonRecordReader<Address>(not_opened).next(), schemagen::IoError);

  std::ostringstream full;
  full.setstate(std::ios::badbit);
  Address value;
  value.emplace<Address::box>(1);
  CHECK_THROWS_WITH(JsonRecordWriter<Address>(full).write(value), "cannot write record 1");

  std::istringstream throws("{\"box\": 1}\n");
  throws.exceptions(std::ios::failbit);
  CHECK_THROWS_AS(JsonRecordReader<Address>(throws).next(), schemagen::UsageError);
}
