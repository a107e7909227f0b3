import { type BenchRowShape, formatBytes, formatShare } from '@flamegate/contract'
import { formatMetric, formatMs } from '../charts/format-metric.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { ActionName } from './action-name.tsx'

interface Props {
  rows: readonly BenchRowShape[]
  total: BenchRowShape | null
  /** As the address has it; undefined in the order of the virtual users. */
  sort: string | undefined
  onSort: (sort: string) => void
}

const times = {
  mean: ['Mean', 'mean_ms'],
  p50: ['p50', 'p50_ms'],
  p90: ['p90', 'p90_ms'],
  p95: ['p95', 'p95_ms'],
  p99: ['p99', 'p99_ms'],
  p99_9: ['p99.9', 'p99_9_ms'],
  max: ['Maximum', 'max_ms'],
} as const

/** What was measured of each action, and of all requests together. */
export function ResultTable({ rows, total, sort, onSort }: Props) {
  const isSorted = sort !== undefined
  const hasProfiles = new Set(rows.map(({ profile }) => profile)).size > 1
  return (
    <DataTable
      label="Results"
      rows={rows}
      rowKey={({ action }) => String(action)}
      footer={total ?? undefined}
      sort={sort}
      onSort={onSort}
      rowsPerPage={50}
      whenEmpty="Nothing was measured yet."
      columns={[
        {
          key: 'name',
          title: 'Action',
          sortBy: ({ path, name }) => [...path, name].join(' / ').toLowerCase(),
          render: (row) => <ActionName row={row} isIndented={!isSorted} />,
        },
        ...(hasProfiles
          ? [
              {
                key: 'profile',
                title: 'Profile',
                sortBy: ({ profile }: BenchRowShape) => profile,
                render: ({ profile }: BenchRowShape) => profile,
              },
            ]
          : []),
        number(
          'count',
          'Count',
          ({ count }) => count,
          (value) => value.toLocaleString('en'),
        ),
        number(
          'rate',
          'Rate',
          (row) => row.rate_per_second,
          (value) => formatMetric(value, 'per second'),
        ),
        ...Object.entries(times).map(([key, [title, field]]) =>
          number(key, title, (row) => row[field], formatMs),
        ),
        {
          key: 'failed',
          title: 'Errors',
          align: 'right',
          sortBy: ({ failed }) => failed,
          render: ({ failed, error_share: share }) => (
            <span className={failed > 0 ? 'text-worse' : ''}>
              {failed.toLocaleString('en')}
              {share === null || failed === 0 ? null : ` (${formatShare(share)})`}
            </span>
          ),
        },
        number(
          'apdex',
          'Apdex',
          ({ apdex }) => apdex,
          (value) => value.toFixed(2),
        ),
        number('received', 'Received', (row) => row.received_bytes, formatBytes),
      ]}
    />
  )
}

/** A column of numbers, of which some may be missing. */
function number(
  key: string,
  title: string,
  valueOf: (row: BenchRowShape) => number | null,
  words: (value: number) => string,
): Column<BenchRowShape> {
  return {
    key,
    title,
    align: 'right',
    sortBy: valueOf,
    render: (row) => {
      const value = valueOf(row)
      return value === null ? '–' : words(value)
    },
  }
}
