#!/bin/sh
# Needs Java 17, JOpt Simple and Commons Math of Debian, and the sources of JMH (github.com/openjdk/jmh) in $JMH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/jmh
libraries=/usr/share/java/joptsimple.jar:/usr/share/java/commons-math3.jar
mkdir -p "$work/jmh" "$work/classes"
cd "$work"
find "$JMH/jmh-core/src/main/java" "$JMH/jmh-generator-annprocess/src/main/java" -name '*.java' >sources
javac -nowarn -proc:none -d jmh -cp "$libraries" @sources
cp -r "$JMH/jmh-core/src/main/resources/." "$JMH/jmh-generator-annprocess/src/main/resources/." jmh
sed -i 's/${project.version}/1.38-SNAPSHOT/' jmh/jmh.properties
javac -d classes -cp "jmh:$libraries" -processor org.openjdk.jmh.generators.BenchmarkProcessor "$here/JoinBenchmark.java"
java -cp "classes:jmh:$libraries" org.openjdk.jmh.Main -prof gc -rf json -rff "$here/recorded-modes.json"
