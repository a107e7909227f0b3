#!/bin/sh
# Needs Linux, gcc, and perf (6.1) that may use the events cpu-clock and task-clock.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O1 -g -pthread -fno-omit-frame-pointer -o "$work/threads" make-perf-script.c
record() { perf record -q -e "$1" -F 199 -g -o "$work/$2" "$work/threads"; }
print() { data=$1; shift; perf script -i "$work/$data" "$@" 2>/dev/null | sed "s#$work#/src#g"; }

record cpu-clock:u one.data
print one.data --header -F+pid > perf_script/threads.txt
print one.data -F comm,tid,time,event,period,ip,sym,dso,srcline > perf_script/lines.txt
perf report -i "$work/one.data" --no-children -g none -F overhead,sample,period,comm,sym --stdio -q

record cpu-clock:u,task-clock:u two.data
print two.data -F -symoff > perf_script/two-events.txt
