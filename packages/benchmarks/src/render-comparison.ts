import type { BenchmarkComparison, Comparison, Verdict } from './compare-benchmarks.ts'
import { formatDuration } from './format-duration.ts'
import { formatPercent } from './format-percent.ts'

/** What the caller knows and the comparison does not, e.g. `{ base_run_id: 'run_a', head_run_id: 'run_b' }`. */
export type FrontMatter = Record<string, string | number | boolean>

const CELL_LENGTH_MAX = 100
const DEFAULT_ROWS_MAX = 25

/** Sections after the environment: what needs a person first. */
const SECTIONS: { title: string; verdict: Verdict }[] = [
  { title: 'Regressions', verdict: 'regressed' },
  { title: 'Improvements', verdict: 'improved' },
  { title: 'Too Noisy to Tell', verdict: 'noisy' },
  { title: 'Not Comparable', verdict: 'incomparable' },
  { title: 'New', verdict: 'new' },
  { title: 'Missing', verdict: 'missing' },
  { title: 'Unchanged', verdict: 'unchanged' },
]

/**
 * A Markdown report of a comparison: front matter, environment differences first, then one table per verdict, largest
 * change first. Each table has at most `rowsMax` rows and says how many it leaves out, so that the report stays well
 * below 20,000 tokens.
 */
export function renderComparison(
  comparison: Comparison,
  frontMatter: FrontMatter,
  { rowsMax = DEFAULT_ROWS_MAX }: { rowsMax?: number } = {},
): string {
  return [
    renderFrontMatter(comparison, frontMatter),
    renderEnvironment(comparison, rowsMax),
    ...SECTIONS.map(({ title, verdict }) => renderSection(title, verdict, comparison, rowsMax)),
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
    ...(change !== undefined && { geometric_mean_change: formatPercent(change) }),
    environment_differs: comparison.environmentDifferences.length > 0,
  }).map(([key, value]) => `${key}: ${typeof value === 'string' ? JSON.stringify(value) : value}`)
  return ['---', ...lines, '---'].join('\n')
}

function renderEnvironment({ environmentDifferences }: Comparison, rowsMax: number): string {
  if (environmentDifferences.length === 0) return ''
  return [
    `## Environment Differences (${environmentDifferences.length})`,
    '',
    'The two runs were not made under the same conditions; changes below may come from there.',
    '',
    ...table(
      ['Property', 'Base', 'Head'],
      environmentDifferences.map(({ key, base, head }) => [
        escapeCell(key),
        escapeCell(base),
        escapeCell(head),
      ]),
      rowsMax,
    ),
  ].join('\n')
}

function renderSection(title: string, verdict: Verdict, { benchmarks }: Comparison, rowsMax: number): string {
  const rows = benchmarks.filter((benchmark) => benchmark.verdict === verdict).toSorted(largestChangeFirst)
  if (rows.length === 0) return ''
  const isOneSided = verdict === 'new' || verdict === 'missing'
  const head = isOneSided
    ? ['Benchmark', 'Value']
    : ['Benchmark', 'Base', 'Head', 'Change', 'Confidence', 'Noise']
  const cells = rows.map((row) => (isOneSided ? oneSidedCells(row) : comparedCells(row)))
  const isClaim = verdict === 'regressed' || verdict === 'improved' || verdict === 'incomparable'
  const reasons = isClaim
    ? ['', ...rows.slice(0, 5).map((row) => `- ${escapeCell(row.name)}: ${escapeMarkup(row.reason)}`)]
    : []
  return [`## ${title} (${rows.length})`, '', ...table(head, cells, rowsMax), ...reasons].join('\n')
}

function largestChangeFirst(a: BenchmarkComparison, b: BenchmarkComparison): number {
  return sizeOfChange(b) - sizeOfChange(a)
}

/** As a ratio, because −50 % and +100 % are equally far. */
function sizeOfChange({ changePercent = 0 }: BenchmarkComparison): number {
  return Math.abs(Math.log1p(changePercent / 100))
}

function oneSidedCells({ uri, baseValue, headValue }: BenchmarkComparison): string[] {
  return [escapeCell(uri), formatOptional(headValue ?? baseValue, formatDuration)]
}

function comparedCells(row: BenchmarkComparison): string[] {
  const interval = row.confidenceInterval
  return [
    escapeCell(row.uri),
    formatOptional(row.baseValue, formatDuration),
    formatOptional(row.headValue, formatDuration),
    formatOptional(row.changePercent, formatPercent),
    interval ? `${formatPercent(interval.lowPercent)} … ${formatPercent(interval.highPercent)}` : '–',
    formatOptional(row.noisePercent, (noise) => `±${noise.toFixed(1)} %`),
  ]
}

function formatOptional(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '–' : format(value)
}

function table(head: string[], rows: string[][], rowsMax: number): string[] {
  const shown = rows.slice(0, rowsMax)
  const lines = [head, head.map(() => '---'), ...shown].map((cells) => `| ${cells.join(' | ')} |`)
  const omitted = rows.length - shown.length
  return omitted === 0 ? lines : [...lines, '', `${omitted} more are left out.`]
}

/** One bounded line for a table cell. */
function escapeCell(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return escapeMarkup(line.length > CELL_LENGTH_MAX ? `${line.slice(0, CELL_LENGTH_MAX)}…` : line)
}

/**
 * Names come from strangers: nothing that ends a cell, starts code or HTML, or makes a link or an image. Everything else
 * stays as it is, so that a uri can be copied out of the report.
 */
function escapeMarkup(text: string): string {
  return text.replaceAll(/[\\|`]|<(?=[a-z/!?])|(?<=\])\(/gi, (character) => `\\${character}`)
}
