import { benjaminiHochberg, formatPercent, twoSidedQuantiles } from '@flamegate/benchmarks/arithmetic'
import { operationKey, operationTitle } from '../operation-key.ts'
import type { McpOperation, McpReport } from '../report.ts'
import type {
  ComparedMetric,
  ComparedSide,
  McpComparison,
  MetricComparison,
  OperationComparison,
} from './comparison.ts'
import { judgeMetric } from './judge-metric.ts'
import type { MeasuredChange } from './measured-change.ts'
import { operationChanges } from './operation-changes.ts'
import { overallChanges } from './overall-changes.ts'
import { referencesNote, referencesOf } from './references.ts'
import { reportDifferences, whyIncomparable } from './report-environment.ts'

export interface CompareReportsOptions {
  /** 5 when left out. */
  thresholdPercent?: number
  /** When left out 0.98 of blocks in turns, and 0.95 of sessions, whose noise is assumed and rather too large. */
  confidence?: number
  /**
   * Block n of both reports ran one after the other (`regression-test`, `ab-test`), so they are compared in pairs. Which of
   * both goes first has to change from pair to pair.
   */
  isInterleaved?: boolean
}

const latencies: ReadonlySet<ComparedMetric> = new Set(['mean_ms', 'p50_ms', 'p95_ms', 'p99_ms'])
const timeMetrics: ReadonlySet<ComparedMetric> = new Set([...latencies, 'requests_per_second'])

/**
 * What changed from one measurement to another, how large that is, and how sure: see docs/mcp-profiler.md for the methods.
 * Where processor or load differ, no claim is made about time.
 */
export function compareReports(
  base: McpReport,
  head: McpReport,
  {
    thresholdPercent = 5,
    isInterleaved = false,
    confidence = isInterleaved ? 0.98 : 0.95,
  }: CompareReportsOptions = {},
): McpComparison {
  const quantile = twoSidedQuantiles(confidence)
  const differences = reportDifferences(base, head)
  const otherNumber = isInterleaved ? differences.find(({ key }) => key === 'concurrent_calls') : undefined
  const references = isInterleaved ? undefined : referencesOf(base, head)
  const incomparable = whyIncomparable(base, head, {
    differences: differences.filter((each) => each !== otherNumber),
    areAlone: !isInterleaved && references === undefined,
  })
  const circumstances = { quantile, isInterleaved, references }
  const { pairs, notes } = pairOperations(base, head)
  const perOperation = pairs.map((pair) => operationChanges(...pair, circumstances))
  const ofWhole = overallChanges(base, head, circumstances)
  const { means = [], others = [] } = Object.groupBy([ofWhole, ...perOperation].flat(), familyOf)
  const adjustments = { means: adjustFor(means), others: adjustFor(others) }
  const judge = (change: MeasuredChange): MetricComparison => {
    const adjust = adjustments[familyOf(change)]
    const judged = judgeMetric(change, { thresholdPercent, confidence, adjust })
    const isDoubtful =
      change.kind === 'tested' &&
      (incomparable.length > 0 || (otherNumber !== undefined && latencies.has(change.metric)))
    return isDoubtful ? { ...judged, verdict: 'cannot_tell' } : judged
  }
  const operations = pairs.map(([{ method, name }], at): OperationComparison => {
    return { method, name, metrics: (perOperation[at] ?? []).map(judge) }
  })
  const overall = ofWhole.map(judge)
  const named = [
    ...operations.flatMap((operation) =>
      operation.metrics.map((metric) => ({ subject: operationTitle(operation), metric })),
    ),
    ...overall.map((metric) => ({ subject: 'the server', metric })),
  ]
  const told = (verdict: 'worse' | 'better') =>
    named.filter(({ metric }) => metric.isCounted && metric.verdict === verdict).map(describe)
  const verdict = verdictOf(
    named.map(({ metric }) => metric),
    otherNumber ? 'requests_per_second' : 'mean_ms',
  )
  const [regressions, improvements] = [told('worse'), told('better')]
  return {
    type: 'mcp_profiler_comparison',
    version: 1,
    base: sideOf(base),
    head: sideOf(head),
    thresholdPercent,
    confidence,
    isInterleaved,
    verdict,
    regressions,
    improvements,
    summary: summarize(verdict, { regressions, improvements, incomparable, thresholdPercent, isInterleaved }),
    environmentDifferences: differences,
    overall,
    operations,
    notes: [
      ...incomparable.map((reason) => `No claim about time: ${reason}.`),
      ...(otherNumber
        ? [
            `${otherNumber.base} and ${otherNumber.head} calls at a time: the times of calls are not compared, the throughput is.`,
          ]
        : []),
      ...(references ? [referencesNote] : []),
      ...doubtsOf(differences),
      ...notes,
    ],
  }
}

/**
 * How many blocks of each side would tell a change as large as the threshold from none: so many that half the interval is no
 * wider than half the threshold, reckoned by the blocks there are. Null where nothing is known yet.
 */
export function blocksNeeded(comparison: McpComparison, blocks: number): number | null {
  const margins = comparison.operations.flatMap(({ metrics }) =>
    metrics.flatMap(({ metric, lowPercent, highPercent }) =>
      metric === 'mean_ms' && lowPercent !== null && highPercent !== null
        ? [(Math.log1p(highPercent / 100) - Math.log1p(lowPercent / 100)) / 2]
        : [],
    ),
  )
  if (margins.length === 0) return null
  const wanted = Math.log1p(comparison.thresholdPercent / 100) / 2
  return Math.ceil(blocks * (Math.max(...margins) / wanted) ** 2)
}

function pairOperations(
  base: McpReport,
  head: McpReport,
): { pairs: [McpOperation, McpOperation][]; notes: string[] } {
  const ofBase = new Map(base.operations.map((operation) => [operationKey(operation), operation]))
  const ofHead = new Map(head.operations.map((operation) => [operationKey(operation), operation]))
  return {
    pairs: head.operations.flatMap((operation): [McpOperation, McpOperation][] => {
      const before = ofBase.get(operationKey(operation))
      return before ? [[before, operation]] : []
    }),
    notes: [
      ...head.operations
        .filter((operation) => !ofBase.has(operationKey(operation)))
        .map((operation) => `${operationTitle(operation)} was measured in head only.`),
      ...base.operations
        .filter((operation) => !ofHead.has(operationKey(operation)))
        .map((operation) => `${operationTitle(operation)} was measured in base only.`),
    ],
  }
}

/** The means of operations answer the question, and are not made less sure by all that is looked at besides. */
function familyOf({ metric }: MeasuredChange): 'means' | 'others' {
  return metric === 'mean_ms' ? 'means' : 'others'
}

function adjustFor(changes: readonly MeasuredChange[]): (pValue: number) => number {
  return benjaminiHochberg(changes.flatMap((change) => pValueOf(change) ?? []))
}

function pValueOf(change: MeasuredChange): number | undefined {
  if (change.kind === 'tested') return change.effect.pValue
  return change.kind === 'errors' ? change.pValue : undefined
}

/** `main` has to be the same of everything, so that the whole is. */
function verdictOf(metrics: readonly MetricComparison[], main: ComparedMetric): McpComparison['verdict'] {
  const times = metrics.filter(({ metric, isCounted }) => isCounted && timeMetrics.has(metric))
  if (times.some(({ verdict }) => verdict === 'worse')) return 'slower'
  if (times.some(({ verdict }) => verdict === 'better')) return 'faster'
  const mains = times.filter(({ metric }) => metric === main)
  return mains.length > 0 && mains.every(({ verdict }) => verdict === 'same') ? 'same' : 'cannot_tell'
}

function describe({ subject, metric }: { subject: string; metric: MetricComparison }): string {
  const { metric: name, base, head, changePercent, lowPercent, highPercent } = metric
  if (name === 'error_rate')
    return `${subject}: error_rate from ${share(base)} to ${share(head)} (${metric.method})`
  const change = changePercent === null ? '' : ` ${formatPercent(changePercent)}`
  const interval =
    lowPercent === null || highPercent === null
      ? ''
      : ` (${formatPercent(lowPercent)} to ${formatPercent(highPercent)})`
  return `${subject}: ${name}${change}${interval}`
}

function share(value: number | null): string {
  return value === null ? 'unknown' : `${Number((100 * value).toPrecision(3))} %`
}

function summarize(
  verdict: McpComparison['verdict'],
  {
    regressions,
    improvements,
    incomparable,
    thresholdPercent,
    isInterleaved,
  }: {
    regressions: string[]
    improvements: string[]
    incomparable: string[]
    thresholdPercent: number
    isInterleaved: boolean
  },
): string {
  const first = regressions[0] ?? improvements[0]
  const more = Math.max(0, (regressions.length || improvements.length) - 1)
  const example = first === undefined ? '' : ` ${first}${more > 0 ? `, and ${more} more` : ''}.`
  const worse = regressions.length > 0 && verdict !== 'slower' ? ' Something else got worse.' : ''
  const sentences: Record<McpComparison['verdict'], string> = {
    slower: 'Head is slower.',
    faster: 'Head is faster.',
    same: `No change of ${thresholdPercent} % or more.`,
    cannot_tell:
      incomparable.length > 0
        ? `Nothing can be told about time: ${incomparable[0]}.`
        : `The noise hides whether there is a change of ${thresholdPercent} %: measure longer${isInterleaved ? '' : ', or in turns (regression-test)'}.`,
  }
  return `${sentences[verdict]}${worse}${example}`
}

function doubtsOf(differences: McpComparison['environmentDifferences']): string[] {
  return differences
    .filter(({ weight }) => weight === 'matters')
    .map(({ key, base, head, reason }) => `${key} differs: ${base} and ${head}. ${reason}`)
}

function sideOf({ target, startedAt }: McpReport): ComparedSide {
  return {
    target: target.name,
    label: target.label,
    startedAt,
    serverVersion: target.server?.version ?? null,
  }
}
