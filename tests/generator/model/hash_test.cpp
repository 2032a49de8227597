
#include <catch2/catch.hpp>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/diagnostics.h"
#include "front/resolve.h"
#include "model/canonical.h"

using generator::Form;
using generator::form_of;
using generator::hash_matches;
using generator::is_hash;
using generator::Model;
using generator::normal_form;

namespace {

const std::string kHash = "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

Model with_roots(const std::string& roots) {
  generator::Diagnostics diagnostics(
      "s.yaml", "name: s\nversion: {major: 1, minor: 0}\nconstants: {N: 1}\nroots: " + roots +
                    "\ntypes:\n"
                    "  A: {kind: struct, fields: {a: {id: 1, type: int}}}\n"
                    "  B: {kind: struct, fields: {b: {id: 2, type: A}}}\n");
  auto model = generator::load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model);
  return *std::move(model);
}

}  // namespace

TEST_CASE("the form covers the whole schema, a root or a projection") {
  const Model model = with_roots("[B]");
  CHECK(normal_form(model) == "nsf 1\nconst N 1\nstruct A\n1 a i64\nstruct B\n2 b A\n");
  CHECK(form_of(model, 0, Form::schema) == "nsf 1\nstruct A\n1 a i64\n");
  CHECK(form_of(model, 1, Form::binary) == "nsf-bin 1\nstruct T0\n2 T1\nstruct T1\n1 i64\n");
  CHECK(form_of(model, 1, Form::json) == "nsf-json 1\nstruct T0\nb T1\nstruct T1\na i64\n");
}

TEST_CASE("a hash is 16 to 64 hexadecimal digits, with or without its algorithm") {
  CHECK(is_hash(kHash));
  CHECK(is_hash("0011223344556677"));
  CHECK(is_hash("sha256:0011223344556677"));
  CHECK(is_hash("00112233445566778899AABBCCDDEEFF"));
  for (const char* text : {"", "sha256:", "001122334455667", "sha256:001122334455667", "0x11223344556677",
                           "001122334455667g", "sha1:0011223344556677", "0011223344556677 "}) {
    INFO(text);
    CHECK_FALSE(is_hash(text));
  }
  CHECK_FALSE(is_hash(kHash + "0"));
}

TEST_CASE("a hash matches its own beginning, in either case") {
  CHECK(hash_matches(kHash, kHash));
  CHECK(hash_matches(kHash, kHash.substr(7)));
  CHECK(hash_matches(kHash, "0011223344556677"));
  CHECK(hash_matches(kHash, "sha256:00112233445566778899AABBCC"));
  CHECK_FALSE(hash_matches(kHash, "1011223344556677"));
  CHECK_FALSE(hash_matches(kHash, "0011223344556678"));
}
