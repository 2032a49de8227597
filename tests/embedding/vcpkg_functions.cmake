# cmake -DPORT=FOLDER -DFOLDER=OUT -DCONFIGURE=OPTIONS -P vcpkg_functions.cmake: emulates the functions that the portfile calls. Uses the
# system's dependencies, and builds only a release.
set(CURRENT_PACKAGES_DIR ${FOLDER}/installed)
file(READ ${PORT}/vcpkg.json manifest)
string(JSON VERSION GET "${manifest}" version)
string(JSON FEATURES GET "${manifest}" default-features)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_download_distfile RESULT)
  cmake_parse_arguments(arg "" "URLS;FILENAME;SHA512" "" ${ARGN})
  file(DOWNLOAD ${arg_URLS} ${FOLDER}/${arg_FILENAME} EXPECTED_HASH SHA512=${arg_SHA512})
  set(${RESULT} ${FOLDER}/${arg_FILENAME} PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive RESULT)
  cmake_parse_arguments(arg "" "ARCHIVE" "" ${ARGN})
  file(ARCHIVE_EXTRACT INPUT ${arg_ARCHIVE} DESTINATION ${FOLDER}/source)
  file(GLOB root ${FOLDER}/source/*)
  set(${RESULT} ${root} PARENT_SCOPE)
endfunction()

function(vcpkg_check_features)
  cmake_parse_arguments(arg "" "OUT_FEATURE_OPTIONS" "FEATURES" ${ARGN})
  set(options)
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature option)
    string(FIND "${FEATURES}" "\"${feature}\"" found)
    if(found EQUAL -1)
      list(APPEND options -D${option}=OFF)
    else()
      list(APPEND options -D${option}=ON)
    endif()
  endwhile()
  set(${arg_OUT_FEATURE_OPTIONS} ${options} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(arg "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  run(${CMAKE_COMMAND} -G Ninja -S ${arg_SOURCE_PATH} -B ${FOLDER}/build -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} ${arg_OPTIONS} ${CONFIGURE})
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${FOLDER}/build --target install)
endfunction()

# vcpkg's toolchain finds the CMake package one folder higher.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(arg "" "PACKAGE_NAME;CONFIG_PATH" "" ${ARGN})
  file(GLOB files ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REPLACE "/../../../" "/../../" text "${text}")
    string(REPLACE [[get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)
get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)
get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)]]
      [[get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)
get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)]] text "${text}")
    get_filename_component(name ${file} NAME)
    file(WRITE ${CURRENT_PACKAGES_DIR}/share/${arg_PACKAGE_NAME}/${name} "${text}")
  endforeach()
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/lib/cmake)
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGN})
  file(INSTALL ${arg_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/libpt2)
endfunction()

include(${PORT}/portfile.cmake)
