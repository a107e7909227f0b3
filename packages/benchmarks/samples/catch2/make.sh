#!/bin/sh
# Needs g++ and catch2 (2.13).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/catch2
mkdir -p "$work"
cp "$here/text.cpp" "$work"
cd "$work"
[ -e text ] && [ text -nt text.cpp ] || g++ -O2 -o text text.cpp
# A failing test ends the program with an error.
./text --benchmark-samples 20 --benchmark-warmup-time 10 >"$here/console.txt" || true
./text --benchmark-samples 20 --benchmark-warmup-time 10 --reporter xml >"$here/report.xml" || true
./text --benchmark-samples 20 --benchmark-no-analysis >"$here/no-analysis.txt" || true
./text --benchmark-samples 20 --benchmark-no-analysis --reporter xml >"$here/no-analysis.xml" || true
