#!/bin/sh
# Makes pprof_text/* and goroutine_dump/* with Go's own profiler, and what `go tool pprof` says of the same moment.
set -eu
samples=$(cd "$(dirname "$0")" && pwd)
work=/tmp/demo-app/text
rm -rf "$work" && mkdir -p "$work" "$samples/pprof_text" "$samples/goroutine_dump"
cp "$samples/make-pprof-text.go" "$work/main.go"
cd "$work"
printf 'module example.com/demo\n\ngo 1.19\n' > go.mod
go build -trimpath -o demo .
./demo
# The times of garbage collections at the end of a heap are long and say nothing of it.
grep -v '^# Pause' heap.debug1.txt > "$samples/pprof_text/go-heap.debug1.txt"
cp goroutine.debug1.txt "$samples/pprof_text/go-goroutine.debug1.txt"
cp goroutine.debug2.txt "$samples/goroutine_dump/go-goroutine.debug2.txt"
for file in heap goroutine mutex; do
  unit=count
  case $file in heap) unit=B ;; mutex) unit=ns ;; esac
  go tool pprof -top -nodecount=0 -nodefraction=0 -unit=$unit $file.pb.gz 2>/dev/null > "$file.top.txt"
done
cat ./*.top.txt
