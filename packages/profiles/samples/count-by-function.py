"""What a browser's profile says of each function, worked out without the project's code, to compare it with.

    python3 count-by-function.py firefox|safari|cpu|slices FILE

prints `self total function` per line, the largest self first: samples of Firefox (all threads), microseconds of
Safari's samples, microseconds of V8's samples in a trace (idle ones too), microseconds of slices in a trace.
"""

import collections
import gzip
import json
import re
import sys


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    return json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)


def count(stacks):
    """Stacks are (functions from the outermost, value)."""
    own, total = collections.Counter(), collections.Counter()
    for functions, value in stacks:
        if functions:
            own[functions[-1]] += value
        for function in set(functions):
            total[function] += value
    return own, total


def firefox(document):
    def of_process(process):
        for thread in process["threads"]:
            stack_schema, frame_schema = thread["stackTable"]["schema"], thread["frameTable"]["schema"]
            for sample in thread["samples"]["data"]:
                functions = []
                stack = sample[thread["samples"]["schema"]["stack"]]
                while stack is not None:
                    row = thread["stackTable"]["data"][stack]
                    frame = thread["frameTable"]["data"][row[stack_schema["frame"]]]
                    functions.insert(0, name(thread["stringTable"][frame[frame_schema["location"]]], process["libs"]))
                    stack = row[stack_schema["prefix"]]
                yield functions, 1
        for nested in process["processes"]:
            yield from of_process(nested)

    def name(location, libs):
        if location.startswith("0x"):
            found = [lib["path"] for lib in libs if lib["start"] <= int(location, 16) < lib["end"]]
            return "[" + (found[-1].split("/")[-1] if found else "unknown") + "]"
        script = re.match(r"(.*) \(.*:\d+\)(\[\d+\])?$", location)
        top_level = re.match(r"(.*?)(:\d+){1,2}(\[\d+\])?$", location)
        if script:
            return script[1]
        return "(root scope) " + top_level[1].split(" -> ")[-1] if top_level else location

    return of_process(document.get("profile", document))


def safari(document):
    recording = document["recording"]
    for trace, duration in zip(recording["sampleStackTraces"], recording["sampleDurations"]):
        functions = [frame["name"] or "(anonymous)" for frame in reversed(trace["stackFrames"])]
        yield functions, duration * 1e6


def events_of(document):
    return document if isinstance(document, list) else document["traceEvents"]


def cpu(document):
    profiles = {}
    for event in sorted(events_of(document), key=lambda event: event["ts"]):
        data = event.get("args", {}).get("data", {})
        key = (event["pid"], event.get("id"))
        if event["name"] == "CpuProfile":
            whole = data["cpuProfile"]
            profiles[key] = [whole["nodes"], whole["samples"], whole["timeDeltas"], whole["startTime"], whole["endTime"]]
        elif event["name"] == "Profile":
            profiles[key] = [[], [], [], data["startTime"], None]
        elif event["name"] == "ProfileChunk" and data:
            part = data.get("cpuProfile", {})
            profiles[key][0] += part.get("nodes", [])
            profiles[key][1] += part.get("samples", [])
            profiles[key][2] += data.get("timeDeltas", [])
            profiles[key][4] = data.get("endTime", profiles[key][4])
    # Of two that ran at once, the larger one.
    nodes, samples, deltas, start, end = max(profiles.values(), key=lambda profile: len(profile[1]))
    by_id = {node["id"]: node for node in nodes}
    parents = {child: node["id"] for node in nodes for child in node.get("children", [])}
    parents.update({node["id"]: node["parent"] for node in nodes if "parent" in node})
    times = []
    for delta in deltas:
        start += delta
        times.append(max(times[-1], start) if times else start)
    times.append(max(end or 0, times[-1]))
    for index, sample in enumerate(samples):
        functions = []
        while sample in parents:
            functions.insert(0, by_id[sample]["callFrame"]["functionName"] or "(anonymous)")
            sample = parents[sample]
        yield functions, times[index + 1] - times[index]


def slices(document):
    """For traces whose slices nest: who covers a piece of time longest is outermost."""
    threads = collections.defaultdict(list)
    for event in events_of(document):
        if event["ph"] in "BEX":
            threads[event["pid"], event["tid"]].append(event)
    for events in threads.values():
        whole, begun = [], []
        # A slice that was begun with B ends at the next E of its name.
        for event in sorted((e for e in events if e["ph"] in "BE"), key=lambda event: event["ts"]):
            if event["ph"] == "B":
                begun.append(event)
            else:
                same = [index for index, other in enumerate(begun) if other["name"] == event["name"]]
                if same:
                    other = begun.pop(same[-1])
                    whole.append((other["ts"], event["ts"], event["name"]))
        last = max(event["ts"] + event.get("dur", event.get("tdur", 0)) for event in events)
        whole += [(event["ts"], last, event["name"]) for event in begun]
        for event in events:
            if event["ph"] == "X":
                whole.append((event["ts"], event["ts"] + event.get("dur", event.get("tdur", 0)), event["name"]))
        times = sorted({time for start, end, _ in whole for time in (start, end)})
        for start, end in zip(times, times[1:]):
            covering = [one for one in whole if one[0] <= start and one[1] >= end]
            covering.sort(key=lambda one: one[0] - one[1])
            yield [one[2] for one in covering], end - start


form, path = sys.argv[1:]
own, total = count(globals()[form](load(path)))
for function in sorted(total, key=lambda function: (-own[function], -total[function], function)):
    print(round(own[function]), round(total[function]), function)
