// compact_convert to-binary|to-json: JSON and a bare compact payload, on standard input and output.
#include <pt2/binary.h>
#include <pt2/json.h>

#include <iostream>
#include <iterator>
#include <string>

#include "schemagen/base/error.h"

int main(int argc, char** argv) {
  const std::string mode = argc == 2 ? argv[1] : "";
  if (mode != "to-binary" && mode != "to-json") {
    std::cerr << "usage: compact_convert to-binary|to-json < IN > OUT\n";
    return 2;
  }
  const std::string in(std::istreambuf_iterator<char>(std::cin), {});
  try {
    if (mode == "to-binary") {
      schemagen::JsonReadOptions options;
      options.bare_nonfinite = true;
      std::cout << schemagen::to_binary(schemagen::from_json<pt2::ExportedProgram>(in, options));
    } else {
      std::cout << schemagen::to_json(schemagen::from_binary<pt2::ExportedProgram>(in));
    }
  } catch (const schemagen::DataError& error) {
    std::cerr << "compact_convert: " << error.what() << "\n";
    return 3;
  }
  return 0;
}
