import type { AnswerOf, BenchRowShape, operations } from '@flamegate/contract'
import { formatMs } from '../charts/format-metric.ts'
import { ChartFrame } from '../charts/chart-frame.tsx'
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

const size = { width: 1000, height: 100 } as const
const marks = [50, 90, 99, 99.9, 99.99, 99.999]

/** How long the slowest of them took: each step to the right is a tenth of the one before. */
export function PercentileCurve({
  percentiles,
  total,
}: Pick<Table, 'percentiles'> & { total: BenchRowShape }) {
  const finite = percentiles.filter(({ percentile }) => percentile < 100)
  const right = Math.max(nines(finite.at(-1)?.percentile ?? 90), 1)
  const most = Math.max(Number.MIN_VALUE, ...percentiles.map(({ ms }) => ms))
  const left = (percentile: number) => (percentile >= 100 ? 1 : nines(percentile) / right)
  return (
    <ChartFrame
      title="Percentiles of response times"
      note={`p50 ${formatMs(total.p50_ms)}, p90 ${formatMs(total.p90_ms)}, p99 ${formatMs(total.p99_ms)}, at most ${formatMs(total.max_ms)}.`}
      chart={
        <div aria-hidden="true" className="flex flex-col gap-1">
          <div className="relative h-44 border-b border-line-strong text-accent">
            {[1, 0.5].map((share) => (
              <span
                key={share}
                className="absolute inset-x-0 border-t border-line text-sm text-muted tabular-nums"
                style={{ top: `${100 * (1 - share)}%` }}
              >
                {formatMs(most * share)}
              </span>
            ))}
            <svg
              viewBox={`0 0 ${size.width} ${size.height}`}
              preserveAspectRatio="none"
              className="absolute inset-0 size-full"
            >
              <polyline
                points={percentiles
                  .map(
                    ({ percentile, ms }) =>
                      `${(size.width * left(percentile)).toFixed(1)},${(size.height * (1 - ms / most)).toFixed(2)}`,
                  )
                  .join(' ')}
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
            </svg>
          </div>
          <div className="relative h-5 text-sm text-muted tabular-nums">
            {marks
              .filter((mark) => nines(mark) <= right)
              .map((mark) => (
                <span
                  key={mark}
                  className="absolute"
                  style={
                    left(mark) > 0.9
                      ? { right: `${100 * (1 - left(mark))}%` }
                      : { left: `${100 * left(mark)}%`, translate: '-50%' }
                  }
                >
                  {mark} %
                </span>
              ))}
          </div>
        </div>
      }
      table={
        <DataTable
          label="Percentiles of response times"
          rows={percentiles}
          rowKey={({ percentile }) => String(percentile)}
          whenEmpty="Nothing was measured yet."
          columns={[
            {
              key: 'percentile',
              title: 'Of the requests',
              render: ({ percentile }) => `${Number(percentile.toFixed(6))} %`,
            },
            { key: 'ms', title: 'Took at most', align: 'right', render: ({ ms }) => formatMs(ms) },
          ]}
        />
      }
    />
  )
}

/** How many nines a percentile has: 1 for 90, 2 for 99. */
function nines(percentile: number): number {
  return -Math.log10(1 - percentile / 100)
}
