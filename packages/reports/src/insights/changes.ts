import type { ComparedMetric } from '../block-statistic.ts'
import { blocksOf, type Blocks } from '../blocks.ts'
import { compareMetric, type MetricChange } from '../compare-metric.ts'
import { told, toldChange, type Insight, type InsightKind } from '../insight.ts'
import { ksDistance } from '../ks-distance.ts'
import type { MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

const metrics = ['rate', 'p50', 'p95', 'p99', 'error_share'] as const satisfies readonly ComparedMetric[]
/** So many are looked at that each has to be more certain, for 95 % of all (Bonferroni). */
const confidence = 1 - 0.05 / metrics.length
const units = { rate: 'requests per second', p50: 'ms', p95: 'ms', p99: 'ms', error_share: 'share' } as const
const names = {
  rate: 'throughput',
  p50: 'median',
  p95: 'p95',
  p99: 'p99',
  error_share: 'share of errors',
} as const
type Found = { metric: (typeof metrics)[number]; change: MetricChange }

/** What is better and what is worse than in another run, of all requests. */
export function changeInsights(before: MeasuredRun, after: MeasuredRun, apdexTargetMs: number): Insight[] {
  const [blocksBefore, blocksAfter] = [blocksOf(before.requests), blocksOf(after.requests)]
  const found = metrics.flatMap((metric): Found[] => {
    const change = compareMetric(metric, blocksBefore, blocksAfter, { apdexTargetMs, confidence })
    return change === null ? [] : [{ metric, change }]
  })
  if (found.length === 0) return []
  const distance = distanceOf(blocksBefore, blocksAfter)
  const insightOf = (verdict: 'better' | 'worse', kind: InsightKind, level: Insight['level']): Insight[] => {
    const changed = found.filter(({ change }) => change.verdict === verdict)
    if (changed.length === 0) return []
    return [
      {
        kind,
        level,
        title: `${verdict === 'worse' ? 'Worse' : 'Better'} than ${before.name}: ${changed.map(changeWords).join('; ')}.`,
        detail: `Of all requests, over blocks of time, with 95 % confidence in all of it. That covers what varied within the two runs, not from run to run: repeat them to be sure.`,
        evidence: [
          ...changed.flatMap(({ metric, change }) => numbersOf({ metric, change }, before.id, after.id)),
          ...distance,
        ],
      },
    ]
  }
  const changes = [
    ...insightOf('worse', 'regression', 'critical'),
    ...insightOf('better', 'improvement', 'passed'),
  ]
  if (changes.length > 0) return changes
  const isSame = found.every(({ change }) => change.verdict === 'same')
  return [
    {
      kind: isSame ? 'unchanged' : 'change_not_enough_data',
      level: 'info',
      title: isSame
        ? `As fast as ${before.name}, within what the numbers can tell.`
        : `No difference to ${before.name} is certain; the runs are too short or too uneven to say that there is none.`,
      detail: 'Throughput, median, p95, p99 and errors of all requests were compared over blocks of time.',
      evidence: [...found.flatMap((each) => numbersOf(each, before.id, after.id)), ...distance],
    },
  ]
}

function changeWords({ metric, change: { share, low, high, values } }: Found): string {
  const [from, to] = values
  if (share === null) return `${names[metric]} ${told(to)} instead of ${told(from)}`
  const interval = low === null || high === null ? '' : ` (${toldChange(low)} to ${toldChange(high)})`
  return `${names[metric]} ${toldChange(share)}${interval}`
}

function numbersOf(
  { metric, change: { values } }: Found,
  beforeId: string,
  afterId: string,
): Insight['evidence'] {
  return [
    evidence(beforeId, 'comparison', `${names[metric]} before`, values[0], units[metric]),
    evidence(afterId, 'comparison', `${names[metric]} after`, values[1], units[metric]),
  ]
}

/** How far apart the times of all requests are. */
function distanceOf({ total: a }: Blocks, { total: b }: Blocks): Insight['evidence'] {
  const distance = a === undefined || b === undefined ? null : ksDistance(a.responseTime, b.responseTime)
  return distance === null
    ? []
    : [evidence(null, 'distribution', 'Kolmogorov–Smirnov distance of the times', distance, 'share')]
}
