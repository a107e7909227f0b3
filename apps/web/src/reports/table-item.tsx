import { type BenchRowShape, formatShare } from '@flamegate/contract'
import { type RowMetric, rowMetricNames, rowMetrics } from '@flamegate/loadtest/report'
import { type Column, DataTable } from '../components/data-table.tsx'
import { ActionName } from '../bench-results/action-name.tsx'
import { useState } from 'react'
import { formatValue } from './format-value.ts'
import { rowMetricLabels } from './metric-labels.ts'
import type { ValuesOf } from './report-source.ts'

/** A row for each action and container, with the columns that the item asks for. */
export function TableItem({ title, values }: { title: string; values: ValuesOf<'table'> }) {
  const [sort, setSort] = useState<string>()
  const hasProfiles = new Set(values.rows.map(({ profile }) => profile)).size > 1
  return (
    <DataTable
      label={title}
      rows={values.rows}
      rowKey={({ action, name }) => `${action} ${name}`}
      footer={values.total ?? undefined}
      sort={sort}
      onSort={setSort}
      rowsPerPage={50}
      whenEmpty="Nothing was measured yet."
      columns={[
        {
          key: 'name',
          title: 'Action',
          sortBy: ({ path, name }) => [...path, name].join(' / ').toLowerCase(),
          render: (row) => <ActionName row={row} isIndented={sort === undefined} />,
        },
        ...(hasProfiles
          ? [{ key: 'profile', title: 'Profile', render: ({ profile }: BenchRowShape) => profile }]
          : []),
        ...values.columns.flatMap((name) => {
          const metric = rowMetricNames.find((known) => known === name)
          return metric === undefined ? [] : [columnOf(metric)]
        }),
      ]}
    />
  )
}

function columnOf(metric: RowMetric): Column<BenchRowShape> {
  return {
    key: metric,
    title: rowMetricLabels[metric],
    align: 'right',
    sortBy: (row) => valueOf(row, metric),
    render: (row) => {
      const words = formatValue(valueOf(row, metric), rowMetrics[metric])
      if (metric !== 'failed' || row.failed === 0) return words
      return (
        <span className="text-worse">
          {words}
          {row.error_share === null ? null : ` (${formatShare(row.error_share)})`}
        </span>
      )
    },
  }
}

const fields = {
  count: 'count',
  rate: 'rate_per_second',
  mean: 'mean_ms',
  min: 'min_ms',
  p50: 'p50_ms',
  p90: 'p90_ms',
  p95: 'p95_ms',
  p99: 'p99_ms',
  'p99.9': 'p99_9_ms',
  max: 'max_ms',
  failed: 'failed',
  error_share: 'error_share',
  sent_bytes: 'sent_bytes',
  received_bytes: 'received_bytes',
  apdex: 'apdex',
} as const satisfies Record<RowMetric, keyof BenchRowShape>

function valueOf(row: BenchRowShape, metric: RowMetric): number | null {
  return row[fields[metric]]
}
