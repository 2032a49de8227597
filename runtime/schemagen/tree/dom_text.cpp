#include "schemagen/tree/dom_value.h"

#include <algorithm>

namespace schemagen {
namespace {

const char* copy_of(std::string_view text) {
  char* const bytes = new char[text.size()];
  std::copy(text.begin(), text.end(), bytes);
  return bytes;
}

}  // namespace

DomText::DomText(std::string_view text) : DomText({copy_of(text), text.size()}, true) {}

DomText::~DomText() {
  if (is_owned_) delete[] bytes_;
}

}  // namespace schemagen
