#!/usr/bin/env bash
# dev/nightly.sh [STEP...]: runs what takes too long for continuous integration, or the steps that you name: short, operators, fuzz, memory,
# releases, benchmarks, packaging, platforms, commands, bare, bombs. Takes about eight hours and continues after a failure. Prints a table:
# step, result, time and the last line of its output, which is in build/nightly/STEP.log. TORCH_RELEASES (~/torch) is the folder in which
# dev/torch_releases.py installed torch.
# Exit codes: 0 nothing failed, 1 a step failed, 2 usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
all="short operators fuzz memory releases benchmarks packaging platforms commands bare bombs"
. "$root/dev/install.sh"
for name in "$@"; do
  if ! [[ " $all " == *" $name "* ]]; then
    echo "nightly.sh: unknown step '$name'; the steps are $all" >&2
    exit 2
  fi
done
cd "$root"
mkdir -p build/nightly

configure_full() {
  find_torch && cmake --preset full -B build/test/full -DPT2_PYTHON="$python" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
}
short() { dev/test.sh; }
operators() {
  configure_full && ninja -C build/test/full pt2_python || return
  PYTHONPATH=build/test/full/bindings/python "$python" tests/interop/operator_database.py build/operators --minutes 180
}
fuzz() { dev/fuzz.sh 60; }
memory() {
  local build=$root/build/test/sanitize
  cmake --preset sanitize -B "$build" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache && ninja -C "$build" pt2 schemagen || return
  ASAN_OPTIONS=exitcode=99:detect_leaks=0 PT2_BINARY=$build/bin/pt2 SCHEMAGEN_BINARY=$build/bin/schemagen \
    python3 tests/tools/pt2/bombs_test.py --size 0.001
}
releases() {
  local python failed=0
  for python in "${TORCH_RELEASES:-$HOME/torch}"/*/bin/python; do
    [ -x "$python" ] || { echo "no releases of torch"; return 3; }
    echo "$python"
    "$python" dev/torch_model.py || failed=1
  done
  return $failed
}
benchmarks() {
  configure_full -DPT2_FEW_BENCHMARKS=OFF && ninja -C build/test/full && ctest --test-dir build/test/full -L bench --output-on-failure
}
packaging() {
  find_model_tools
  configure_full && ninja -C build/test/full schemagen && ctest --test-dir build/test/full -L packaging --output-on-failure
}
platforms() { tests/platforms/platforms.sh; }
commands() { tests/platforms/platforms.sh --commands; }
bare() { dev/bare.sh --all; }
bombs() {
  build_command pt2 && build_command schemagen || return
  local name
  for name in $(cd tests/tools/pt2 && python3 -c 'import bombs, random; print(*random.sample(sorted(bombs.BOMBS), 5))'); do
    python3 tests/tools/pt2/bombs_test.py --size 1 --bombs "$name" || return
  done
}

failed=0
for name in ${*:-$all}; do
  started=$SECONDS
  result=passed
  ("$name") >"build/nightly/$name.log" 2>&1 || { [ $? -eq 3 ] && result=skipped || { result=failed failed=1; }; }
  printf '%-10s %-8s %6d s  %s\n' "$name" "$result" $((SECONDS - started)) "$(tail -n 1 "build/nightly/$name.log")"
done
exit $failed
