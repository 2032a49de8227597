#!/usr/bin/env bash
# dev/platforms.sh [PLATFORM...]: builds the copies of `schemagen amalgamate` for other platforms, runs them there or in emulators
# over the programs of all releases, and compares all output with that of this machine. Installs what is missing (Debian, as root).
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
build_schemagen
case " ${*:-macos musl} " in
  *macos* | *musl*)
    find_zig
    export PT2_ZIG_PYTHON
    ;;
esac
exec python3 "$root/dev/platforms.py" "$@"
