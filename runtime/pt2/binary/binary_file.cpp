#include "pt2/binary/binary_file.h"

#include "pt2/schema_info.h"
#include "pt2/versions/version.h"

namespace pt2 {

std::optional<std::string> detail::why_unreadable_file(const schemagen::Version& version) {
  return why_unreadable({version.major, version.minor}, Encoding::binary);
}

bool is_own_schema(const BinaryFileHeader& header) {
  return header.schema_id == kSchema.id;
}

}  // namespace pt2
