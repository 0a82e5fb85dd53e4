#!/bin/sh
# Fuzzes every reader of foreign bytes with libFuzzer: fuzz.sh KINEMA-FUZZ SECONDS [TARGET …]
# Inputs that add coverage stay in .build/fuzz-corpus; what fails is copied to Tests/Fuzz/Findings.
set -eu

# Globals of Swift live until the end; libFuzzer itself bounds the memory.
export ASAN_OPTIONS=detect_leaks=0

fuzzer=$1
seconds=$2
shift 2
corpus=.build/fuzz-corpus
"$fuzzer" seeds "$corpus"
[ $# -gt 0 ] || set -- $(cd "$corpus" && ls)
failed=
for target in "$@"; do
  findings=Tests/Fuzz/Findings/$target
  log=.build/fuzz-$target.log
  mkdir -p "$findings"
  if "$fuzzer" "$target" "$corpus/$target" -max_total_time="$seconds" -timeout=10 \
      -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=16384 -print_final_stats=1 \
      -artifact_prefix="$findings/" >"$log" 2>&1; then
    state=fine
  else
    state="failed: see $log"
    failed="$failed $target"
  fi
  rmdir "$findings" 2>/dev/null || true
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  memory=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log")
  printf '%-14s %10s inputs  %5s MB  %s\n' "$target" "${count:-?}" "${memory:-?}" "$state"
done
[ -z "$failed" ]
