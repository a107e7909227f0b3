import { told, toldLoad, type Insight } from '../insight.ts'
import { findKnee } from '../knee.ts'
import { loadLevels } from '../load-levels.ts'
import { loadUnitOf, momentsOf, type MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

const method = 'Found by Kneedle on p95 against the load.'

/** At which load latency began to rise faster than the load; or that none was seen, or that there was too little to see one. */
export function kneeInsights(run: MeasuredRun): Insight[] {
  const unit = loadUnitOf(run)
  const { id } = run
  const moments = momentsOf(run)
  if (moments.every(({ count }) => count === 0)) return []
  const knee = findKnee(loadLevels(moments))
  switch (knee.outcome) {
    case 'seen': {
      const { load, ratePerSecond, latencyMs, second } = knee.level
      const rate = unit === 'requests per second' ? '' : `, ${told(ratePerSecond)} requests per second`
      return [
        {
          kind: 'knee',
          level: 'warning',
          title: `Latency kneed at ${toldLoad(load, unit)}${rate}: beyond, p95 went from ${told(latencyMs)} to ${told(knee.topMs)} ms.`,
          detail: `${method} Keep the load below it, or find out what queues there.`,
          evidence: [
            evidence(id, 'users', 'load at the knee', load, unit, second),
            evidence(id, 'rate', 'throughput at the knee', ratePerSecond, 'requests per second', second),
            evidence(id, 'p95', 'p95 at the knee', latencyMs, 'ms', second),
            evidence(id, 'p95', 'p95 at the lowest load', knee.baseMs, 'ms'),
            evidence(id, 'p95', 'p95 at the highest load', knee.topMs, 'ms'),
            evidence(id, 'p95', 'distance below the diagonal', knee.bend, 'share'),
          ],
        },
      ]
    }
    case 'none':
      return [
        {
          kind: 'knee_none_seen',
          level: 'info',
          title:
            knee.why === 'flat'
              ? `No knee was seen: p95 hardly rose up to ${toldLoad(knee.topLoad, unit)}.`
              : `No knee was seen: p95 rose with the load all along, up to ${toldLoad(knee.topLoad, unit)}.`,
          detail: method,
          evidence: [
            evidence(id, 'p95', 'p95 at the lowest load', knee.baseMs, 'ms'),
            evidence(id, 'p95', 'p95 at the highest load', knee.topMs, 'ms'),
            evidence(id, 'users', 'highest load', knee.topLoad, unit),
          ],
        },
      ]
    default:
      return [
        {
          kind: 'knee_not_enough_data',
          level: 'info',
          title: 'Whether latency has a knee cannot be told: the load had too few heights.',
          detail:
            'It takes five different loads, the highest 1.5 times the lowest or more: a ramp, or stairs.',
          evidence: [evidence(id, 'users', 'different loads', knee.levelCount, 'count')],
        },
      ]
  }
}
