import { formatPercent, type BenchmarkComparison } from '@flamegate/benchmarks'
import { formatQuantity, table, type operations, type OutputOf } from '@flamegate/contract'
import type { Run } from '../ports/index.ts'
import type { RunComparison } from './compare-two-runs.ts'
import { flameGraphLinks } from './flame-graph-links.ts'

type Failure = OutputOf<typeof operations.checkRegression>['failures'][number]

interface CheckOutcome {
  failures: readonly Failure[]
  failureCount: number
  /** Of the benchmarks, those that there was something to judge by. */
  judgedCount: number
  /** Names of accepted regressions. */
  acknowledged: readonly string[]
  /** Of each failure, in its order. */
  knownIssues: readonly (readonly string[])[]
  /** What else is to be said of how it was judged. */
  notes: readonly string[]
  publicUrl: string
}

const rowsMax = 25
const nameMax = 150

/** What a pull request is told, as markdown. */
export function regressionReport(comparison: RunComparison<Run | undefined>, outcome: CheckOutcome): string {
  return [
    title(comparison, outcome),
    whatWasJudged(comparison, outcome.publicUrl),
    ...environment(comparison),
    ...failures(outcome),
    ...flameGraphLinks(
      comparison,
      outcome.failures,
      (failure) => code(nameAmong(outcome.failures, failure)),
      outcome.publicUrl,
    ),
    ...accepted(outcome),
    ...outcome.notes,
    ...(comparison.ignoredCount === 0
      ? []
      : [
          `Ignored, and not counted: ${namesOf(comparison.benchmarks.filter(({ isIgnored }) => isIgnored))}.`,
        ]),
  ].join('\n\n')
}

function whatWasJudged(comparison: RunComparison<Run | undefined>, publicUrl: string): string {
  const { base, head, confidence } = comparison
  const counted = comparison.benchmarks.length - comparison.ignoredCount
  const ofHead = `${counted === 1 ? 'One benchmark' : `${counted} benchmarks`} of ${code(shortOf(head))} (${code(head.branch)})`
  if (base === undefined) {
    const byThresholds = counted - comparison.counts.new
    const judged = byThresholds === 0 ? 'nothing is judged' : `thresholds judge ${byThresholds}`
    return `${ofHead}, and no earlier run: ${judged}. [See the run](${publicUrl}/runs/${head.id})`
  }
  const link = `${publicUrl}/compare?base=${base.id}&head=${head.id}`
  return (
    `${ofHead} against ${code(shortOf(base))} (${code(base.branch)}), ` +
    `at ${Math.round(confidence * 1000) / 10} % confidence: ${countsInWords(comparison)}. [Compare the runs](${link})`
  )
}

function title(
  { base }: Pick<RunComparison<Run | undefined>, 'base'>,
  { failureCount, judgedCount }: CheckOutcome,
): string {
  if (judgedCount === 0) {
    return base === undefined
      ? '## ✅ Passed: there is no earlier run to judge this one against'
      : '## ✅ Passed: there was nothing to judge'
  }
  if (failureCount === 0) return '## ✅ Passed: no performance regression'
  return `## ❌ Failed: ${failureCount === 1 ? 'one benchmark' : `${failureCount} benchmarks`} did not pass`
}

function countsInWords({ counts }: Pick<RunComparison, 'counts'>): string {
  const words = Object.entries(counts).flatMap(([verdict, count]) =>
    count === 0 ? [] : `${count} ${verdict}`,
  )
  return words.join(', ') || 'nothing to compare'
}

function environment({ environmentDifferences }: Pick<RunComparison, 'environmentDifferences'>): string[] {
  const names = environmentDifferences.flatMap(({ key, weight }) => (weight === 'matters' ? code(key) : []))
  return names.length === 0
    ? []
    : [
        `> The runs were not made under the same conditions (${names.join(', ')}): changes may come from there.`,
      ]
}

function failures({ failures: all, failureCount, knownIssues }: CheckOutcome): string[] {
  if (all.length === 0) return []
  const shown = all.slice(0, rowsMax)
  return [
    table(
      ['Benchmark', 'Verdict', 'Base', 'Head', 'Change', 'How sure', 'Known issues'],
      shown.map((failure, index) => [
        code(nameAmong(shown, failure)),
        failure.verdict,
        failure.base_value === null ? null : quantity(failure.base_value, failure.unit),
        failure.head_value === null ? null : quantity(failure.head_value, failure.unit),
        failure.change_percent === null ? null : formatPercent(failure.change_percent),
        certainty(failure),
        knownIssues[index]?.join(', ') || null,
      ]),
      '',
    ),
    ...reasons(shown),
    ...(failureCount > shown.length ? [`${failureCount - shown.length} more are left out.`] : []),
  ]
}

/** Of what no probability tells, why it fails. */
function reasons(shown: readonly Failure[]): string[] {
  const lines = shown.flatMap((each) =>
    each.p_value === null ? [`- ${code(nameAmong(shown, each))}: ${each.reason}`] : [],
  )
  return lines.length === 0 ? [] : [lines.join('\n')]
}

/** Its uri, with the metric where several of one uri are listed. */
function nameAmong(shown: readonly Failure[], { uri, metric }: Failure): string {
  return shown.filter((each) => each.uri === uri).length === 1 ? uri : `${uri} (${metric})`
}

function certainty({ interval_low_percent: low, interval_high_percent: high, p_value: p }: Failure): string {
  const interval = low === null || high === null ? [] : [`${formatPercent(low)} to ${formatPercent(high)}`]
  const probability = p === null ? [] : [p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`]
  return [...interval, ...probability].join(', ') || 'not tested'
}

function accepted({ acknowledged }: CheckOutcome): string[] {
  if (acknowledged.length === 0) return []
  return [`Regressed, and accepted: ${listed(acknowledged)}.`]
}

function namesOf(benchmarks: readonly BenchmarkComparison[]): string {
  return listed(benchmarks.map(({ name }) => name))
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map(code)
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ')
}

/**
 * A name as code: names come with uploads, and one like `@team` or `map<int>` is neither a mention nor markup. Short
 * enough that no table cuts off its end.
 */
function code(name: string): string {
  const words = name.replaceAll('`', "'").replaceAll(/\s+/g, ' ')
  return `\`${words.length > nameMax ? `${words.slice(0, nameMax - 1)}…` : words}\``
}

/** Units come with uploads as well. */
function quantity(value: number, unit: string): string {
  const words = formatQuantity(value, unit)
  return /^[\p{L}\p{N} %/^.-]*$/u.test(unit) ? words : code(words)
}

function shortOf({ commitHash }: { commitHash: string }): string {
  return commitHash.slice(0, 9)
}
