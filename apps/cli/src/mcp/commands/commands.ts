import type { Command } from '../../commands/command.ts'
import { capacity } from './capacity.ts'
import { compare } from './compare.ts'
import { loadTest } from './load-test.ts'
import { profile } from './profile.ts'
import { regressionCheck } from './regression-check.ts'
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
  test,
  compare,
  regressionCheck,
]
