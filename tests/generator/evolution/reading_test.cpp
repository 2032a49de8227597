#include "evolution/reading.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "evolution/compat_match.h"
#include "evolution/compat_report.h"
#include "generator/evolution/releases.h"

using generator::Flow;
using generator::Release;
using generator::Type;

namespace {

const Type& type_of(const Release& release) {
  return release.model.types[0].fields[0].type;
}

std::string lost(Flow flow, const std::string& written, const std::string& read) {
  const auto with_field = [](int minor, const std::string& type) {
    return schema(minor, kStruct + "      x: {id: 10, type: \"" + type + "\"}\n");
  };
  const Release before = with_field(0, is_backward(flow) ? written : read);
  const Release after = with_field(1, is_backward(flow) ? read : written);
  const std::vector<Release> earlier;
  const generator::History history(earlier);
  const generator::Match match = generator::match(before.model, after.model, generator::Renames::found);
  const generator::Examples examples{generator::SmallValues(before.model),
                                     generator::SmallValues(after.model)};
  const generator::Scope scope = {before, after, history, generator::Policy::full, match, examples, {}, {}};
  return loss(scope, flow, type_of(is_backward(flow) ? before : after),
              type_of(is_backward(flow) ? after : before))
      .value.value_or("none");
}

}  // namespace

TEST_CASE("the example of lost data is a value that the other readers refuse or misread") {
  CHECK(lost(Flow::new_reads_old_json, "int", "int8") == "128");
  CHECK(lost(Flow::old_reads_new_json, "int16", "int8") == "128");
  CHECK(lost(Flow::new_reads_old_json, "int8", "int") == "none");
  CHECK(lost(Flow::new_reads_old_json, "List[int]", "List[uint8]") == "[256]");
  CHECK(lost(Flow::new_reads_old_json, "int", "str") == "0");
}
