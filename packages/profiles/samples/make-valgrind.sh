#!/bin/sh
# Makes the samples of callgrind and dhat from valgrind.c. Needs gcc and valgrind with its headers.
# What callgrind_annotate says of them is in callgrind.test.ts; it is printed at the end.
set -eu
samples=$(cd "$(dirname "$0")" && pwd)
work=/tmp/demo-app/valgrind
mkdir -p "$work" "$samples/callgrind" "$samples/dhat"
cp "$samples/valgrind.c" "$samples/valgrind.h" "$work"
cd "$work"
gcc -O1 -g -o sample valgrind.c
rm -f "$samples"/callgrind/* "$samples"/dhat/*

# As CodSpeed's runner does: a part for each benchmark, names in full, no lines.
valgrind --quiet --tool=callgrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
  --instr-atstart=no --collect-systime=nsec --compress-strings=no --combine-dumps=yes --dump-line=no \
  --callgrind-out-file="$samples/callgrind/benchmarks.out" ./sample
# As callgrind does by itself, with lines, addresses and jumps.
valgrind --quiet --tool=callgrind --instr-atstart=no --dump-instr=yes --collect-jumps=yes --combine-dumps=yes \
  --callgrind-out-file="$samples/callgrind/instructions.out" ./sample

for mode in heap ad-hoc copy; do
  valgrind --quiet --tool=dhat --mode=$mode --dhat-out-file="$samples/dhat/$mode.json" ./sample memory
done
chmod 644 "$samples"/callgrind/* "$samples"/dhat/*

for file in benchmarks instructions; do
  for inclusive in no yes; do
    callgrind_annotate --threshold=100 --auto=no --show-percs=no --show=Ir --sort=Ir --inclusive=$inclusive \
      "$samples/callgrind/$file.out" 2>/dev/null
  done
done
