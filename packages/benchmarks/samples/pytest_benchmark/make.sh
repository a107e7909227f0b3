#!/bin/sh
# Needs pytest-benchmark 3.2.2 of the system's Python, and a newer one as the first python3 in PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/pytest_benchmark
mkdir -p "$work/tests"
cp "$here/test_text.py" "$work/tests"
cd "$work"
# Flags of the processor and host names are nobody's business.
shorten() {
  python3 -c '
import json, sys
report = json.load(sys.stdin)
report["machine_info"]["node"] = "host"
if isinstance(report["machine_info"]["cpu"], dict):
    report["machine_info"]["cpu"].pop("flags", None)
json.dump(report, sys.stdout, indent=1)
print()'
}
/usr/bin/python3 -m pytest -q --benchmark-json=3.json tests >/dev/null
shorten <3.json >"$here/3-json.json"
python3 -m pytest -q --benchmark-json=5.json --benchmark-storage=store --benchmark-save=run tests >/dev/null
shorten <5.json >"$here/5-json.json"
shorten <"$(ls store/*/*run.json | tail -1)" >"$here/5-storage.json"
