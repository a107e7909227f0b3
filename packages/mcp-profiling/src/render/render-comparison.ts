import { formatPercent } from '@flamegate/benchmarks/arithmetic'
import type { ComparedSide, McpComparison, MetricComparison, MetricVerdict } from '../compare/comparison.ts'
import { operationTitle } from '../operation-key.ts'
import { formatBytes, formatNumber, formatShare } from './format.ts'
import { page } from './page.ts'
import { escapeHtml, markdownText, plainText, tableHtml, tableMarkdown, tableText } from './table.ts'
import type { Table } from './table.ts'

const verdictWords: Record<MetricVerdict, string> = {
  better: 'better',
  worse: 'WORSE',
  same: 'same',
  cannot_tell: 'cannot tell',
  not_judged: '–',
}

/** For terminals. */
export function comparisonText(comparison: McpComparison): string {
  return [
    plainText(comparison.summary),
    plainText(sidesOf(comparison)),
    ...tablesOf(comparison).map(tableText),
    ...(comparison.notes.length === 0
      ? []
      : [`Notes\n${comparison.notes.map((note) => `  ${plainText(note)}`).join('\n')}`]),
  ].join('\n\n')
}

export function comparisonMarkdown(comparison: McpComparison): string {
  return `${[
    `# ${markdownText(comparison.summary)}`,
    markdownText(sidesOf(comparison)),
    ...tablesOf(comparison).map(tableMarkdown),
    ...(comparison.notes.length === 0
      ? []
      : [`## Notes\n\n${comparison.notes.map((note) => `- ${markdownText(note)}`).join('\n')}`]),
  ].join('\n\n')}\n`
}

export function comparisonHtml(comparison: McpComparison): string {
  const notes = comparison.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')
  return page(
    comparison.summary,
    [
      `<p>${escapeHtml(sidesOf(comparison))}</p>`,
      ...tablesOf(comparison).map(tableHtml),
      notes === '' ? '' : `<h2>Notes</h2><ul>${notes}</ul>`,
    ].join('\n'),
  )
}

function tablesOf({ operations, overall }: McpComparison): Table[] {
  return [
    ...operations.map((operation) => tableOf(operationTitle(operation), operation.metrics)),
    tableOf('The server', overall),
  ]
}

/** Without what neither side has. */
function tableOf(title: string, metrics: readonly MetricComparison[]): Table {
  return {
    title,
    columns: ['metric', 'base', 'head', 'change', 'interval', 'p', 'verdict'],
    rows: metrics
      .filter(({ base, head }) => base !== null || head !== null)
      .map((each) => [
        each.metric,
        valueOf(each, each.base),
        valueOf(each, each.head),
        each.changePercent === null ? '–' : formatPercent(each.changePercent),
        each.lowPercent === null || each.highPercent === null
          ? '–'
          : `${formatPercent(each.lowPercent)} to ${formatPercent(each.highPercent)}`,
        each.pValue === null ? '–' : each.pValue < 0.001 ? '<0.001' : each.pValue.toFixed(3),
        `${verdictWords[each.verdict]}${each.isCounted ? '' : ' (not counted)'}`,
      ]),
  }
}

function valueOf({ metric }: MetricComparison, value: number | null): string {
  if (metric === 'error_rate') return formatShare(value)
  return metric.endsWith('_bytes') ? formatBytes(value) : formatNumber(value)
}

function sidesOf({ base, head, thresholdPercent, confidence, isInterleaved }: McpComparison): string {
  const turns = isInterleaved ? ', in turns' : ''
  return `Base: ${sideOf(base)}. Head: ${sideOf(head)}. Threshold ${thresholdPercent} %, confidence ${Number((100 * confidence).toFixed(1))} %${turns}.`
}

function sideOf({ target, label, serverVersion, startedAt }: ComparedSide): string {
  return [target, label, serverVersion, startedAt].filter((part) => part !== null).join(', ')
}
