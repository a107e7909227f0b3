#!/bin/sh
# Makes pprof/*.pb.gz with Go's own profiler, and what `go tool pprof` says about them.
set -eu
samples=$(cd "$(dirname "$0")" && pwd)
work=/tmp/demo-app
rm -rf "$work" && mkdir -p "$work"
cp "$samples/make-pprof.go" "$work/main.go"
cd "$work"
printf 'module example.com/demo\n\ngo 1.19\n' > go.mod
go build -trimpath -o demo .
./demo
cp go-cpu.pb.gz go-heap.pb.gz "$samples/pprof/"

# top <output> <file> <arguments>: all rows, exact values.
top() {
  output=$1 file=$2
  shift 2
  {
    echo "\$ go tool pprof -top -filefunctions -nodecount=0 -nodefraction=0 $* $file"
    go tool pprof -top -filefunctions -nodecount=0 -nodefraction=0 "$@" "$file" 2>/dev/null
  } > "$samples/pprof/$output"
}
top go-cpu.flat.txt go-cpu.pb.gz -unit=ns -flat
top go-cpu.cum.txt go-cpu.pb.gz -unit=ns -cum
top go-cpu.focus.txt go-cpu.pb.gz -unit=ns -cum '-focus=serveOrders|fib' -ignore=sort
{
  echo '$ go tool pprof -top -lines -nodecount=0 -nodefraction=0 -unit=ns go-cpu.pb.gz'
  go tool pprof -top -lines -nodecount=0 -nodefraction=0 -unit=ns go-cpu.pb.gz 2>/dev/null
} > "$samples/pprof/go-cpu.lines.txt"
for index in alloc_objects alloc_space inuse_objects inuse_space; do
  unit=B
  case $index in *objects) unit=count ;; esac
  top "go-heap.$index.txt" go-heap.pb.gz -unit=$unit -flat -sample_index=$index
done
# All stacks, for the other formats.
go tool pprof -traces -unit=ns -sample_index=cpu go-cpu.pb.gz 2>/dev/null > "$work/go-cpu.traces.txt"
