add_library(pt2_warnings INTERFACE)
target_compile_options(pt2_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast
  # gcc 12 reports overlapping copies in "x" + std::to_string(...) by mistake (gcc bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(PT2_WARNINGS_AS_ERRORS)
  target_compile_options(pt2_warnings INTERFACE -Werror)
endif()

# A missing NAME is an error with its Debian package, and WITHOUT, the option to build without it. Other arguments go to find_package().
macro(pt2_find_package NAME DEBIAN WITHOUT)
  find_package(${NAME} ${ARGN} QUIET)
  if(NOT ${NAME}_FOUND)
    pt2_is_missing(${NAME} ${DEBIAN} "${WITHOUT}")
  endif()
endmacro()
macro(pt2_find_header VARIABLE HEADER DEBIAN WITHOUT)
  find_path(${VARIABLE} ${HEADER})
  if(NOT ${VARIABLE})
    pt2_is_missing(${HEADER} ${DEBIAN} "${WITHOUT}")
  endif()
endmacro()
function(pt2_is_missing WHAT DEBIAN WITHOUT)
  if(WITHOUT)
    string(PREPEND WITHOUT ", or do without: ")
  endif()
  message(FATAL_ERROR "${WHAT} was not found: install ${DEBIAN} (Debian's name of the package)${WITHOUT}")
endfunction()

# TARGET is a library of the package, which others know as pt2::NAME. If it is shared, the linker hides symbols outside our namespaces and
# versions the others.
include(CheckLinkerFlag)
set(PT2_SYMBOLS ${PROJECT_BINARY_DIR}/symbols.map)
configure_file(${CMAKE_CURRENT_LIST_DIR}/symbols.map.in ${PT2_SYMBOLS} @ONLY)
check_linker_flag(CXX -Wl,--version-script=${PT2_SYMBOLS} PT2_LINKER_HAS_VERSION_SCRIPTS)
function(pt2_library TARGET NAME)
  add_library(${TARGET} ${ARGN})
  add_library(pt2::${NAME} ALIAS ${TARGET})
  target_compile_features(${TARGET} PUBLIC cxx_std_17)
  target_link_libraries(${TARGET} PRIVATE $<BUILD_INTERFACE:pt2_warnings>)
  # Until 1.0, every minor version may break the ABI.
  set_target_properties(${TARGET} PROPERTIES EXPORT_NAME ${NAME} DEFINE_SYMBOL "" VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    EXPORT_PROPERTIES POSITION_INDEPENDENT_CODE)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    # A program links only the sources that it needs.
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD OFF)
  endif()
  if(PT2_LINKER_HAS_VERSION_SCRIPTS AND BUILD_SHARED_LIBS)
    target_link_options(${TARGET} PRIVATE -Wl,--version-script=${PT2_SYMBOLS})
    set_target_properties(${TARGET} PROPERTIES LINK_DEPENDS ${PT2_SYMBOLS})
  endif()
  set_property(GLOBAL APPEND PROPERTY PT2_LIBRARIES ${TARGET})
endfunction()

# -DPT2_WITH_NAME=OFF disables a library that TARGET links.
function(pt2_optional_library TARGET NAME HEADER LIBRARY WITHOUT)
  if(NOT PT2_WITH_${NAME})
    return()
  endif()
  find_path(PT2_${NAME}_INCLUDE ${HEADER})
  find_library(PT2_${NAME}_LIBRARY ${LIBRARY})
  if(NOT PT2_${NAME}_INCLUDE OR NOT PT2_${NAME}_LIBRARY)
    pt2_is_missing(lib${LIBRARY} lib${LIBRARY}-dev "-DPT2_WITH_${NAME}=OFF ${WITHOUT}")
  endif()
  target_compile_definitions(${TARGET} PRIVATE PT2_WITH_${NAME})
  target_include_directories(${TARGET} SYSTEM PRIVATE ${PT2_${NAME}_INCLUDE})
  set(installed ${LIBRARY})
  if(PT2_IS_WHEEL)
    get_filename_component(file ${PT2_${NAME}_LIBRARY} NAME)
    set(installed $<INSTALL_PREFIX>/pt2/lib/${file})
  endif()
  target_link_libraries(${TARGET} PRIVATE $<BUILD_INTERFACE:${PT2_${NAME}_LIBRARY}> $<INSTALL_INTERFACE:${installed}>)
endfunction()

# HEADER, e.g. cpp/runtime_files.h, declares NAMESPACE::runtime_files(), which runtime_files.cpp in the binary folder defines.
function(embed_files HEADER NAMESPACE)
  cmake_parse_arguments(arg "" "" "FOLDERS;DEPENDS" ${ARGN})
  get_filename_component(name ${HEADER} NAME_WE)
  list(JOIN arg_FOLDERS "," folders)
  set(script ${PROJECT_SOURCE_DIR}/generator/embed_files.cmake)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp
    COMMAND ${CMAKE_COMMAND} -DHEADER=${HEADER} -DNAMESPACE=${NAMESPACE} -DFUNCTION=${name} -DFOLDERS=${folders}
            -DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp -P ${script}
    DEPENDS ${arg_DEPENDS} ${script}
    VERBATIM)
  # clang-tidy reads unity sources before they are built.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
