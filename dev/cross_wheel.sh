#!/usr/bin/env bash
# dev/cross_wheel.sh PLATFORM...: builds wheels of the Python package for aarch64, windows, musl, macos-aarch64 and macos-x86_64 in
# build/wheelhouse, and checks their use of the stable ABI. Runs python_functions_test.py with the aarch64 wheel in qemu (CPython 3.11) and
# the windows wheel in wine (CPython 3.13); the others cannot run here. Needs CPython 3.12 or 3.13, on the PATH or from pyenv. Installs what
# is missing (Debian, as root).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"
[ $# -gt 0 ] || usage

install_packages build python
unpack_packages
find_wheel_tools
python=
for candidate in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[23].*/bin/python "$(command -v python3.12)" "$(command -v python3.13)"; do
  if "$candidate" -c "import venv" 2>/dev/null; then python=$candidate; fi
done
[ -n "$python" ] || { echo "cross_wheel.sh: expected CPython 3.12 or 3.13, got none; install one" >&2 && exit 1; }
mkdir -p "$root/build/wheelhouse"

# COMMAND... is a Python; $installed is the unpacked wheel.
run_functions_test() {
  env -u PT2_PYTHON_PACKAGE PYTHONPATH="$installed" PYTHONDONTWRITEBYTECODE=1 "$@" "$root/tests/bindings/python_functions_test.py" </dev/null
}

for platform in "$@"; do
  "$root/dev/sysroot.sh" "$platform"
  sysroot=$root/build/sysroots/$platform
  include=$("$python" -c "import sysconfig; print(sysconfig.get_path('include'))")
  settings=(--config-settings "build-dir=build/$platform")
  define() { settings+=(--config-settings "cmake.define.$1=$2"); }
  define CMAKE_TOOLCHAIN_FILE "$root/dev/toolchains/$platform.cmake"
  raw=$root/build/wheel_raw/$platform
  rm -rf "$raw"
  mkdir -p "$raw"
  [ "$platform" = windows ] || define Python_INCLUDE_DIR "$include"
  abi=cp310-abi3
  case $platform in
    # No nanobind-backend for these compilers: the one for a Mac could not catch exceptions of zig's own libc++abi.
    windows | musl | macos-*)
      abi=cp312-abi3
      define SCHEMAGEN_LINK_NANOBIND ON
      settings+=(--config-settings wheel.py-api=cp312)
      ;;
  esac
  case $platform in
    aarch64) tag=manylinux_2_34_aarch64 ;;
    musl) tag=musllinux_1_2_x86_64 ;;
    windows)
      tag=win_amd64
      cp -r "$include" "$raw/include"
      cp "$sysroot/python/pyconfig.h" "$raw/include"
      define Python_INCLUDE_DIR "$raw/include"
      define Python_LIBRARY "$sysroot/python/libpython3.dll.a"
      define Python_SABI_LIBRARY "$sysroot/python/libpython3.dll.a"
      define SKBUILD_SOSABI ""
      define CMAKE_EXE_LINKER_FLAGS "-static -Wl,--gc-sections"
      ;;
    macos-aarch64) tag=macosx_11_0_arm64 ;;
    macos-x86_64) tag=macosx_11_0_x86_64 ;;
  esac
  # zig strips: this machine's strip does not know the files.
  case $platform in macos-*) define CMAKE_EXE_LINKER_FLAGS -Wl,-x ;; esac

  "$python" -m pip wheel --quiet --no-deps "${settings[@]}" --wheel-dir "$raw/built" "$root"
  wheel=$(echo "$raw"/built/*.whl)
  if [ "$abi" = cp312-abi3 ]; then
    # nanobind is inside.
    "$tools/bin/wheel" unpack --dest "$raw/unpacked" "$wheel"
    sed -i '/^Requires-Dist: nanobind-backend/d; s/^Requires-Python: .*/Requires-Python: >=3.12/' "$raw"/unpacked/*/*.dist-info/METADATA
    "$tools/bin/wheel" pack --dest-dir "$raw/built" "$raw"/unpacked/* >/dev/null
  fi
  # auditwheel supports only this machine's architecture and C library. The libraries come from the Debian release of dev/wheel.sh.
  mv "$raw/built/$("$tools/bin/wheel" tags --remove --platform-tag "$tag" "$wheel")" "$root/build/wheelhouse"
  wheel=$(echo "$root"/build/wheelhouse/*-"$abi-$tag".whl)
  "$tools/bin/abi3audit" --strict "$wheel"
  echo "$wheel: $(stat -c %s "$wheel") bytes"

  installed=$raw/installed
  "$python" -m zipfile -e "$wheel" "$installed"
  case $platform in
    aarch64)
      "$python" -m pip install --quiet --no-deps --only-binary :all: --platform manylinux_2_28_aarch64 --python-version 3.11 --target "$installed" \
        nanobind-backend
      run_functions_test qemu-aarch64 -L "$sysroot/python" "$sysroot/python/usr/bin/python3.11"
      ;;
    windows)
      # The embeddable Python ignores PYTHONPATH.
      printf 'python313.zip\n.\n%s\n' "Z:${installed//\//\\}" >"$sysroot/python/python313._pth"
      export WINEPREFIX=$root/build/platforms/home/wine WINEDEBUG=-all
      mkdir -p "$WINEPREFIX"
      run_functions_test /usr/lib/wine/wine64 "$sysroot/python/python.exe" 2>&1 | cat  # prints only to pipes
      ;;
    *) echo "$platform: not run" ;;
  esac
done
