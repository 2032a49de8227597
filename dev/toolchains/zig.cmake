# PT2_TARGET is zig's name for the target; dev/sysroot.sh makes the libraries and compilers.
set(CMAKE_C_COMPILER ${PT2_SYSROOT}/bin/cc)
set(CMAKE_CXX_COMPILER ${PT2_SYSROOT}/bin/c++)
set(CMAKE_AR ${PT2_SYSROOT}/bin/ar)
set(CMAKE_RANLIB ${PT2_SYSROOT}/bin/ranlib)
# By default, zig adds debugging information, with the paths of this machine. nanobind uses stderr without including its header.
set(CMAKE_C_FLAGS_INIT -g0)
set(CMAKE_CXX_FLAGS_INIT "-g0 -include cstdio")
include(${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake)
