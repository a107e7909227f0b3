"""A small MCP server over standard streams in Python, of which it is known how it behaves; run as a program of its own by tests.

Like most servers it has an event loop that reads lines, and tools that run in it or in threads.
"""

import asyncio
import json
import sys

kept = []


def squares(count):
    # In a loop of its own, so that the time is its own, and not that of a generator that it calls.
    total = 0
    for number in range(count):
        total += number * number
    return total


def keep(count):
    kept.append(["leaked " + str(index) for index in range(count)])
    return len(kept)


tools = {
    "squares": lambda: squares(20_000),
    "squares_in_thread": lambda: squares(20_000),
    "keep": lambda: keep(200),
    "nothing": lambda: 0,
}


async def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "python-sample", "version": "1.0.0"},
        }
    if method == "tools/list":
        schema = {"type": "object", "properties": {}}
        return {
            "tools": [
                {"name": name, "inputSchema": schema, "annotations": {"readOnlyHint": True}} for name in tools
            ]
        }
    if method == "tools/call":
        name = params["name"]
        called = tools[name]
        result = await asyncio.to_thread(called) if name.endswith("_in_thread") else called()
        return {"content": [{"type": "text", "text": str(result)}]}
    return {}


async def respond(request):
    response = {"jsonrpc": "2.0", "id": request["id"], "result": await answer(request["method"], request["params"])}
    sys.stdout.write(json.dumps(response) + "\n")
    sys.stdout.flush()


async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=2**20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    answers = set()
    while line := await reader.readline():
        request = json.loads(line)
        if "id" in request:
            task = asyncio.create_task(respond(request))
            answers.add(task)
            task.add_done_callback(answers.discard)


asyncio.run(main())
