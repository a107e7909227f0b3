import type { CapacityResult } from '../capacity/capacity-search.ts'
import { formatMs, formatNumber, formatShare } from './format.ts'
import { page } from './page.ts'
import { escapeHtml, markdownText, plainText, tableHtml, tableMarkdown, tableText } from './table.ts'
import type { Table } from './table.ts'

/** For terminals. */
export function capacityText(result: CapacityResult): string {
  return [...linesOf(result).map(plainText), '', tableText(trialsOf(result))].join('\n')
}

export function capacityMarkdown(result: CapacityResult): string {
  const [first = '', ...rest] = linesOf(result).map(markdownText)
  return `${[`# ${first}`, ...rest, tableMarkdown(trialsOf(result))].join('\n\n')}\n`
}

export function capacityHtml(result: CapacityResult): string {
  const [first = '', ...rest] = linesOf(result)
  return page(
    first,
    [...rest.map((line) => `<p>${escapeHtml(line)}</p>`), tableHtml(trialsOf(result))].join('\n'),
  )
}

function linesOf(result: CapacityResult): string[] {
  const { capacityRps, brokenRps, brokeBecause, headroom, targetRps, method } = result
  const rate = `${formatNumber(capacityRps)} calls per second`
  const first: Record<CapacityResult['outcome'], string> = {
    found: `The capacity is ${rate}.`,
    at_least: `The capacity is at least ${rate}: no higher rate was tried.`,
    at_most: `Not even ${formatNumber(brokenRps)} calls per second met the target.`,
    generator_limited:
      capacityRps === null
        ? 'What measured was too slow: nothing can be said of the server.'
        : `The capacity is at least ${rate}: beyond, what measured was too slow.`,
  }
  return [
    first[result.outcome],
    ...(brokenRps === null || brokeBecause === null
      ? []
      : [`At ${formatNumber(brokenRps)} per second: ${brokeBecause}.`]),
    ...(headroom === null || targetRps === null
      ? []
      : [
          headroom >= 0
            ? `That is ${formatShare(headroom)} more than the ${formatNumber(targetRps)} per second that are needed.`
            : `That is ${formatShare(-headroom)} less than the ${formatNumber(targetRps)} per second that are needed.`,
        ]),
    `Method: ${method}.`,
  ]
}

function trialsOf({ trials }: CapacityResult): Table {
  return {
    title: 'Measured',
    columns: ['rate', 'why', 'answered per second', 'latency ms', 'failed', 'cpu %', 'met'],
    rows: trials.map((trial) => [
      formatNumber(trial.rps),
      trial.purpose.replaceAll('_', ' '),
      formatNumber(trial.requestsPerSecond),
      formatMs(trial.latencyMs),
      formatShare(trial.errorRate),
      formatNumber(trial.cpuPercent),
      trial.isMet ? 'yes' : 'no',
    ]),
  }
}
