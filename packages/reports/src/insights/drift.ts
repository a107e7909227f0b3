import { findDrift } from '../drift.ts'
import { toldPercent, type Insight } from '../insight.ts'
import { momentsOf, type MeasuredRun } from '../measured-run.ts'
import { plateauOf } from '../plateau.ts'
import { evidence } from './evidence.ts'

/** Whether latency rose slowly while the load stayed the same, as it does when something fills up. */
export function driftInsights(run: MeasuredRun): Insight[] {
  const found = findDrift(plateauOf(momentsOf(run)))
  const { id } = run
  if (found.outcome === 'unknown') return []
  const span = `from second ${found.fromSecond} to ${found.toSecond}`
  if (found.outcome === 'steady')
    return [
      {
        kind: 'steady',
        level: 'passed',
        title: `Under the highest load latency was steady, ${span}.`,
        detail: 'There was no trend in the median, by the test of Mann and Kendall, or it was below a tenth.',
        evidence: [evidence(id, 'p50', 'change of the median', found.share, 'share', found.fromSecond)],
      },
    ]
  return [
    {
      kind: 'drift',
      level: found.share > 0 ? 'warning' : 'info',
      title: `Under the same load the median ${found.share > 0 ? 'rose' : 'fell'} by ${toldPercent(Math.abs(found.share))}, ${span}.`,
      detail:
        found.share > 0
          ? 'Something may fill up: memory, a queue, a table without an index. A longer run would show whether it goes on. The trend is that of Mann and Kendall, its size that of Theil and Sen.'
          : 'Caches may have filled. The trend is that of Mann and Kendall, its size that of Theil and Sen.',
      evidence: [
        evidence(id, 'p50', 'median at the beginning', found.fromMs, 'ms', found.fromSecond),
        evidence(id, 'p50', 'median at the end', found.toMs, 'ms', found.toSecond),
        evidence(id, 'p50', 'p value', Number(found.pValue.toPrecision(3)), ''),
      ],
    },
  ]
}
