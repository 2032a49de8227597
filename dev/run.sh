#!/usr/bin/env bash
# dev/run.sh [FILE]: installs what is missing (Debian, as root), builds a release, regenerates the codecs, and shows FILE, an exported
# program (.pt2 or its .json); default: test data.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"

case "${1:-}" in -?*) echo "run.sh: unknown option $1; usage: dev/run.sh [FILE]" >&2 && exit 2 ;; esac
file=${1:-$root/tests/data/programs/torch-2.13.0/cond.pt2}

install_packages build
build=$root/build/release
unpack_packages || true  # pages then lack pictures, as CMake warns
if [ ! -f "$build/build.ninja" ]; then
  (cd "$root" && cmake --preset release -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null)
fi
ninja -C "$build" --quiet generate
ninja -C "$build" --quiet
echo "built $build/bin/pt2 and $build/bin/schemagen"
echo
"$build/bin/pt2" info "$file"
echo
"$build/bin/pt2" show "$file"
