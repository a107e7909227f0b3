import type { AnswerOf, BenchRowShape, operations } from '@flamegate/contract'
import { formatMs } from '../charts/format-metric.ts'
import { ChartFrame } from '../charts/chart-frame.tsx'
import { PercentileCurves } from '../charts/percentile-curves.tsx'
import { DataTable } from '../components/data-table.tsx'

type Table = AnswerOf<typeof operations.getBenchTable>

/** How many requests took how long. */
export function TimeHistogram({ distribution }: Pick<Table, 'distribution'>) {
  const most = Math.max(1, ...distribution.map(({ count }) => count))
  const [first, last] = [distribution[0], distribution.at(-1)]
  const peak = distribution.find(({ count }) => count === most)
  return (
    <ChartFrame
      title="Distribution of response times"
      note={
        peak === undefined ? undefined : `Most took ${formatMs(peak.from_ms)} to ${formatMs(peak.to_ms)}.`
      }
      chart={
        <div aria-hidden="true" className="flex flex-col gap-1">
          <div className="flex h-44 items-end gap-px border-b border-line-strong">
            {distribution.map(({ from_ms: from, to_ms: to, count }) => (
              <span
                key={from}
                title={`${formatMs(from)} to ${formatMs(to)}: ${count.toLocaleString('en')}`}
                className="flex h-full min-w-0 grow items-end hover:bg-hover"
              >
                <span
                  className="block w-full rounded-t-sm bg-accent-fill"
                  // What is there is seen, however few they are.
                  style={{ height: count === 0 ? 0 : `max(2px, ${(100 * count) / most}%)` }}
                />
              </span>
            ))}
          </div>
          <div className="flex justify-between text-sm text-muted tabular-nums">
            <span>{formatMs(first?.from_ms ?? null)}</span>
            <span>{formatMs(last?.to_ms ?? null)}</span>
          </div>
        </div>
      }
      table={
        <DataTable
          label="Distribution of response times"
          rows={distribution.filter(({ count }) => count > 0)}
          rowKey={({ from_ms }) => String(from_ms)}
          whenEmpty="Nothing was measured yet."
          columns={[
            { key: 'from', title: 'From', render: ({ from_ms }) => formatMs(from_ms) },
            { key: 'to', title: 'To', render: ({ to_ms }) => formatMs(to_ms) },
            {
              key: 'count',
              title: 'Requests',
              align: 'right',
              sortBy: ({ count }) => count,
              render: ({ count }) => count.toLocaleString('en'),
            },
          ]}
        />
      }
    />
  )
}

/** How long the slowest of them took. */
export function PercentileCurve({
  percentiles,
  total,
}: Pick<Table, 'percentiles'> & { total: BenchRowShape }) {
  return (
    <PercentileCurves
      title="Percentiles of response times"
      note={`p50 ${formatMs(total.p50_ms)}, p90 ${formatMs(total.p90_ms)}, p99 ${formatMs(total.p99_ms)}, at most ${formatMs(total.max_ms)}.`}
      curves={[{ name: 'Took at most', percentiles }]}
    />
  )
}
