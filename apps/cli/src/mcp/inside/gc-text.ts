import { diagnoseReport, type McpInside, type McpReport } from '@flamegate/mcp-profiling'

type GarbageCollections = NonNullable<McpInside['gc']>

/** Each collection, in the order of time. */
export function gcEventsText({ events, count }: GarbageCollections): string {
  const rows = [
    ['at s', 'pause ms', 'kind'],
    ...events.map(({ atMs, durationMs, kind }) => [(atMs / 1000).toFixed(3), durationMs.toFixed(3), kind]),
  ]
  const lines = rows.map(
    ([at = '', pause = '', kind = '']) => `  ${at.padStart(9)}  ${pause.padStart(9)}  ${kind}`,
  )
  const left = count > events.length ? [`  These are the longest of ${count}.`] : []
  return ['Garbage collections', ...lines, ...left].join('\n')
}

/** The share of the time, and what the rule says of it. */
export function gcPressureText(report: McpReport): string {
  const share = `${((report.inside?.gc?.share ?? 0) * 100).toFixed(2)} % of the time went into garbage collections.`
  const finding = diagnoseReport(report).findings.find(({ rule }) => rule === 'gc_pressure')
  const verdict = finding === undefined ? 'That is no pressure.' : `${finding.title} ${finding.suggestion}`
  return ['Pressure', `  ${share}`, `  ${verdict}`].join('\n')
}
