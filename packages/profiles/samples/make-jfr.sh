#!/bin/sh
# Makes jfr/orders.jfr.gz with Java Flight Recorder of JDK 17, and orders.txt, what `jfr print` says about it.
set -eu
samples=$(cd "$(dirname "$0")" && pwd)
work=/tmp/demo-jfr
rm -rf "$work" && mkdir -p "$work" "$samples/jfr"
cp "$samples/make-jfr.java" "$work/Orders.java"
cd "$work"
javac -XDstringConcat=inline -d . Orders.java

# Only some events, so that the file is small.
event() {
  echo "<event name='jdk.$1'><setting name='enabled'>true</setting>$2</event>"
}
threshold="<setting name='stackTrace'>true</setting><setting name='threshold'>0 ms</setting>"
{
  echo "<?xml version='1.0' encoding='UTF-8'?><configuration version='2.0'>"
  event ActiveSetting ''
  event ExecutionSample "<setting name='period'>10 ms</setting>"
  event NativeMethodSample "<setting name='period'>20 ms</setting>"
  event ObjectAllocationSample "<setting name='stackTrace'>true</setting><setting name='throttle'>150/s</setting>"
  for name in JavaMonitorEnter ThreadSleep FileWrite; do event $name "$threshold"; done
  for name in GarbageCollection GCPhasePause; do event $name "<setting name='threshold'>0 ms</setting>"; done
  event ClassDefine "<setting name='stackTrace'>true</setting>"
  echo '</configuration>'
} > orders.jfc
# A small heap makes for collections.
java -Xmx32m -XX:+UseG1GC -XX:StartFlightRecording:settings=orders.jfc,filename=orders.jfr -cp . com.example.Orders out.bin
gzip -9 -n < orders.jfr > "$samples/jfr/orders.jfr.gz"

# One line per kind of event and stack, outermost frame first, with how many there are and their value, if any.
jfr print --json --stack-depth 64 \
  --events ExecutionSample,NativeMethodSample,ObjectAllocationSample,JavaMonitorEnter,ThreadSleep,FileWrite,GarbageCollection \
  orders.jfr > orders.json
python3 "$samples/make-jfr.py" < orders.json > "$samples/jfr/orders.txt"
