#include "schemagen/base/quote.h"

#include <catch2/catch.hpp>
#include <string>

#include "schemagen/base/error.h"
#include "schemagen/base/value_path.h"

using schemagen::printable;

TEST_CASE("a name is in single quotes, with its quotes and backslashes escaped") {
  CHECK(schemagen::quoted("models/a.json") == "'models/a.json'");
  CHECK(schemagen::quoted("it's \"a\\b\"") == R"('it\'s "a\\b"')");
  CHECK(schemagen::quoted("") == "''");
}

TEST_CASE("what steers a terminal, cannot be seen or is not UTF-8 is escaped") {
  CHECK(schemagen::quoted(std::string("\x1b[31m\n\r\t\0\xff\x7f", 11)) == R"('\x1b[31m\n\r\t\x00\xff\x7f')");
  CHECK(schemagen::quoted("\u0085\u202e\u2066\u061c\u200b\ufeff") ==
        R"('\x85\u202e\u2066\u061c\u200b\ufeff')");
  CHECK(schemagen::quoted("\U000e0041\U000e0fff") == R"('\U000e0041\U000e0fff')");
  CHECK(schemagen::quoted("größe 名 😀") == "'größe 名 😀'");
}

TEST_CASE("a long name is cut after 100 bytes, between two characters") {
  CHECK(schemagen::quoted(std::string(100, 'a')) == "'" + std::string(100, 'a') + "'");
  CHECK(schemagen::quoted(std::string(101, 'a')) == "'" + std::string(100, 'a') + "...'");
  CHECK(schemagen::quoted(std::string(99, 'a') + "ß") == "'" + std::string(99, 'a') + "...'");
  CHECK(schemagen::quoted(std::string(97, 'a') + "😀") == "'" + std::string(97, 'a') + "...'");
  CHECK(schemagen::quoted(std::string(97, 'a') + "\x80\x80\x80\x80\x80") ==
        "'" + std::string(97, 'a') + R"(\x80\x80\x80...')");
}

TEST_CASE("text that is not cut keeps all of itself") {
  CHECK(printable(std::string(5000, 'a')) == std::string(5000, 'a'));
  CHECK(printable("a\"b\x1b", "\"") == R"(a\"b\x1b)");
}

TEST_CASE("the keys of a path are printable and cut") {
  std::string path = "graph";
  schemagen::append_key(path, "a \"key\" \x1b");
  CHECK(path == R"(graph["a \"key\" \x1b"])");
  path.clear();
  schemagen::append_key(path, std::string(300, 'k'));
  CHECK(path == std::string(100, 'k') + "...");
}

TEST_CASE("what an error says holds a few hundred bytes of a path, whose middle is left out") {
  std::string path;
  for (int i = 0; i < 200; ++i) schemagen::append_key(path, "é" + std::string(70, 'a'));
  const schemagen::DataError error("expected a string", path);
  const std::string what = error.what();
  CHECK(what.size() < 300);
  CHECK(what.substr(0, 6) == path.substr(0, 6));
  CHECK(what.find("...") != std::string::npos);
  CHECK(what.find("aaa\"]: expected a string") != std::string::npos);
  CHECK(error.path() == path);
}

TEST_CASE("one type catches whatever this library throws") {
  CHECK_THROWS_AS(throw schemagen::DataError("x"), schemagen::Error);
  CHECK_THROWS_AS(throw schemagen::IoError("x"), schemagen::Error);
  CHECK_THROWS_AS(throw schemagen::UsageError("x"), schemagen::Error);
}
