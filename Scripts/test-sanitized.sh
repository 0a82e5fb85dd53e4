#!/bin/bash
# Builds and runs the tests that need no speed with sanitizers: test-sanitized.sh SANITIZER …
set -euo pipefail

# As in `make test`, before the others: they lose frames beside them.
live='RealTimeTests/'
# Those with several threads; and those of one thread, whose computations take ThreadSanitizer long.
threads='Files|HTTP|Pose|Server|Streams|Studio|Video|Vision|Watch'
one='Action|Coach|Fuzz|Network|Overlay|Report|Synth|Tracking'
# What compares whole clips with references of other programs (realClip, Parity, frameCount), and
# what measures memory, of which a sanitizer takes more (leaksNothing, keepsMemoryFlat).
never='realClip|Parity|frameCount|leaksNothing|keepsMemoryFlat'

# OpenVINO's threads load a library in a way that sanitizers refuse.
export TBB_ENABLE_SANITIZERS=1

failed=
for sanitizer in "$@"; do
  folder=.build/sanitized-$sanitizer
  flags=(-c release --sanitize "$sanitizer" --scratch-path "$folder")
  mkdir -p "$folder"
  case $sanitizer in
    address)
      # Swift's globals live until the end: each would be a leak.
      export ASAN_OPTIONS=detect_leaks=0
      suites="$threads|$one"
      ;;
    thread)
      # No report is suppressed; what it does not see is reported to it.
      clang -O2 -c Tests/Sanitizers/swift_runtime.c -o "$folder/swift_runtime.o"
      # SwiftPM does not see that it changed.
      rm -f "$folder/release/KinemaPackageTests.xctest"
      flags+=(-Xlinker "$PWD/$folder/swift_runtime.o")
      suites=$threads
      ;;
    *)
      echo "test-sanitized.sh: $sanitizer is neither address nor thread" >&2
      exit 64
      ;;
  esac
  swift build "${flags[@]}" --build-tests
  SECONDS=0
  log=$folder/tests.log
  state=clean
  : >"$log"
  run() { swift test "${flags[@]}" --skip-build "$@" 2>&1 | tee -a "$log" || state=failed; }
  run --filter "$live" --skip "$never"
  run --filter "^Kinema($suites)Tests" --skip "$live|$never"
  # A report does not always end the process that it is about with a failure.
  grep -qE 'SUMMARY: (Address|Thread)Sanitizer|==ERROR: ' "$log" && state=failed
  count=$(sed -nE 's/.*Test run with ([0-9]+) tests? .*/\1/p' "$log" |
    awk '{ sum += $1 } END { print sum + 0 }')
  [ "$count" -gt 0 ] || state=failed
  echo "$sanitizer: $count tests in $((SECONDS / 60)) min, $state ($log)"
  [ $state = clean ] || failed=yes
done
[ -z "$failed" ]
