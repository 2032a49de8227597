# macOS on aarch64, by zig.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(PT2_TARGET aarch64-macos.11.0)
set(PT2_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroots/macos-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
