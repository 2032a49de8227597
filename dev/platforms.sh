#!/usr/bin/env bash
# dev/platforms.sh [PLATFORM...]: tests the amalgamated sources (`schemagen amalgamate`) on other platforms. Builds them for each
# platform, natively or for an emulator, runs them on the programs of all releases, and compares the output with this machine's.
# `--commands` instead builds the complete pt2 and schemagen for aarch64 and windows, and compares what they print and write.
# Installs missing packages (Debian, as root). Prints a line per platform; exits with 1 if an output differs. `--list` names the
# platforms. Uses the schemagen in SCHEMAGEN_BINARY, or builds one.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"
case "${1:-}" in
  -h | --help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  --list) exec python3 "$root/dev/platforms.py" --list ;;
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
    cmake -S "$root" --preset "$platform" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
    ninja -C "$root/build/$platform" pt2 schemagen
    python3 "$root/dev/platform_commands.py" "$platform" "$root/build/$platform/bin" || failed=1
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
exec python3 "$root/dev/platforms.py" "$@"
