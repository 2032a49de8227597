# By Debian's cross compiler, with libraries from dev/sysroot.sh.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
set(PT2_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroots/aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake)
