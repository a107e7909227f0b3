import type { Command } from '../../commands/command.ts'
import { abTest } from './ab-test.ts'
import { autoTune } from './auto-tune.ts'
import { capacity } from './capacity.ts'
import { compare } from './compare.ts'
import { continuous } from './continuous.ts'
import { cpu } from './cpu.ts'
import { diagnose } from './diagnose.ts'
import { flameGraph } from './flame-graph.ts'
import { gcMonitor } from './gc-monitor.ts'
import { heapAnalysis } from './heap-analysis.ts'
import { loadTest } from './load-test.ts'
import { memory } from './memory.ts'
import { memoryLeaks } from './memory-leaks.ts'
import { production } from './production.ts'
import { profile } from './profile.ts'
import { regressionCheck } from './regression-check.ts'
import { regressionTest } from './regression-test.ts'
import { serve } from './serve.ts'
import { start } from './start.ts'
import { test } from './test.ts'
import { throughput } from './throughput.ts'

/** What `mcp-profiler <command>` and `flamegate mcp <command>` can do, in the order of the help. */
export const mcpCommands: readonly Command[] = [
  profile,
  start,
  loadTest,
  throughput,
  capacity,
  cpu,
  memory,
  gcMonitor,
  flameGraph,
  memoryLeaks,
  heapAnalysis,
  diagnose,
  test,
  compare,
  regressionCheck,
  regressionTest,
  abTest,
  autoTune,
  continuous,
  production,
  serve,
]
