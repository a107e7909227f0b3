import type { FlameGraphSummary } from './flame-graph-summary.ts'
import { formatPercent, formatValue, measureOf } from './format-value.ts'
import type { FunctionRow } from './top-functions.ts'

const longestName = 120
const longestFrontMatterValue = 200
/** Well below 20,000 tokens, whatever the names are made of. */
const longestCallTree = 16_000
const deepestIndent = 20

/**
 * The summary as markdown for a model: front matter, two tables, the call tree, and what to ask next. Its form is
 * known to those who used other flame graph tools over MCP. Names are clipped, so that the size has a bound.
 */
export function renderFlameGraphSummary(
  summary: FlameGraphSummary,
  frontMatter: Readonly<Record<string, string>>,
): string {
  const { noun, title } = wording(summary.unit)
  const tree = callTreeLines(summary)
  const isTruncated = summary.truncated || tree.omitted > 0
  return [
    '# Flame Graph Summary',
    '',
    '---',
    ...Object.entries(frontMatter).map(
      ([key, value]) => `${key}: ${oneLine(value, longestFrontMatterValue)}`,
    ),
    `truncated: ${isTruncated ? 'yes' : 'no'}`,
    '---',
    '',
    `## Top 10 expensive functions (by self ${noun})`,
    '',
    ...table(
      ['Function', 'Origin', 'Calls', `Self ${title}`, `Total ${title}`],
      ['left', 'left', 'right', 'right', 'right'],
      summary.hotSpots.map((row) => [
        nameCell(row),
        cell(row.origin),
        callsCell(row),
        ...valueCells(row, summary.unit),
      ]),
    ),
    '',
    `## Most expensive calls (by total ${noun})`,
    '',
    ...table(
      ['Function', 'Origin', `Self ${title}`, `Total ${title}`],
      ['left', 'left', 'right', 'right'],
      summary.expensiveCalls.map((row) => [
        nameCell(row),
        cell(row.origin),
        ...valueCells(row, summary.unit),
      ]),
    ),
    '',
    '## Call tree',
    '',
    ...(tree.lines.length > 0
      ? tree.lines
      : [`No call has ${formatPercent(summary.minPercent)} of the total or more.`]),
    '',
    ...note(summary, noun),
    '',
  ].join('\n')
}

function wording(unit: string): { noun: string; title: string } {
  const measure = measureOf(unit)
  if (measure === 'time') return { noun: 'time', title: 'Time' }
  return measure === 'bytes' ? { noun: 'size', title: 'Size' } : { noun: 'value', title: 'Value' }
}

/** `- name — origin, self …, total …`, indented by depth. */
function callTreeLines(summary: FlameGraphSummary): { lines: string[]; omitted: number } {
  const lines: string[] = []
  let length = 0
  for (const entry of summary.callTree) {
    const [self, total] = valueCells(entry, summary.unit)
    const indent = '  '.repeat(Math.min(entry.depth, deepestIndent))
    const depth = entry.depth > deepestIndent ? `(depth ${entry.depth}) ` : ''
    const line = `${indent}- ${depth}${nameCell(entry)} — ${cell(entry.origin)}, self ${self}, total ${total}`
    length += line.length + 1
    if (length > longestCallTree) break
    lines.push(line)
  }
  const omitted = summary.callTree.length - lines.length
  if (omitted > 0) lines.push(`_…${omitted} more entries omitted_`)
  return { lines, omitted }
}

function note(summary: FlameGraphSummary, noun: string): string[] {
  const { functions, callTreeEntries } = summary.omitted
  const left = summary.truncated
    ? [`> Left out: ${functions} more functions, ${callTreeEntries} more places of the call tree.`]
    : []
  return [
    ...left,
    `> Call tree filtered: showing up to ${summary.maxEntries} entries with ≥${formatPercent(summary.minPercent)} of root function`,
    `> total ${noun}. Re-query with \`root_function_name\` set to a function of interest`,
    '> for deeper exploration.',
  ]
}

/** A table padded to columns, as people write them. */
function table(titles: string[], aligns: ('left' | 'right')[], rows: string[][]): string[] {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((text, column) => (aligns[column] === 'left' ? text.padEnd(widths[column]!) : text.padStart(widths[column]!))).join(' | ')} |`
  const rule = aligns.map((align, column) =>
    align === 'left' ? '-'.repeat(widths[column]!) : `${'-'.repeat(widths[column]! - 1)}:`,
  )
  return [line(titles), line(rule), ...rows.map(line)]
}

function nameCell({ functionName, file }: { functionName: string; file: string }): string {
  const shownFile = file === '' ? '' : ` (${cell(file)})`
  return `\`${oneLine(functionName, longestName).replaceAll('`', "'").replaceAll('|', '\\|')}\`${shownFile}`
}

function callsCell(row: FunctionRow): string {
  return row.calls === undefined ? '–' : formatValue(row.calls, 'count')
}

function valueCells(
  row: { selfValue: number; selfPercent: number; totalValue: number; totalPercent: number },
  unit: string,
): [string, string] {
  return [
    `${formatValue(row.selfValue, unit)} (${formatPercent(row.selfPercent)})`,
    `${formatValue(row.totalValue, unit)} (${formatPercent(row.totalPercent)})`,
  ]
}

/** Text of a file in a table: neither columns nor code nor markup may begin in it. Paths are clipped at the start. */
function cell(text: string): string {
  return oneLine(text, longestName, 'start').replaceAll(/[|`*<>[\]\\]/g, (character) => `\\${character}`)
}

function oneLine(text: string, longest: number, clipAt: 'start' | 'end' = 'end'): string {
  const flat = (clipAt === 'end' ? text.slice(0, 2000) : text.slice(-2000))
    .replaceAll(/\s+|\p{Cc}/gu, ' ')
    .trim()
  if (flat.length <= longest) return flat
  return clipAt === 'end' ? `${flat.slice(0, longest - 1)}…` : `…${flat.slice(1 - longest)}`
}
