# Finds libraries and headers only in PT2_SYSROOT, programs only outside.
get_filename_component(PT2_SYSROOT ${PT2_SYSROOT} ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${PT2_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
