#!/usr/bin/env bash
# dev/wheel.sh [--found-only] [FOLDER...]: builds the Python package's wheel, for Python 3.10 and later, in build/wheelhouse, and checks it:
# manylinux_2_34, stable ABI, less than 4 MB, or 5 MB with viewer.html, which dev/npm.sh makes and `pt2 view --app` needs. Runs
# tests/bindings/wheel_smoke.py and, on all programs of tests/data and FOLDER..., python_functions_test.py in a venv of each Python from
# 3.10 to 3.13 (on the PATH, and pyenv's). --found-only permits missing Pythons. Installs what is missing (Debian 12, as root). Exit codes:
# 0 done, 1 a check failed, 2 usage.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"

found_only=
if [ "${1-}" = --found-only ]; then
  found_only=1
  shift
fi
programs=$root/tests/data/programs:$root/tests/data/packages
for folder in "$@"; do
  [ -d "$folder" ] || { echo "wheel.sh: $folder: no such folder" >&2 && exit 2; }
  programs=$programs:$(realpath "$folder")
done

install_packages build python
unpack_packages
cd "$root/build"
find_wheel_tools
export PATH=$tools/bin:/usr/lib/ccache:$PATH

viewer=$root/build/npm/package/viewer.html
settings=()
limit=4000000
if [ -f "$viewer" ]; then
  settings=(--config-settings "cmake.define.PT2_VIEWER=$viewer")
  limit=5000000
  export PT2_VIEWER=$viewer
else
  echo "no viewer.html: the wheel is without the page of pt2 view --app, which dev/npm.sh makes"
fi
rm -rf wheelhouse wheel_raw
pip wheel --quiet --no-deps "${settings[@]}" --wheel-dir wheel_raw "$root"
auditwheel repair --plat "manylinux_2_34_$(uname -m)" --zip-compression-level 9 --wheel-dir wheelhouse wheel_raw/*.whl
wheel=$(echo wheelhouse/*.whl)
abi3audit --strict "$wheel"
size=$(stat -c %s "$wheel")
echo "$wheel: $size bytes"
[ "$size" -lt $limit ] || { echo "wheel.sh: the wheel must be under $limit bytes" >&2 && exit 1; }

unset PT2_PYTHON_PACKAGE  # the tests would take another build
not_found=
for version in 3.10 3.11 3.12 3.13; do
  python=
  for candidate in "$(command -v "python$version")" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
    if [ -x "$candidate" ] && "$candidate" -c "import venv, sys; sys.exit(sys.version_info[:2] != tuple(map(int, '$version'.split('.'))))" 2>/dev/null; then
      python=$candidate
    fi
  done
  if [ -z "$python" ]; then
    echo "CPython $version: not found, so not tested"
    not_found="$not_found $version"
    continue
  fi
  rm -rf wheel_venv
  "$python" -m venv wheel_venv
  wheel_venv/bin/pip install --quiet "$wheel[schema]"
  echo "CPython $version:"
  wheel_venv/bin/python "$root/tests/bindings/wheel_smoke.py"
  PT2_PROGRAMS=$programs wheel_venv/bin/python "$root/tests/bindings/python_functions_test.py"
done
[ -z "$not_found" ] || [ -n "$found_only" ] || { echo "wheel.sh: not found:$not_found; --found-only passes over them" >&2 && exit 1; }
