import { told, toldLoad, type Insight } from '../insight.ts'
import { loadLevels } from '../load-levels.ts'
import { loadUnitOf, momentsOf, type MeasuredRun } from '../measured-run.ts'
import { findSaturation } from '../saturation.ts'
import { evidence } from './evidence.ts'

/** Whether the system took no more than some throughput, however high the load. */
export function saturationInsights(run: MeasuredRun): Insight[] {
  const unit = loadUnitOf(run)
  // Without users nobody knows what was asked of the system, only what it did.
  if (unit === 'requests per second') return []
  const found = findSaturation(loadLevels(momentsOf(run)))
  const { id } = run
  if (found.outcome === 'unknown') return []
  const { top, rateMax } = found
  if (found.outcome === 'not_saturated')
    return [
      {
        kind: 'not_saturated',
        level: 'info',
        title: `The system was not saturated: up to ${toldLoad(top.load, unit)} its throughput followed the load, or its latency stayed.`,
        detail: 'Where its limit is was not seen. A higher load would show it.',
        evidence: [
          evidence(id, 'users', 'highest load', top.load, unit, top.second),
          evidence(id, 'rate', 'highest throughput', rateMax, 'requests per second'),
        ],
      },
    ]
  const { level } = found
  return [
    {
      kind: 'saturated',
      level: 'critical',
      title: `The system was saturated at ${told(rateMax)} requests per second, from ${toldLoad(level.load, unit)} on.`,
      detail: `The load went on to ${toldLoad(top.load, unit)} and throughput did not, so that all waited longer, as Little's law has it. Look for what was used up then: processors, connections, locks, a pool.`,
      evidence: [
        evidence(id, 'rate', 'highest throughput', rateMax, 'requests per second', level.second),
        evidence(id, 'users', 'load at which it was reached', level.load, unit, level.second),
        evidence(id, 'users', 'highest load', top.load, unit, top.second),
        evidence(id, 'p95', 'p95 where it was reached', level.latencyMs, 'ms', level.second),
        evidence(id, 'p95', 'p95 at the highest load', top.latencyMs, 'ms', top.second),
        evidence(
          id,
          'rate',
          'throughput at the highest load',
          top.ratePerSecond,
          'requests per second',
          top.second,
        ),
      ],
    },
  ]
}
