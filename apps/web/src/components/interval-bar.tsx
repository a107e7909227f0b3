import { formatChangePercent } from '@flamegate/contract'
import { placeInterval } from '../charts/interval-scale.ts'
import type { Compared } from './verdict.tsx'

const fills: Partial<Record<Compared['verdict'], string>> = { regressed: 'bg-worse', improved: 'bg-better' }

/** The confidence interval of a change as a bar around the line of no change; more is right. */
export function IntervalBar({ row, scalePercent }: { row: Compared; scalePercent: number }) {
  const place = placeInterval(row, scalePercent)
  if (place === undefined) return null
  const fill = fills[row.verdict] ?? 'bg-muted'
  return (
    <span title={intervalWords(row)} className="relative block h-5 w-40">
      <span className="sr-only">{intervalWords(row)}</span>
      <span className="absolute inset-y-0 left-1/2 border-l border-line-strong/60" />
      <span
        className={`absolute top-1.5 h-2 min-w-0.5 opacity-35 ${fill}`}
        style={{ left: `${place.low}%`, width: `${place.high - place.low}%` }}
      />
      {(['low', 'high'] as const).map((end) => (
        <span
          key={end}
          className={`absolute top-1 -ml-px h-3 w-px ${fill}`}
          style={{ left: `${place[end]}%` }}
        />
      ))}
      <span
        className={`absolute top-1 -ml-px h-3 w-[3px] rounded-full ${fill}`}
        style={{ left: `${place.change}%` }}
      />
    </span>
  )
}

export function intervalWords(row: Compared): string {
  const { interval_low_percent: low, interval_high_percent: high } = row
  if (low === null || high === null) return 'No interval is known'
  return `Between ${formatChangePercent(low)} and ${formatChangePercent(high)}`
}
