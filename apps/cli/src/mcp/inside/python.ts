import path from 'node:path'
import type { McpTarget } from '../target/mcp-target.ts'
import type { InsideOptions, Preparation, WantedInside } from './inside.ts'
import { PythonProbe } from './python/python-probe.ts'
import { PythonProcesses } from './python/python-processes.ts'
import { runsPython } from './python/runs-python.ts'

/** Holds the module that each Python runs at its start. */
const probeFolder = path.join(import.meta.dirname, 'python')

/**
 * A command of Python is started with a module of ours, which PYTHONPATH has each Python find, in whatever way it is started:
 * `python server.py`, `python -m server`, `uv run`, `uvx`, or a script. It waits until it is told what to measure.
 */
export function preparePython(
  target: McpTarget,
  wanted: WantedInside,
  options: InsideOptions,
): Preparation | undefined {
  // Sockets with a path are not there on Windows.
  if (target.kind !== 'stdio' || process.platform === 'win32') return undefined
  if (!runsPython(target, options.env['PATH'])) return undefined
  const processes = new PythonProcesses()
  const searched = target.env['PYTHONPATH'] ?? options.env['PYTHONPATH']
  return {
    target: {
      ...target,
      env: {
        ...target.env,
        PYTHONPATH: [probeFolder, ...(searched ? [searched] : [])].join(path.delimiter),
        MCP_PROFILER_PYTHON: processes.address,
        ...(wanted.cpu === true ? { MCP_PROFILER_PYTHON_CPU: '1' } : {}),
      },
    },
    async attach() {
      const found = await processes.latest()
      if (found !== undefined) return new PythonProbe(found, wanted, options, () => processes.close())
      processes.close()
      throw new Error(
        'No Python told of itself: the command is none, or runs it in a container, or with -I, -E or -S, which leave our module out.',
      )
    },
  }
}
