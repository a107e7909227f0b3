import { toldPercent, type Insight } from '../insight.ts'
import type { MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

/** Of the seconds of a run; what is less is a hiccup. */
const shareTold = 0.02
const shareCritical = 0.2

/** Whether the generators were the bottleneck: then latencies are their own, and not those of what was under load. */
export function generatorInsights({ id, generators, requests }: MeasuredRun): Insight[] {
  const seconds = requests.reduce((sum, bucket) => sum + bucket.seconds, 0)
  if (generators === null || seconds === 0) return []
  const { limitedSeconds, cpuShareMax, sendLagMaxMs } = generators
  const share = limitedSeconds / seconds
  const numbers = [
    evidence(id, 'generators', 'seconds in which an agent was at its limit', limitedSeconds, 's'),
    evidence(id, 'generators', 'processor of an agent, at most', cpuShareMax, 'share'),
    evidence(id, 'generators', 'sent too late, at most', sendLagMaxMs, 'ms'),
  ]
  if (share < shareTold)
    return [
      {
        kind: 'generators_sound',
        level: 'passed',
        title: 'The load generators kept up.',
        detail:
          'They were hardly ever near the limit of a core, and sent in time: what was measured is the system under load.',
        evidence: numbers,
      },
    ]
  return [
    {
      kind: 'generator_limited',
      level: share >= shareCritical ? 'critical' : 'warning',
      title: `In ${toldPercent(share)} of the seconds a load generator was the bottleneck.`,
      detail:
        'It used more than 90 % of a core, or was held up or late by more than 100 ms. Latencies of these seconds are partly its own. Run the scenario again with more agents.',
      evidence: numbers,
    },
  ]
}
