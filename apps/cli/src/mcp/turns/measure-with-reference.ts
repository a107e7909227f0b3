import path from 'node:path'
import type { McpReport } from '@flamegate/mcp-profiling'
import { measureTurns, type TurnsOptions } from './measure-turns.ts'
import { referenceVersion } from './reference-version.ts'
import type { Side } from './side.ts'

/** With fewer blocks nothing can be compared. */
const pairsMin = 5

/**
 * Measures a server in turns with the reference for a time, and gives the server's report with what the reference had beside
 * it. So two sessions of different days can be held against each other: how fast the machine was each day is known.
 */
export async function measureWithReference(
  side: Side,
  options: Omit<TurnsOptions, 'isEnough'> & { durationMs: number },
): Promise<McpReport> {
  const endAtMs = performance.now() + options.durationMs
  const [report, { operations, turns = [] }] = await measureTurns([side, referenceSide()], {
    ...options,
    isEnough: (pairs) => pairs >= pairsMin && performance.now() >= endAtMs,
  })
  return {
    ...report,
    reference: {
      version: referenceVersion,
      blockMeansMs: operations[0]?.blockMeansMs ?? [],
      cpuMsPerCall: turns.map(({ cpuMs, ended }) => (cpuMs === null || ended === 0 ? null : cpuMs / ended)),
    },
  }
}

function referenceSide(): Side {
  return {
    label: 'reference',
    concurrent: 1,
    asked: { named: ['work'], mayChange: undefined, given: {}, isWide: false },
    target: {
      kind: 'stdio',
      name: 'reference',
      from: 'mcp-profiler',
      command: [process.execPath, path.join(import.meta.dirname, 'reference-server.ts')],
      env: {},
      cwd: import.meta.dirname,
    },
  }
}
