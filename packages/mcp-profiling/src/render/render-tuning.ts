import { formatPercent } from '@flamegate/benchmarks/arithmetic'
import type { JudgedTry, McpTuning } from '../tune/tuning.ts'
import { page } from './page.ts'
import { escapeHtml, markdownText, plainText, tableHtml, tableMarkdown, tableText } from './table.ts'
import type { Table } from './table.ts'

/** For terminals. */
export function tuningText(tuning: McpTuning): string {
  return [...linesOf(tuning).map(plainText), '', tableText(triesOf(tuning))].join('\n')
}

export function tuningMarkdown(tuning: McpTuning): string {
  const [first = '', ...rest] = linesOf(tuning).map(markdownText)
  return `${[`# ${first}`, ...rest, tableMarkdown(triesOf(tuning))].join('\n\n')}\n`
}

export function tuningHtml(tuning: McpTuning): string {
  const [first = '', ...rest] = linesOf(tuning)
  return page(
    first,
    [...rest.map((line) => `<p>${escapeHtml(line)}</p>`), tableHtml(triesOf(tuning))].join('\n'),
  )
}

function linesOf({ summary, proposal, notConfirmed, notes }: McpTuning): string[] {
  return [
    summary,
    ...(proposal === null
      ? []
      : [
          `Proposed: ${Object.entries(proposal.env)
            .map(([name, value]) => `${name}=${value}`)
            .join(', ')}. Measured once more: ${proposal.confirmation.summary}`,
        ]),
    ...(notConfirmed.length === 0
      ? []
      : [`Better at first, and not when it was measured again: ${notConfirmed.join(', ')}.`]),
    ...notes,
  ]
}

function triesOf({ tries }: McpTuning): Table {
  return {
    title: 'Tried',
    columns: ['setting', 'change of time', 'interval', 'p', 'verdict', 'remarks'],
    rows: tries.map((each) => [
      each.title,
      each.changePercent === null ? '–' : formatPercent(each.changePercent),
      intervalOf(each),
      each.pValue === null ? '–' : each.pValue < 0.001 ? '<0.001' : each.pValue.toFixed(3),
      each.verdict.replaceAll('_', ' '),
      each.remarks.join('; '),
    ]),
  }
}

function intervalOf({ lowPercent, highPercent }: JudgedTry): string {
  return lowPercent === null || highPercent === null
    ? '–'
    : `${formatPercent(lowPercent)} to ${formatPercent(highPercent)}`
}
