import { told, type Insight } from '../insight.ts'
import { momentsOf, type MeasuredRun } from '../measured-run.ts'
import { findWarmUp } from '../warm-up.ts'
import { evidence } from './evidence.ts'

/** Whether the first seconds were slower than the rest. */
export function warmUpInsights(run: MeasuredRun): Insight[] {
  const found = findWarmUp(momentsOf(run))
  if (found.outcome !== 'warmed_up') return []
  const { seconds, beforeMs, afterMs } = found
  return [
    {
      kind: 'warm_up',
      level: 'info',
      title: `The first ${seconds} s were slower: a median of ${told(beforeMs)} ms, and ${told(afterMs)} ms after.`,
      detail: `Caches were cold, or code was not compiled yet. Give the items of the report from_second ${seconds}, to leave that out. How long it lasted was found by MSER.`,
      evidence: [
        evidence(run.id, 'p50', 'median at first', beforeMs, 'ms', 0),
        evidence(run.id, 'p50', 'median after that', afterMs, 'ms', seconds),
      ],
    },
  ]
}
