#!/bin/sh
# Needs g++ and libbenchmark-dev.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/google_benchmark
mkdir -p "$work"
cp "$here/strings.cc" "$work"
cd "$work"
g++ -O2 -o strings strings.cc -lbenchmark -lpthread
run() {
  output=$1
  shift
  ./strings --benchmark_format=json --benchmark_min_time=0.02 "$@" | sed 's/"host_name": ".*"/"host_name": "host"/' >"$here/$output"
}
run plain.json
run repetitions.json --benchmark_repetitions=6 --benchmark_filter='Copy|Sort/64'
run aggregates-only.json --benchmark_repetitions=6 --benchmark_filter='Copy' --benchmark_report_aggregates_only=true
./strings --benchmark_format=csv --benchmark_min_time=0.02 --benchmark_filter=Copy 2>/dev/null >"$here/plain.csv"
./strings --benchmark_min_time=0.02 --benchmark_color=false 2>/dev/null >"$here/console.txt"
./strings --benchmark_min_time=0.02 --benchmark_color=false --benchmark_repetitions=3 --benchmark_filter=Copy \
  2>/dev/null >"$here/console-repetitions.txt"
