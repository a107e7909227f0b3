#!/bin/sh
# Needs Go.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/go_bench
mkdir -p "$work"
cp "$here/text_test.go" "$work"
cd "$work"
printf 'module example.com/text\n\ngo 1.19\n' >go.mod
go test -run '^$' -bench . -benchmem -count 6 -benchtime 20ms >"$here/count6.txt"
go test -run '^$' -bench 'Join|Checksum' -benchtime 20ms -cpu 1,2 >"$here/cpu-1-2.txt"
go test -run '^$' -bench 'Join|Checksum' -benchmem -benchtime 20ms -json . >"$here/events.txt"
