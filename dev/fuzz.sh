#!/usr/bin/env bash
# dev/fuzz.sh [MINUTES] [TARGET]: runs the fuzz targets of tests/fuzz, or one of them, for MINUTES (10) in total. Keeps inputs that reach
# new code in build/fuzz/corpus for the next run, and inputs with a finding in build/fuzz/found. Prints executions and
# coverage for each target, and the totals.
# Exit codes: 0 nothing found, 1 there are findings, 2 usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"
minutes=${1:-10}
if ! [[ $minutes =~ ^[1-9][0-9]*$ ]] || [ $# -gt 2 ]; then usage; fi
targets=()
for source in "$root"/tests/fuzz/*_fuzz.cpp; do
  targets+=("$(basename "$source" .cpp)")
done
if [ $# -eq 2 ]; then
  if ! [[ " ${targets[*]} " == *" $2 "* ]]; then
    echo "unknown target '$2'; the targets are ${targets[*]}" >&2
    exit 2
  fi
  targets=("$2")
fi

cd "$root"
install_packages build test
cmake --preset fuzz -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null && ninja -C build/fuzz "${targets[@]}" || exit 1

found=build/fuzz/found
mkdir -p "$found"
seconds=$((minutes * 60 / ${#targets[@]}))
executions=0
covered=0
edges=0
findings=0

run() {
  local target=$1 log=build/fuzz/$1.log options corpus=build/fuzz/corpus/$1 started=$SECONDS
  mkdir -p "$corpus"
  mapfile -t options <"build/fuzz/tests/fuzz/$target.options"
  "build/fuzz/tests/fuzz/$target" "${options[@]}" -max_total_time="$seconds" -print_final_stats=1 \
    -artifact_prefix="$found/$target-" "$corpus" >"$log" 2>&1
  local code=$? runs cov all
  runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
  cov=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  all=$(sed -n 's/^INFO: Loaded .* modules *(\([0-9]*\) .*/\1/p' "$log")
  printf '%-18s %10d executions in %4d s, %6d of %6d edges\n' "$target" "${runs:-0}" $((SECONDS - started)) "${cov:-0}" "${all:-0}"
  executions=$((executions + ${runs:-0}))
  covered=$((covered + ${cov:-0}))
  edges=$((edges + ${all:-0}))
  if [ $code -ne 0 ]; then
    findings=$((findings + 1))
    grep -E 'does not hold|ERROR|runtime error|Test unit written' "$log"
    echo "  all that it said: $log"
  fi
}

for target in "${targets[@]}"; do
  run "$target"
done
printf '%-18s %10d executions, %d of %d edges, %d findings\n' "in all" "$executions" "$covered" "$edges" "$findings"
[ "$findings" -eq 0 ]
