import { operationTitle, type McpReport } from '@flamegate/mcp-profiling'
import type { MeasuredLoad } from '../load/measure-load.ts'
import type { Measuring } from '../measuring.ts'
import { sweepEntry } from '../report/sweep-entry.ts'

/** Calls at once. The highest is more where there are more operations, so that each of them is called by several. */
const concurrencies = [1, 2, 4, 8, 16]
const concurrentMax = 64
/** Of each of them; in less there are too few calls. */
const levelMsMin = 500
/** Of each operation, with the most calls at once: in fewer it may be chance that none of them meets another. */
const callsWanted = 30
/** For them it is measured again for twice as long, so often at most: a server that is starved answers few. */
const timesLongerMax = 2

/** All operations in turns, by more and more at once. `durationMs`: of all levels together, about. */
export async function measureSweep(
  { measure, operations, interruption }: Pick<Measuring, 'measure' | 'operations' | 'interruption'>,
  durationMs: number,
): Promise<McpReport['sweep']> {
  const levels = [...concurrencies]
  while ((levels.at(-1) ?? 1) < 2 * operations.length && (levels.at(-1) ?? 1) < concurrentMax)
    levels.push(2 * (levels.at(-1) ?? 1))
  const levelMs = Math.max(levelMsMin, durationMs / levels.length)
  const at = (concurrent: number, ms: number) =>
    measure(
      `${concurrent} at a time`,
      { model: 'closed', concurrent, requests: undefined, durationMs: ms },
      { inside: false, warmUpCalls: 0 },
    )
  const sweep: McpReport['sweep'] = []
  for (const concurrent of levels) {
    if (interruption.aborted) break
    let measured = await at(concurrent, levelMs)
    if (concurrent === levels.at(-1))
      for (let longer = 1; longer <= timesLongerMax && hasFewCalls(measured); longer++) {
        if (interruption.aborted) break
        measured = await at(concurrent, levelMs * 2 ** longer)
      }
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

function hasFewCalls({ operations }: MeasuredLoad): boolean {
  return operations.some(({ calls }) => calls < callsWanted)
}
