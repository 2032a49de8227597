// The JSON libraries to choose from. All functions may be called from several threads at once.
#pragma once

namespace schemagen {

/// Which library parses JSON that is not read off its text (from_plain_json()). Both give the same values and
/// the same errors.
enum class JsonBackend {
  automatic,  // simdjson where this library was built with it
  simdjson,   // the same, named
  rapidjson,  // all
};

}  // namespace schemagen
