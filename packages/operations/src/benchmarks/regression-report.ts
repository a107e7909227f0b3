import { formatPercent, type BenchmarkComparison } from '@flamegate/benchmarks'
import { formatQuantity, table, type operations, type OutputOf } from '@flamegate/contract'
import type { RunComparison } from './compare-two-runs.ts'

type Failure = OutputOf<typeof operations.checkRegression>['failures'][number]

interface CheckOutcome {
  failures: readonly Failure[]
  failureCount: number
  /** Names of accepted regressions. */
  acknowledged: readonly string[]
  /** Of each failure, in its order. */
  knownIssues: readonly (readonly string[])[]
  publicUrl: string
}

const rowsMax = 25

/** What a pull request is told, as markdown. */
export function regressionReport(comparison: RunComparison, outcome: CheckOutcome): string {
  const { base, head, confidence } = comparison
  const link = `${outcome.publicUrl}/compare?base=${base.id}&head=${head.id}`
  const counted = comparison.benchmarks.length - comparison.ignoredCount
  return [
    title(outcome.failureCount),
    `${counted} benchmarks of \`${shortOf(head)}\` (${head.branch}) against \`${shortOf(base)}\` (${base.branch}), ` +
      `at ${Math.round(confidence * 1000) / 10} % confidence: ${countsInWords(comparison)}. [Compare the runs](${link})`,
    ...environment(comparison),
    ...failures(outcome),
    ...accepted(outcome),
    ...(comparison.ignoredCount === 0
      ? []
      : [
          `Ignored, and not counted: ${namesOf(comparison.benchmarks.filter(({ isIgnored }) => isIgnored))}.`,
        ]),
  ].join('\n\n')
}

function title(failureCount: number): string {
  if (failureCount === 0) return '## ✅ Passed: no performance regression'
  return `## ❌ Failed: ${failureCount === 1 ? 'one benchmark' : `${failureCount} benchmarks`} did not pass`
}

function countsInWords({ counts }: RunComparison): string {
  const words = Object.entries(counts).flatMap(([verdict, count]) =>
    count === 0 ? [] : `${count} ${verdict}`,
  )
  return words.join(', ') || 'nothing to compare'
}

function environment({ environmentDifferences }: RunComparison): string[] {
  const names = environmentDifferences.flatMap(({ key, weight }) => (weight === 'matters' ? key : []))
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
        failure.uri,
        failure.verdict,
        failure.base_value === null ? null : formatQuantity(failure.base_value, failure.unit),
        failure.head_value === null ? null : formatQuantity(failure.head_value, failure.unit),
        failure.change_percent === null ? null : formatPercent(failure.change_percent),
        certainty(failure),
        knownIssues[index]?.join(', ') || null,
      ]),
      '',
    ),
    ...(failureCount > shown.length ? [`${failureCount - shown.length} more are left out.`] : []),
  ]
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
  const shown = names.slice(0, 10).map((name) => `\`${name.replaceAll('`', "'")}\``)
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ')
}

function shortOf({ commitHash }: { commitHash: string }): string {
  return commitHash.slice(0, 9)
}
