#!/usr/bin/env bash
# dev/test.sh [--all] [--random]: installs what is missing (Debian, as root) and runs the tests. The last line counts them; exit codes: 0
# all passed, 1 one failed, 2 usage.
#
# Without options, tests that take minutes: formatting, a release build by g++ (C++17) without most generated code, whether clang++ accepts
# the copied library, `ctest -L unit`, and, if torch 2.13.0 is installed, whether it loads files written by pt2.
#
# --all      what continuous integration runs, each test once: formatting; clang-tidy; a release build by g++ (C++17) with tests of the
#            commands, the Python package, other projects, and against torch, which is installed; shared libraries; a sanitizer
#            build by clang++ (C++20) with the C++ tests, the fuzz targets and commands on hostile input; a threaded program under
#            ThreadSanitizer. dev/nightly.sh runs the rest. Recipes for package managers and a Mac are tested if they changed in the
#            last 20 commits
# --random   other random numbers; the seed is printed, and PT2_TEST_SEED=SEED repeats it
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"
all=false
for option in "$@"; do
  case $option in
    --all) all=true ;;
    --random) export PT2_TEST_SEED=$(($(od -An -N4 -tu4 /dev/urandom))) ;;
    *)
      echo "test.sh: unknown option $option; usage: dev/test.sh [--all] [--random]" >&2
      exit 2
      ;;
  esac
done
cd "$root"

install_packages build test
unpack_packages || exit
# Installs tools of the full build and its tests beside the first steps.
if $all; then
  {
    install_packages python all wasm platforms
    find_torch &
    torch=$!
    find_model_tools || echo "the generators of models cannot be installed: every_type_test skips what needs them"
    find_zig || { echo "ziglang cannot be installed: mac_page_test is skipped" && rm -rf build/zig; }
    wait $torch
  } &
  preparation=$!
fi
echo "PT2_TEST_SEED=${PT2_TEST_SEED:=1}"
export PT2_TEST_SEED
results=$root/build/test/results
rm -rf "$results"
mkdir -p "$results"

step() {
  local name=$1
  shift
  local start=$SECONDS
  echo "== $name"
  if "$@" >"$results/$name.log" 2>&1; then
    echo "passed" >"$results/$name.step"
  else
    echo "failed" >"$results/$name.step"
    tail -n 60 "$results/$name.log"
  fi
  echo "   $name $(cat "$results/$name.step") in $((SECONDS - start)) s"
  [ "$(cat "$results/$name.step")" = passed ]
}

check_format() {
  git ls-files -co --exclude-standard -- '*.cpp' '*.h' ':!generated' ':!tests/golden' | xargs clang-format-14 --dry-run --Werror
}

# Lets ccache work with precompiled headers, and share objects between checkouts.
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=true EM_COMPILER_WRAPPER=ccache

configure() {
  cmake --preset "$1" -B "build/test/$1" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "${@:2}"
}

build() {
  configure "$@" && ninja -C "build/test/$1"
}

# Names that two anonymous namespaces share clash only in the copied library, which is one source file.
check_copy() {
  local copy=$results/copy
  "build/test/$1/bin/schemagen" amalgamate schema/pt2.yaml --level all --with-c -o "$copy" &&
    clang++-14 -std=c++17 -fsyntax-only -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Werror "$copy/pt2.cpp"
}

# Checks the units of the unity build, which takes a tenth of the time that the single files take.
tidy() {
  configure tidy && run-clang-tidy-14 -quiet -p build/test/tidy '/(runtime|toolbox|generator|tools)/.*/Unity/'
}

build_threads() {
  configure threads && ninja -C build/test/threads threads_test
}

run_tests() {
  local name=$1
  shift
  ctest --test-dir "build/test/$name" "$@" --output-on-failure --timeout 1200 -j "$(nproc)" \
    --output-junit "$results/$name.xml" --test-output-size-passed 1000000
}

# Debian's Python has selenium.
test_npm() {
  local test
  dev/bundle.sh --check || return
  for test in npm viewer; do
    env "PT2_BINARY=$root/build/test/full/bin/pt2" "PT2_NPM_PACKAGE=$(echo build/npm/libpt2-*.tgz)" /usr/bin/python3 "tests/bindings/${test}_test.py" || return
  done
}

# The short build is optimized like packages (-O3 takes a quarter longer), and shows that each source compiles alone; dev/nightly.sh runs it,
# too. In a unity build, which takes a third of the time, the full build compiles what is not in an installed library. It uses -O1, which is
# a sixth faster. No -pie with sanitizers: each start would relocate 700,000 addresses. In tests, RapidJSON adds an offset to a null pointer
# when its stack is empty: -fno-sanitize=pointer-overflow.
if ! $all; then
  step format check_format
  step build_short build short && {
    step copy check_copy short
    step test_short run_tests short -L unit
  }
  if has_torch; then
    step torch_load env "PT2_BINARY=$root/build/test/short/bin/pt2" "$python" tests/interop/torch_load_test.py
  fi
  exec python3 dev/count_tests.py "$results"
fi

step format check_format
step tidy tidy
step build_sanitize build sanitize && {
  # Some tests wait for terminals, and the longest runs alone at the end.
  {
    step copy check_copy sanitize
    step build_threads build_threads && step test_threads run_tests threads -R threads_test
  } &
  step test_sanitize run_tests sanitize -L 'library|hostile'
  wait $!
}
wait $preparation && has_torch || exit
# Files that only the tests of packages read.
packaging=(dev/packaging/{conan,vcpkg} docs/platforms.md tests/embedding/{recipes_test.py,vcpkg_functions.cmake,test_package,mac_page_test.py})
platforms() {
  env "SCHEMAGEN_BINARY=$root/build/test/full/bin/schemagen" tests/platforms/platforms.sh "$@"
}
# Much of this uses one core: optimizers, emulators.
test_copies() {
  if command -v npm >/dev/null; then
    SCHEMAGEN_BINARY=$root/build/test/full/bin/schemagen step npm dev/npm.sh && step test_npm test_npm
  else
    echo "no npm: the package for JavaScript is not tested"
  fi
  # Level `all` contains level `archive`; dev/nightly.sh runs both everywhere. i686 also reads a large file.
  step platforms platforms --level archive i686 aarch64 wasm windows no-threads
  step platforms_all platforms --level all libc++ s390x
}
step build_full build full "-DPT2_PYTHON=$(command -v "$python")" && {
  test_copies &
  copies=$!
  # Tests that import torch are forks of this process, which has loaded it.
  export WARM_TORCH=build/test/torch.socket
  "$python" tests/interop/warm_torch.py --serve >"$results/warm_torch.log" 2>&1 &
  warm_torch=$!
  left_out=hostile
  git diff --quiet HEAD~20 -- "${packaging[@]}" 2>/dev/null && left_out='hostile|packaging'
  step test_full run_tests full -LE "$left_out"
  kill $warm_torch
  # ccache has the libraries from the full build.
  step build_shared build shared &&
    step embed_shared env "PT2_BUILD_FOLDER=$root/build/test/shared" python3 tests/embedding/embedding_test.py \
      ExamplesTest.test_each_example_is_built_by_cmake_without_warnings \
      PackageTest.test_shared_libraries_show_our_names_only_and_with_a_version \
      PackageTest.test_public_headers_and_no_others_are_installed \
      PackageTest.test_nothing_that_is_installed_names_the_source_or_build_folder
  wait $copies
}
# Lines of code by folder, where the tool that counts them is.
[ ! -f ../shared/tools/lines.py ] || python3 ../shared/tools/lines.py
python3 dev/count_tests.py "$results" --strict
