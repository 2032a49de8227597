// Bytes from Apache Thrift 0.17: its compiler's Python over python3-thrift, from the IDL
//
//   union SymInt {10: string as_expr; 20: i64 as_int}
//   struct Device {10: string type; 20: optional i64 index}
//   enum K {UNKNOWN = 0, POSITIONAL = 1, KEYWORD = 2}
//   struct All {10: bool b; 20: double d; 30: list<bool> lb; 40: map<string, i64> m; 50: list<i64> li;
//     60: K k; 70: SymInt s; 190: optional i64 back; 200: optional string late; 300: optional map<string,
//     bool> mb; 310: optional list<SymInt> ls; 320: optional list<list<i64>> ll; 330: optional binary bin}
//   struct Rec {10: string name; 20: optional map<string, Rec> kids}
#pragma once

#include <string_view>
#include <vector>

struct CompactVector {
  std::string_view type;
  std::string_view json;
  std::string_view hex;
};

inline const std::vector<CompactVector>& thrift_vectors() {
  static const std::vector<CompactVector> vectors = {
      {"Device", R"({"type": "cuda"})", "a8 04 63 75 64 61 00"},
      {"Device", R"({"type": "cuda", "index": 0})", "a8 04 63 75 64 61 a6 00 00"},
      {"Device", R"({"type": "cuda", "index": -1})", "a8 04 63 75 64 61 a6 01 00"},
      {"SymInt", R"({"as_int": 3})", "06 28 06 00"},
      {"SymInt", R"({"as_expr": "s0"})", "a8 02 73 30 00"},
      {"SymInt", R"({"as_int": -9223372036854775808})", "06 28 ff ff ff ff ff ff ff ff ff 01 00"},
      {"SymInt", R"({"as_int": 9223372036854775807})", "06 28 fe ff ff ff ff ff ff ff ff 01 00"},
      {"All", R"({"b": true, "d": 1.0})", "a1 a7 00 00 00 00 00 00 f0 3f 00"},
      {"All", R"({"b": false, "d": -0.0})", "a2 a7 00 00 00 00 00 00 00 80 00"},
      {"All", R"({"lb": [true, false]})", "09 3c 21 01 02 00"},
      {"All", R"({"lb": []})", "09 3c 01 00"},
      {"All", R"({"m": {}})", "0b 50 00 00"},
      {"All", R"({"m": {"a": 1}})", "0b 50 01 86 01 61 02 00"},
      {"All", R"({"li": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]})",
       "09 64 e6 00 02 04 06 08 0a 0c 0e 10 12 14 16 18 1a 00"},
      {"All", R"({"li": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]})",
       "09 64 f6 0f 00 02 04 06 08 0a 0c 0e 10 12 14 16 18 1a 1c 00"},
      {"All", R"({"k": 2})", "05 78 04 00"},
      {"All", R"({"s": {"as_int": 5}})", "0c 8c 01 06 28 0a 00 00"},
      {"All", R"({"back": 1, "late": "z"})", "06 fc 02 02 a8 01 7a 00"},
      {"All", R"({"mb": {"t": true}})", "0b d8 04 01 81 01 74 01 00"},
      {"All", R"({"ls": [{"as_int": 1}, {"as_expr": "x"}]})", "09 ec 04 2c 06 28 02 00 a8 01 78 00 00"},
      {"All", R"({"ll": [[1], []]})", "09 80 05 29 16 02 06 00"},
      {"All", R"({"bin": "AP8="})", "08 94 05 02 00 ff 00"},
      {"All", R"({"d": "NaN"})", "07 28 00 00 00 00 00 00 f8 7f 00"},
      {"Rec", R"({"name": "r", "kids": {"k": {"name": "c"}}})", "a8 01 72 ab 01 8c 01 6b a8 01 63 00 00"},
  };
  return vectors;
}
