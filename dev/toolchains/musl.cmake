# Linux x86-64 with musl, by zig.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(PT2_TARGET x86_64-linux-musl)
set(PT2_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroots/musl)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
