"""Found first by every Python that mcp-profiler starts, by PYTHONPATH: waits for what is to be looked into.

A thread listens on the socket that the environment names. Nothing is measured until it is asked for, but threads, which
cProfile can only be begun in from within. After this the sitecustomize that would have been found is run.
"""

import os
import sys


def _begin_probe(address):
    import json
    import socket
    import threading

    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    probe = _Probe(threading.main_thread().ident)

    def serve():
        lines = connection.makefile("rw", encoding="utf-8", newline="\n")

        def say(answer):
            lines.write(json.dumps(answer) + "\n")
            lines.flush()

        say({"pid": os.getpid(), "version": sys.version.split()[0]})
        for line in lines:
            request = json.loads(line)
            try:
                say({"result": getattr(probe, request["method"])(**request["params"])})
            except Exception as error:
                say({"error": f"{type(error).__name__}: {error}"})

    threading.Thread(target=serve, name="mcp-profiler", daemon=True).start()


class _Probe:
    """What is measured in this process. Methods run in the thread that listens."""

    def __init__(self, main):
        self._main = main
        self._in_main = []
        self._profiles = []
        self._gc = None
        if os.environ.get("MCP_PROFILER_PYTHON_CPU"):
            self._prepare_cpu()

    def _prepare_cpu(self):
        import signal
        import threading

        # What profiles a thread has to begin there; this signal, which else does nothing, calls into the main one.
        signal.signal(signal.SIGURG, lambda *_: self._in_main.pop(0)() if self._in_main else None)
        # From 3.12 on one profile sees all threads, and a second one is refused.
        if sys.version_info < (3, 12):
            threading.setprofile(self._begin_in_thread)

    def _begin_in_thread(self, *_event):
        import threading

        sys.setprofile(None)
        if threading.current_thread().name != "mcp-profiler":
            self._profiles.append(self._new_profile())
            self._profiles[-1].enable()

    @staticmethod
    def _new_profile():
        import cProfile

        # By the clock on the wall: to ask for the time of the processor at each call takes ten times as long.
        return cProfile.Profile()

    def _call_in_main(self, action):
        import signal
        import threading

        done = threading.Event()
        self._in_main.append(lambda: (action(), done.set()))
        signal.pthread_kill(self._main, signal.SIGURG)
        if not done.wait(10):
            raise TimeoutError("the main thread did not answer in 10 s")

    def begin(self, cpu, heap, gc):
        if gc:
            self._begin_gc()
        if heap:
            import gc as collector
            import tracemalloc

            collector.collect()
            tracemalloc.start(heap)
        if cpu:
            for profile in self._profiles:
                profile.clear()
            profile = self._new_profile()
            self._call_in_main(profile.enable)
            self._main_profile = profile

    def collect(self):
        """Bytes that were allocated since it began, and are still in use."""
        import gc
        import tracemalloc

        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    def end(self, cpu, heap):
        found = {"gc": self._end_gc(), "growth": []}
        if cpu:
            import marshal
            import pstats

            self._call_in_main(self._main_profile.disable)
            stats = pstats.Stats(self._main_profile)
            for profile in self._profiles:
                profile.create_stats()
                if profile.stats:
                    stats.add(profile)
            _leave_out_waiting(stats.stats)
            with open(cpu, "wb") as file:
                marshal.dump(stats.stats, file)
        if heap:
            found["growth"] = self._end_heap(heap)
        return found

    def _begin_gc(self):
        import gc
        import time

        watched = {"began": time.perf_counter(), "events": [], "since": None}

        def on_collection(phase, info):
            now = time.perf_counter()
            if phase == "start":
                watched["since"] = now
            elif watched["since"] is not None:
                watched["events"].append([watched["since"], now - watched["since"], info["generation"]])

        watched["callback"] = on_collection
        gc.callbacks.append(on_collection)
        self._gc = watched

    def _end_gc(self):
        import gc
        import time

        watched, self._gc = self._gc, None
        if watched is None:
            return None
        gc.callbacks.remove(watched["callback"])
        began = watched["began"]
        return {
            "durationMs": 1000 * (time.perf_counter() - began),
            "events": [
                {"atMs": 1000 * (since - began), "durationMs": 1000 * took, "kind": f"generation {generation}"}
                for since, took, generation in watched["events"]
            ],
        }

    def _end_heap(self, path):
        import gc
        import json
        import linecache
        import tracemalloc

        gc.collect()
        own = [tracemalloc.Filter(False, each) for each in (__file__, tracemalloc.__file__)]
        snapshot = tracemalloc.take_snapshot().filter_traces(own)
        tracemalloc.stop()

        frames, samples, weights = {}, [], []

        def number_of(frame):
            return frames.setdefault((frame.filename, frame.lineno), len(frames))

        for each in snapshot.statistics("traceback"):
            # The outermost comes first, there and here.
            samples.append([number_of(frame) for frame in each.traceback])
            weights.append(each.size)
        with open(path, "w", encoding="utf-8") as file:
            names = [
                {"name": linecache.getline(name, line).strip() or name, "file": name, "line": line}
                for name, line in frames
            ]
            profile = {
                "type": "sampled",
                "name": "Python memory",
                "unit": "bytes",
                "startValue": 0,
                "endValue": sum(weights),
                "samples": samples,
                "weights": weights,
            }
            schema = "https://www.speedscope.app/file-format-schema.json"
            json.dump({"$schema": schema, "shared": {"frames": names}, "profiles": [profile]}, file)
        return [
            {
                "name": linecache.getline(each.traceback[0].filename, each.traceback[0].lineno).strip(),
                "place": f"{each.traceback[0].filename}:{each.traceback[0].lineno}",
                "bytes": each.size,
                "count": each.count,
            }
            for each in snapshot.statistics("lineno")[:50]
        ]


def _leave_out_waiting(stats):
    """Takes out what waits for a file, a socket, a lock or the time, so that what is left is mostly work."""
    import re

    waits = re.compile(
        r"'(poll|control|acquire|__enter__|accept|recv\w*|read\w*|get)' of '(select|_thread|_socket|_io|_ssl|_queue)"
        r"|built-in method (select\.|time\.sleep|posix\.(read|wait)|_thread\.)"
    )

    def take_from_callers(key, seconds, path):
        callers = stats[key][4]
        total = sum(times[3] for times in callers.values())
        for caller, (some, calls, own, whole) in list(callers.items()):
            if total <= 0 or caller in path or caller not in stats:
                continue
            taken = seconds * whole / total
            callers[caller] = (some, calls, own, max(own, whole - taken))
            first, *rest, below, above = stats[caller]
            stats[caller] = (first, *rest, max(rest[-1], below - taken), above)
            take_from_callers(caller, taken, path | {caller})

    for key in [key for key in stats if waits.search(key[2])]:
        take_from_callers(key, stats[key][3], {key})
        del stats[key]


def _run_hidden():
    import importlib

    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != own]
    this = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ModuleNotFoundError:
        sys.modules["sitecustomize"] = this


try:
    if os.environ.get("MCP_PROFILER_PYTHON"):
        _begin_probe(os.environ["MCP_PROFILER_PYTHON"])
except Exception as error:
    # The program runs all the same, and it is told that it was not looked into.
    print(f"mcp-profiler: {error}", file=sys.stderr)
finally:
    _run_hidden()
