import { toldPercent, type Insight } from '../insight.ts'
import type { MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

/** What share of the load went with agents that were lost: the system was under less than was asked for. */
export function lostLoadInsights({ id, lostLoads }: Pick<MeasuredRun, 'id' | 'lostLoads'>): Insight[] {
  return lostLoads.map(({ agentGroup, parts, of, engines, second }) => {
    const whose = engines.length === 0 ? '' : ` of ${engines.join(' and ')}`
    const since = second === null ? 'was never made' : `is missing from second ${second} on`
    return {
      kind: 'load_lost',
      level: 'warning',
      title: `${toldPercent(parts / of)} of the load${whose} of ${agentGroup} ${since}.`,
      detail: `${parts} of its ${of} agents were lost, and the others did not take over what they made. Hold the numbers after that against the load that there was, or run the scenario again.`,
      evidence: [evidence(id, 'generators', 'share of the load that was lost', parts / of, 'share', second)],
    }
  })
}
