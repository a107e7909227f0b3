import { DataTable } from '../components/data-table.tsx'
import { formatValue } from './format-value.ts'
import { rowMetricLabel } from './metric-labels.ts'
import type { ValuesOf } from './report-source.ts'

/** The actions with the most of a metric, with bars to compare them by. */
export function TopItem({ title, values }: { title: string; values: ValuesOf<'top'> }) {
  const { metric, unit, entries } = values
  const most = Math.max(Number.MIN_VALUE, ...entries.map(({ value }) => value))
  return (
    <DataTable
      label={title}
      rows={entries.map((entry, index) => ({ ...entry, rank: index + 1 }))}
      rowKey={({ rank }) => String(rank)}
      whenEmpty="Nothing was measured yet."
      columns={[
        { key: 'rank', title: '#', align: 'right', render: ({ rank }) => rank },
        {
          key: 'name',
          title: 'Action',
          render: ({ name }) => <span className="block w-max max-w-80 break-words">{name}</span>,
        },
        {
          key: 'value',
          title: rowMetricLabel(metric),
          align: 'right',
          render: ({ value }) => <span className="font-medium">{formatValue(value, unit)}</span>,
        },
        {
          key: 'bar',
          title: 'Compared',
          grow: true,
          hideBelow: 'sm',
          render: ({ value }) => (
            <span aria-hidden="true" className="block h-3 rounded-sm bg-hover">
              <span
                className="block h-full min-w-px rounded-sm bg-accent-fill"
                style={{ width: `${(100 * value) / most}%` }}
              />
            </span>
          ),
        },
        {
          key: 'count',
          title: 'Count',
          align: 'right',
          render: ({ row }) => row.count.toLocaleString('en'),
        },
      ]}
    />
  )
}
