import { type AnswerOf, formatShare, type operations } from '@flamegate/contract'
import { formatMetric, formatMs } from '../charts/format-metric.ts'

type Numbers = NonNullable<AnswerOf<typeof operations.getBenchResult>['numbers']>

/** What a load test has seen so far. */
export function BenchTiles({ numbers, isLive }: { numbers: Numbers; isLive: boolean }) {
  const { users, count, failed, rate_per_second: rate } = numbers
  const tiles: { name: string; value: string; note?: string; isBad?: boolean }[] = [
    { name: 'Users', value: users.toLocaleString('en'), note: isLive ? 'now' : 'most at once' },
    { name: 'Requests', value: count.toLocaleString('en') },
    {
      name: 'Rate',
      value: formatMetric(rate, 'per second'),
      note: isLive ? 'last 10 s' : 'all of the run',
    },
    {
      name: 'Errors',
      value: failed.toLocaleString('en'),
      note: formatShare(count === 0 ? 0 : failed / count),
      isBad: failed > 0,
    },
    { name: 'Mean', value: formatMs(numbers.mean_ms) },
    { name: 'p50', value: formatMs(numbers.p50_ms) },
    { name: 'p95', value: formatMs(numbers.p95_ms) },
    { name: 'p99', value: formatMs(numbers.p99_ms) },
    { name: 'Maximum', value: formatMs(numbers.max_ms) },
  ]
  return (
    <dl aria-label="Numbers" className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-3">
      {tiles.map(({ name, value, note, isBad = false }) => (
        <div key={name} className="min-w-0 rounded-lg border border-line bg-surface px-3 py-3">
          <dt className="text-sm text-muted">{name}</dt>
          <dd>
            <span
              className={`block text-lg font-semibold break-words tabular-nums ${isBad ? 'text-worse' : ''}`}
            >
              {value}
            </span>
            {note === undefined ? null : <span className="block text-sm text-muted">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
