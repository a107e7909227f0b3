import { formatBytes, formatShare } from '@flamegate/contract'
import type { ReactNode } from 'react'
import { DataTable } from '../components/data-table.tsx'
import { Section } from '../components/section.tsx'
import { isObject, type JsonObject, objectsIn, textOf } from '../documents/json.ts'

const titles: Readonly<Record<string, string>> = {
  mcp_profiler_comparison: 'Comparison',
  mcp_profiler_tuning: 'Tuning',
}

/**
 * What a command found beside its report: how two servers that were measured in turns compare, or which settings are better.
 * It is as whoever uploaded it sent it, so that nothing of it is taken for granted.
 */
export function SessionResult({ result }: { result: JsonObject | null }) {
  const title = titles[textOf(result?.['type'])]
  if (result === null || title === undefined) return null
  const tries = objectsIn(result['tries'])
  const proposal = isObject(result['proposal']) ? result['proposal'] : undefined
  const compared = proposal === undefined ? result : proposal['confirmation']
  const metrics = isObject(compared) ? metricsOf(compared) : []
  const env = proposal !== undefined && isObject(proposal['env']) ? Object.entries(proposal['env']) : []
  return (
    <Section title={title}>
      <p className="font-medium">{textOf(result['summary'])}</p>
      {env.length === 0 ? null : (
        <pre className="overflow-x-auto rounded-lg border border-line bg-surface p-3">
          {env.map(([name, value]) => `${name}=${textOf(value)}`).join('\n')}
        </pre>
      )}
      {tries.length === 0 ? null : (
        <DataTable
          label="What was tried"
          rows={tries}
          rowKey={({ title: tried }) => textOf(tried)}
          whenEmpty=""
          columns={[
            { key: 'title', title: 'Setting', grow: true, render: (row) => textOf(row['title']) },
            { key: 'change', title: 'Time of calls', align: 'right', render: changeOf },
            { key: 'verdict', title: 'Verdict', render: verdictOf },
          ]}
        />
      )}
      {metrics.length === 0 ? null : (
        <DataTable
          label="Compared"
          rows={metrics}
          rowKey={({ of, metric }) => `${of} ${textOf(metric['metric'])}`}
          whenEmpty=""
          columns={[
            { key: 'of', title: 'Of', grow: true, render: ({ of }) => of },
            { key: 'metric', title: 'Metric', render: ({ metric }) => textOf(metric['metric']) },
            { key: 'base', title: 'Base', align: 'right', render: ({ metric }) => valueOf(metric, 'base') },
            { key: 'head', title: 'Head', align: 'right', render: ({ metric }) => valueOf(metric, 'head') },
            { key: 'change', title: 'Change', align: 'right', render: ({ metric }) => changeOf(metric) },
            { key: 'verdict', title: 'Verdict', render: ({ metric }) => verdictOf(metric) },
          ]}
        />
      )}
    </Section>
  )
}

/** What either side has, of each operation and of the whole. */
function metricsOf(comparison: JsonObject): { of: string; metric: JsonObject }[] {
  const parts = [
    ...objectsIn(comparison['operations']).map((each) => ({
      of: textOf(each['name']) || textOf(each['method']),
      metrics: each['metrics'],
    })),
    { of: 'the server', metrics: comparison['overall'] },
  ]
  return parts.flatMap(({ of, metrics }) =>
    objectsIn(metrics)
      .filter((metric) => typeof metric['base'] === 'number' || typeof metric['head'] === 'number')
      .map((metric) => ({ of, metric })),
  )
}

function valueOf(metric: JsonObject, side: 'base' | 'head'): string {
  const value = metric[side]
  if (typeof value !== 'number') return '–'
  const name = textOf(metric['metric'])
  if (name.endsWith('_rate')) return formatShare(value)
  if (name.endsWith('_bytes')) return formatBytes(value)
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 })
}

function changeOf(row: JsonObject): string {
  const [change, low, high] = ['changePercent', 'lowPercent', 'highPercent'].map((name) =>
    percentOf(row[name]),
  )
  if (change === undefined) return '–'
  return low === undefined || high === undefined ? change : `${change} (${low} to ${high})`
}

function percentOf(value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })} %`
}

function verdictOf(row: JsonObject): ReactNode {
  return <span className="whitespace-nowrap">{textOf(row['verdict']).replaceAll('_', ' ')}</span>
}
