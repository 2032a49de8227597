# Writes OUTPUT, a C++ file that holds the templates of FOLDER.
# cmake -DFOLDER=templates -DOUTPUT=templates.cpp -P embed_templates.cmake
file(GLOB templates "${FOLDER}/*.mustache")
set(text "#include \"templates.h\"\n\n#include <stdexcept>\n#include <string>\n\nnamespace schemagen {\n\n")
string(APPEND text "std::string_view template_text(std::string_view name) {\n")
foreach(template IN LISTS templates)
  get_filename_component(name "${template}" NAME)
  string(REGEX REPLACE "\\.mustache$" "" name "${name}")
  file(READ "${template}" content)
  string(APPEND text "  if (name == \"${name}\") return R\"mustache(${content})mustache\";\n")
endforeach()
string(APPEND text "  throw std::logic_error(\"no template \" + std::string(name));\n}\n\n}  // namespace schemagen\n")
file(WRITE "${OUTPUT}" "${text}")
