#!/usr/bin/env bash
# tools/test.sh: installs what is missing (Debian, as root) and runs every test: formatting, clang-tidy (which compiles as clang++
# does, as C++17), a release build by g++ (C++17) with the tests against torch, a sanitizer build by clang++ (C++20) with the fuzz
# targets and without what only compiles or shows pages, a program of threads under ThreadSanitizer, and a build of shared
# libraries by g++ (C++20). The last line counts them.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tools/install.sh"
cd "$root"

install_packages build test
unpack_packages || exit
find_torch
results=$root/build/test/results
rm -rf "$results"
mkdir -p "$results"

# step NAME COMMAND...: runs it, and notes whether it went well as a test of that name.
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
  echo "   $(cat "$results/$name.step") in $((SECONDS - start)) s"
  [ "$(cat "$results/$name.step")" = passed ]
}

check_format() {
  git ls-files -co --exclude-standard -- '*.cpp' '*.h' ':!generated' ':!tests/golden' | xargs clang-format-14 --dry-run --Werror
}

# configure NAME OPTIONS...: configures build/test/NAME.
configure() {
  local name=$1
  shift
  cmake -S . -B "build/test/$name" -G Ninja -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DPT2_WARNINGS_AS_ERRORS=ON "$@"
}

# build NAME OPTIONS...: configures and builds build/test/NAME.
build() {
  configure "$@" && ninja -C "build/test/$1"
}

tidy() {
  configure tidy -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-14 -DPT2_BUILD_TESTS=OFF \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON &&
    run-clang-tidy-14 -quiet -p build/test/tidy "^$root/(generator|runtime|tools)/"
}

# The second JSON backend without the first.
build_rapidjson() {
  configure rapidjson -DCMAKE_BUILD_TYPE=Debug -DPT2_JSON_BACKEND=rapidjson -DPT2_BUILD_TESTS=OFF &&
    ninja -C build/test/rapidjson schemagen_json
}

# Only what one test program needs.
build_threads() {
  configure threads -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_CXX_FLAGS_DEBUG=-g1 \
    "-DCMAKE_CXX_FLAGS=-O1 -fsanitize=thread" -DPT2_TEST_ALL=OFF && ninja -C build/test/threads threads_test
}

# run_tests NAME OPTIONS...: the tests of build/test/NAME, or those that ctest's options choose.
run_tests() {
  local name=$1
  shift
  ctest --test-dir "build/test/$name" "$@" --output-on-failure --timeout 600 -j "$(nproc)" \
    --output-junit "$results/$name.xml" --test-output-size-passed 1000000
}

# RapidJSON adds an offset to a null pointer where its stack is empty, which it does not use.
sanitize="-fsanitize=address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer"
torch_python=$(command -v "$python")
step format check_format
step tidy tidy
step build_release build release -DCMAKE_BUILD_TYPE=Release -DPT2_BUILD_BENCHMARKS=ON "-DPT2_PYTHON=$torch_python" &&
  step test_release run_tests release
step build_sanitize build sanitize -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-g1 -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_CXX_STANDARD=20 "-DCMAKE_CXX_FLAGS=-O1 $sanitize" -DPT2_BUILD_FUZZERS=ON -DPT2_TEST_ALL=OFF &&
  step test_sanitize run_tests sanitize -E '^(view_test|picture_test|public_headers_test)$'
step build_threads build_threads &&
  step test_threads run_tests threads -R threads_test
step build_gcc_20_shared build gcc-20 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_CXX_STANDARD=20 \
  -DPT2_BUILD_TESTS=OFF -DBUILD_SHARED_LIBS=ON &&
  step embed_shared env "PT2_BUILD_FOLDER=$root/build/test/gcc-20" python3 tests/embedding/embedding_test.py ExamplesTest PackageTest
step build_rapidjson build_rapidjson
python3 tools/count_tests.py "$results"
