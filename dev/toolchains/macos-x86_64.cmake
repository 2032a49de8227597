# macOS on x86_64, by zig.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(PT2_TARGET x86_64-macos.11.0)
set(PT2_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroots/macos-x86_64)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
