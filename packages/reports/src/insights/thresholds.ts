import { type Insight } from '../insight.ts'
import type { MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

/** Thresholds of the scenario that were breached, each; else that all were kept. */
export function thresholdInsights({ id, thresholds }: MeasuredRun): Insight[] {
  const breached = thresholds.filter(({ state }) => state === 'breached')
  const kept = thresholds.filter(({ state }) => state === 'passed')
  if (breached.length > 0)
    return breached.map(({ text, measured }) => ({
      kind: 'threshold_breached',
      level: 'critical' as const,
      title: `A threshold was breached: ${text}.`,
      detail: 'It is one of the thresholds of the scenario, held against the whole run.',
      evidence: [evidence(id, 'thresholds', 'measured', measured?.value ?? 0, measured?.unit ?? 'count')],
    }))
  if (kept.length === 0) return []
  return [
    {
      kind: 'thresholds_kept',
      level: 'passed',
      title:
        kept.length === 1
          ? 'The threshold that something was measured for was kept.'
          : `All ${kept.length} thresholds that something was measured for were kept.`,
      detail: 'Thresholds are those of the scenario, held against the whole run.',
      evidence: [evidence(id, 'thresholds', 'thresholds kept', kept.length, 'count')],
    },
  ]
}
