# Writes OUTPUT, which defines NAMESPACE::FUNCTION. HEADER declares this function, which returns file contents by name.
#   cmake -DHEADER=cpp/runtime_files.h -DNAMESPACE=generator -DFUNCTION=runtime_files -DFOLDERS=NAME=FOLDER,... -DOUTPUT=runtime_files.cpp
#   -P embed_files.cmake
# A file in a folder, at any depth, is called NAME/ followed by its path in the folder, or only the path if NAME
# is empty. If FOLDER is a file, it is called NAME.
set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
string(APPEND text "const std::map<std::string_view, std::string_view>& ${FUNCTION}() {\n")
string(APPEND text "  static const std::map<std::string_view, std::string_view> files = {\n")

function(embed NAME PATH)
  string(REGEX REPLACE "\\.mustache$" "" name "${NAME}")
  get_property(names GLOBAL PROPERTY embedded_names)
  list(FIND names "${name}" found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "${PATH}: another embedded file is also called ${name}")
  endif()
  set_property(GLOBAL APPEND PROPERTY embedded_names ${name})
  file(READ "${PATH}" content)
  set(text "${text}      {\"${name}\", R\"file(${content})file\"},\n" PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" folders "${FOLDERS}")
foreach(folder IN LISTS folders)
  string(REGEX MATCH "^([^=]*)=(.*)$" matched "${folder}")
  set(name "${CMAKE_MATCH_1}")
  set(path "${CMAKE_MATCH_2}")
  if(EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
    embed("${name}" "${path}")
    continue()
  endif()
  if(name)
    string(APPEND name "/")
  endif()
  file(GLOB_RECURSE files RELATIVE "${path}" "${path}/*")
  foreach(file IN LISTS files)
    if(NOT file MATCHES "CMakeLists.txt$")
      embed("${name}${file}" "${path}/${file}")
    endif()
  endforeach()
endforeach()

string(APPEND text "  };\n  return files;\n}\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${text}")
