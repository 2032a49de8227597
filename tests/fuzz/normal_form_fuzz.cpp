// libFuzzer: a normal form is refused with one error, or read to a schema that has that normal form.
#include <cstdint>
#include <optional>
#include <string>

#include "evolution/normal_form_reader.h"
#include "fault.h"
#include "model/canonical.h"
#include "schemagen/value/quote.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  generator::Diagnostics diagnostics("form", std::string(reinterpret_cast<const char*>(data), size));
  const std::optional<generator::Model> model = generator::read_normal_form(diagnostics);
  require(model.has_value() == !diagnostics.has_errors(), "a schema or an error");
  for (const generator::Diagnostic& diagnostic : diagnostics.all())
    stop_at(message_fault(schemagen::printable(diagnostic.message), Lines::many));
  require(!has_control_characters(diagnostics.render(), Lines::many), "an error can be shown");
  if (!model) return 0;
  require(generator::normal_form(*model) == diagnostics.text(),
          "the normal form of what was read is the text");
  for (std::size_t type = 0; type < model->types.size(); ++type) {
    generator::json_form(*model, type);
    generator::binary_form(*model, type);
  }
  return 0;
}
