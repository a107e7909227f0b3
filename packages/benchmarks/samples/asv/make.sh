#!/bin/sh
# Needs Python 3.11 with json5, tabulate and yaml of Debian, and in $ASV the sources of asv and asv_runner (github.com/airspeed-velocity).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/asv/project
export PYTHONPATH="$ASV/asv:$ASV/asv_runner"
mkdir -p "$work/benchmarks"
cd "$work"
cat >asv.conf.json <<'END'
{"version": 1, "project": "text", "repo": ".", "branches": ["HEAD"], "environment_type": "existing",
 "benchmark_dir": "benchmarks", "results_dir": "results", "html_dir": "html", "pythons": ["same"]}
END
touch benchmarks/__init__.py
cp "$here/suite.py" benchmarks
git init -q . && git add -A && git commit -qm 'Suite'
python3 -m asv machine --yes --machine host --os Linux --arch x86_64 --num_cpu 2 --ram 8000000
python3 -m asv run --machine host -a rounds=1 -a sample_time=0.005 --set-commit-hash HEAD --show-stderr >"$here/recorded-run.txt"
cp results/host/*-existing-*.json "$here/recorded-result.json"
