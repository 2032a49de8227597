#!/usr/bin/env bash
# dev/platforms.sh [PLATFORM...]: builds the copies of `schemagen amalgamate` for other platforms, runs them there or in emulators
# over the programs of all releases, and compares all output with that of this machine. Installs what is missing (Debian, as root).
# `--commands` builds the complete pt2 and schemagen instead, for aarch64 and windows, and compares what they print and write.
# Prints a line per platform; exit code 1 if one differs. `--list` names the platforms. Needs schemagen in SCHEMAGEN_BINARY, else
# builds it.
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
