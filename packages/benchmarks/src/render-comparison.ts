import type { BenchmarkComparison, Comparison, Verdict } from './compare-benchmarks.ts'
import type { EnvironmentDifference } from './compare-environments.ts'
import { formatNoise, formatPercent } from './format-percent.ts'
import { formatQuantity } from './format-quantity.ts'
import { largestChangeFirst } from './largest-change-first.ts'

/** What the caller knows and the comparison does not, e.g. `{ base_run_id: 'run_a', head_run_id: 'run_b' }`. */
export type FrontMatter = Record<string, string | number | boolean>

const CELL_LENGTH_MAX = 100
const DEFAULT_ROWS_MAX = 25
const REASONS_MAX = 5
const REASON_LENGTH_MAX = 600

/** Sections after the environment: what needs a person first. Of unchanged benchmarks the count is enough. */
const SECTIONS: { title: string; verdict: Verdict }[] = [
  { title: 'Regressions', verdict: 'regressed' },
  { title: 'Improvements', verdict: 'improved' },
  { title: 'Too Noisy to Tell', verdict: 'noisy' },
  { title: 'Not Comparable', verdict: 'incomparable' },
  { title: 'New', verdict: 'new' },
  { title: 'Missing', verdict: 'missing' },
]

/**
 * A Markdown report of a comparison: front matter, environment differences first, then one table per verdict, largest
 * change first, and what to do next. Each table has at most `rowsMax` rows and says how many it leaves out, so that the
 * report stays well below 20,000 tokens.
 */
export function renderComparison(
  comparison: Comparison,
  frontMatter: FrontMatter,
  { rowsMax = DEFAULT_ROWS_MAX }: { rowsMax?: number } = {},
): string {
  const counted = comparison.benchmarks.filter(({ isIgnored }) => !isIgnored)
  const ignored = comparison.benchmarks.filter(({ isIgnored }) => isIgnored)
  return [
    renderFrontMatter(comparison, frontMatter),
    renderEnvironment(comparison, rowsMax),
    ...SECTIONS.map(({ title, verdict }) =>
      renderSection(
        title,
        counted.filter((benchmark) => benchmark.verdict === verdict),
        rowsMax,
      ),
    ),
    renderUnchanged(comparison),
    renderIgnored(ignored, rowsMax),
    renderNext(comparison),
  ]
    .filter((section) => section !== '')
    .join('\n\n')
    .concat('\n')
}

function renderFrontMatter(comparison: Comparison, frontMatter: FrontMatter): string {
  const { counts, geometricMeanChangePercent: change } = comparison
  const lines = Object.entries({
    ...frontMatter,
    threshold_percent: comparison.thresholdPercent,
    confidence: comparison.confidence,
    ...counts,
    ...(comparison.ignoredCount > 0 && { ignored: comparison.ignoredCount }),
    ...(change !== undefined && { geometric_mean_change: formatPercent(change) }),
    environment_differs: mattering(comparison).length > 0,
  }).map(([key, value]) => `${key}: ${typeof value === 'string' ? JSON.stringify(value) : value}`)
  return ['---', ...lines, '---'].join('\n')
}

function mattering({ environmentDifferences }: Comparison): EnvironmentDifference[] {
  return environmentDifferences.filter(({ weight }) => weight === 'matters')
}

function renderEnvironment(comparison: Comparison, rowsMax: number): string {
  const differences = mattering(comparison)
  const minor = comparison.environmentDifferences.filter(({ weight }) => weight === 'minor')
  if (differences.length === 0) return ''
  const names = minor.slice(0, 10).map(({ key }) => escapeCell(key))
  const more = minor.length > names.length ? ', …' : ''
  return [
    `## Environment Differences (${differences.length})`,
    '',
    'The two runs were not made under the same conditions; changes below may come from there.',
    '',
    ...table(
      ['Property', 'Base', 'Head'],
      differences.map(({ key, base, head }) => [key, base, head].map(escapeCell)),
      rowsMax,
    ),
    ...(minor.length === 0 ? [] : ['', `Of no weight: ${names.join(', ')}${more}.`]),
  ].join('\n')
}

function renderSection(title: string, benchmarks: BenchmarkComparison[], rowsMax: number): string {
  if (benchmarks.length === 0) return ''
  const rows = benchmarks.toSorted(largestChangeFirst).slice(0, rowsMax)
  const isOneSided = rows.every(({ verdict }) => verdict === 'new' || verdict === 'missing')
  const head = isOneSided
    ? ['Benchmark', 'Value']
    : ['Benchmark', 'Base', 'Head', 'Change', 'Confidence', 'Noise']
  const cells = rows.map((row) => (isOneSided ? oneSidedCells(row) : comparedCells(row)))
  const reasons = isOneSided
    ? []
    : [
        '',
        ...rows
          .slice(0, REASONS_MAX)
          .map(
            ({ name, reason }) =>
              `- ${escapeCell(name)}: ${escapeMarkup(shorten(reason, REASON_LENGTH_MAX))}`,
          ),
      ]
  return [
    `## ${title} (${benchmarks.length})`,
    '',
    ...table(head, cells, rowsMax, benchmarks.length),
    ...reasons,
  ].join('\n')
}

function renderUnchanged({ counts }: Comparison): string {
  if (counts.unchanged === 0) return ''
  const many = counts.unchanged === 1 ? 'One benchmark stays' : `${counts.unchanged} benchmarks stay`
  return `## Unchanged (${counts.unchanged})\n\n${many} within the threshold.`
}

function renderIgnored(ignored: BenchmarkComparison[], rowsMax: number): string {
  if (ignored.length === 0) return ''
  const rows = ignored.toSorted(largestChangeFirst).slice(0, rowsMax)
  return [
    `## Ignored (${ignored.length})`,
    '',
    ...table(
      ['Benchmark', 'Verdict', 'Change'],
      rows.map((row) => [escapeCell(row.uri), row.verdict, formatOptional(row.changePercent, formatPercent)]),
      rowsMax,
      ignored.length,
    ),
  ].join('\n')
}

/** Of several things to do, those that change what can be believed come first. */
function renderNext(comparison: Comparison): string {
  const { counts } = comparison
  const steps = [
    ...(mattering(comparison).length > 0
      ? ['Measure base and head under the same conditions before you act on a change.']
      : []),
    ...(counts.regressed > 0
      ? [
          'Look at the worst regression: compare its flame graphs of both runs, change one thing, measure again.',
        ]
      : []),
    ...(counts.noisy > 0
      ? [
          'Run the noisy benchmarks again, with more rounds or on a quieter machine: they are neither changed nor unchanged.',
        ]
      : []),
    ...(counts.missing > 0 ? ['See whether the missing benchmarks were removed or renamed, or failed.'] : []),
  ]
  const last = steps.length === 0 ? ['Nothing: no benchmark became worse.'] : steps
  return ['## Next', '', ...last.map((step) => `- ${step}`)].join('\n')
}

function oneSidedCells({ uri, unit, baseValue, headValue }: BenchmarkComparison): string[] {
  return [escapeCell(uri), formatOptional(headValue ?? baseValue, (value) => formatQuantity(value, unit))]
}

function comparedCells(row: BenchmarkComparison): string[] {
  const interval = row.confidenceInterval
  const quantity = (value: number) => formatQuantity(value, row.unit)
  return [
    escapeCell(row.uri),
    formatOptional(row.baseValue, quantity),
    formatOptional(row.headValue, quantity),
    formatOptional(row.changePercent, formatPercent),
    interval ? `${formatPercent(interval.lowPercent)} … ${formatPercent(interval.highPercent)}` : '–',
    formatOptional(row.noisePercent, (noise) => `±${formatNoise(noise / 100)}`),
  ]
}

function formatOptional(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value)
}

function table(head: string[], rows: string[][], rowsMax: number, count = rows.length): string[] {
  const shown = rows.slice(0, rowsMax)
  const lines = [head, head.map(() => '---'), ...shown].map((cells) => `| ${cells.join(' | ')} |`)
  const omitted = count - shown.length
  return omitted === 0 ? lines : [...lines, '', `${omitted} more are left out.`]
}

/** One bounded line for a table cell. */
function escapeCell(text: string): string {
  return escapeMarkup(shorten(text.replaceAll(/\s+/g, ' ').trim(), CELL_LENGTH_MAX))
}

function shorten(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}

/**
 * Names come from strangers: nothing that ends a cell, starts code or HTML, or makes a link or an image. Everything else
 * stays as it is, so that a uri can be copied out of the report.
 */
function escapeMarkup(text: string): string {
  return text.replaceAll(/[\\|`]|<(?=[a-z/!?])|(?<=\])\(/gi, (character) => `\\${character}`)
}
