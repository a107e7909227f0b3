#!/bin/sh
# Makes collapsed/go-cpu.collapsed.txt from the stacks that `go tool pprof -traces` prints: one line per sample,
# outermost frame first, time in nanoseconds. Run make-pprof.sh first.
set -eu
samples=$(cd "$(dirname "$0")" && pwd)
awk '
  function flush() { if (stack != "") print stack " " value; stack = "" }
  /^-----------\+/ { flush(); next }
  /^ +[^ ]+:  / { next }
  /^ *[0-9]+ns  / { flush(); value = $1; sub(/ns$/, "", value); sub(/^ *[0-9]+ns +/, ""); sub(/ \(inline\)$/, ""); stack = $0; next }
  /^             / { sub(/^ +/, ""); sub(/ \(inline\)$/, ""); if (stack != "") stack = $0 ";" stack }
  END { flush() }
' /tmp/demo-app/go-cpu.traces.txt > "$samples/collapsed/go-cpu.collapsed.txt"
