import { operationTitle, type McpReport } from '@flamegate/mcp-profiling'
import type { Measuring } from '../measuring.ts'
import { sweepEntry } from '../report/sweep-entry.ts'

/** Calls at once. The highest is more where there are more operations, so that each of them is called by several. */
const concurrencies = [1, 2, 4, 8, 16]
const concurrentMax = 64
/** Of each of them; in less there are too few calls. */
const levelMsMin = 500
/** All operations in turns, by more and more at once. `durationMs`: of all levels together, about. */
export async function measureSweep(
  { measure, operations, interruption }: Pick<Measuring, 'measure' | 'operations' | 'interruption'>,
  durationMs: number,
): Promise<McpReport['sweep']> {
  const levels = [...concurrencies]
  while ((levels.at(-1) ?? 1) < 2 * operations.length && (levels.at(-1) ?? 1) < concurrentMax)
    levels.push(2 * (levels.at(-1) ?? 1))
  const sweep: McpReport['sweep'] = []
  for (const concurrent of levels) {
    if (interruption.aborted) break
    const measured = await measure(
      `${concurrent} at a time`,
      {
        model: 'closed',
        concurrent,
        requests: undefined,
        durationMs: Math.max(levelMsMin, durationMs / levels.length),
      },
      { inside: false, warmUpCalls: 0 },
    )
    sweep.push({
      ...sweepEntry(measured),
      operations: measured.operations.map((operation) => ({
        operation: operationTitle(operation),
        calls: operation.calls,
        failures: operation.failures,
      })),
    })
  }
  return sweep
}
