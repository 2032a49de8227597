#!/usr/bin/env bash
# tests/platforms/platforms.sh [PLATFORM...]: builds the amalgamated sources (`schemagen amalgamate`) for other platforms, runs them, natively or
# emulated, on the programs of all releases, and compares the output with this machine's. `--commands` instead compares the complete pt2 and
# schemagen for aarch64 and windows. Prints a line per platform; exits with 1 if an output differs. `--list` names the platforms. Installs
# missing packages (Debian, as root). Uses or builds SCHEMAGEN_BINARY.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/dev/install.sh"
case "${1:-}" in
  -h | --help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  --list) exec python3 "$root/tests/platforms/platforms.py" --list ;;
esac
install_packages platforms
if [ "${1:-}" = --commands ]; then
  shift
  commands=${*:-aarch64 windows}
  build_command schemagen
  build_command pt2
  failed=0
  for platform in $commands; do
    "$root/dev/sysroot.sh" "$platform"
    # dev/cross_wheel.sh leaves other options in the same folder.
    cmake -S "$root" --preset "$platform" --fresh -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
    ninja -C "$root/build/$platform" pt2 schemagen
    python3 "$root/tests/platforms/platform_commands.py" "$platform" "$root/build/$platform/bin" || failed=1
  done
  exit $failed
fi
build_command schemagen
case " ${*:-macos musl} " in
  *macos* | *musl*)
    find_zig
    export PT2_ZIG_PYTHON
    ;;
esac
exec python3 "$root/tests/platforms/platforms.py" "$@"
