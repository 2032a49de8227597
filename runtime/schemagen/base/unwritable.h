#pragma once

namespace schemagen {

constexpr char kUnsetUnion[] = "cannot write an unset union";
constexpr char kNoPlaceForUnknown[] =
    "UnknownFields::keep requires `preserved`, which receives the unknown fields";
constexpr char kBadUtf8[] = "the string is not valid UTF-8";
constexpr char kAnyText[] = "the text of an Any";

}  // namespace schemagen
