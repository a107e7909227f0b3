import { formatMs } from '../charts/format-metric.ts'
import { DataTable } from '../components/data-table.tsx'
import { phases as validationPhases } from '../validation/phases.ts'
import type { ValuesOf } from './report-source.ts'

const colorOf = (key: string) => validationPhases.find((phase) => phase.key === key)?.color
const phases = [
  { key: 'dns', title: 'DNS', color: colorOf('dns') },
  { key: 'connect', title: 'Connect', color: colorOf('connect') },
  { key: 'tls', title: 'TLS', color: colorOf('tls') },
  { key: 'wait', title: 'Wait', color: colorOf('first_byte') },
  { key: 'download', title: 'Download', color: colorOf('download') },
] as const

type Row = ValuesOf<'phases'>['rows'][number]

/** What the time of requests went into, as numbers and as bars of one scale. */
export function PhasesItem({ title, values: { rows } }: { title: string; values: ValuesOf<'phases'> }) {
  const most = Math.max(Number.MIN_VALUE, ...rows.map(sumOf))
  return (
    <DataTable
      label={title}
      rows={rows}
      rowKey={({ action }) => String(action)}
      whenEmpty="Nothing was measured yet."
      columns={[
        {
          key: 'name',
          title: 'Action',
          render: ({ name }) => <span className="block w-max max-w-72 break-words">{name}</span>,
        },
        {
          key: 'bar',
          title: 'Compared',
          grow: true,
          hideBelow: 'sm',
          render: (row) => (
            <span aria-hidden="true" className="flex h-3 overflow-hidden rounded-sm">
              {phases.map(({ key, color }) => (
                <span key={key} style={{ width: `${(100 * row[key]) / most}%`, background: color }} />
              ))}
            </span>
          ),
        },
        ...phases.map(({ key, title: name, color }) => ({
          key,
          title: name,
          align: 'right' as const,
          sortBy: (row: Row) => row[key],
          render: (row: Row) => (
            <span className="inline-flex items-center gap-1.5">
              <span aria-hidden="true" className="size-2 rounded-full" style={{ background: color }} />
              {formatMs(row[key])}
            </span>
          ),
        })),
        {
          key: 'sum',
          title: 'Sum',
          align: 'right',
          sortBy: sumOf,
          render: (row) => <span className="font-medium">{formatMs(sumOf(row))}</span>,
        },
      ]}
    />
  )
}

function sumOf(row: Row): number {
  return phases.reduce((sum, { key }) => sum + row[key], 0)
}
