"""Sums up what `jfr print --json` prints: `event;frame;frame count value`, in nanoseconds or bytes."""

import collections
import json
import re
import sys

FIELDS = {
    "jdk.ObjectAllocationSample": "weight",
    "jdk.JavaMonitorEnter": "duration",
    "jdk.ThreadSleep": "duration",
    "jdk.FileWrite": "bytesWritten",
    "jdk.GarbageCollection": "sumOfPauses",
}


def amount(value):
    if not isinstance(value, str):
        return value
    seconds, fraction = re.fullmatch(r"PT(\d+)(?:\.(\d+))?S", value).groups()
    return int(seconds) * 10**9 + int((fraction or "").ljust(9, "0"))


def frame(entry):
    """Without the numbers of classes that the JVM made up."""
    method = entry["method"]
    name = re.sub(r"([/.+](0x[0-9a-f]+|\d+))+$", "", method["type"]["name"]).replace("/", ".")
    name = re.sub(r"(\$\$Lambda)\$\d+$", r"\1", name)
    return f"{name}.{method['name']}:{max(0, entry['lineNumber'])}"


sums = collections.defaultdict(lambda: [0, 0])
for event in json.load(sys.stdin)["recording"]["events"]:
    values = event["values"]
    stack = (values.get("stackTrace") or {"frames": []})["frames"]
    row = sums[";".join([event["type"]] + [frame(entry) for entry in reversed(stack)])]
    row[0] += 1
    row[1] += amount(values[FIELDS[event["type"]]]) if event["type"] in FIELDS else 0
for stack, (count, value) in sorted(sums.items()):
    print(stack, count, value)
