import { ThresholdList } from '../bench-results/threshold-results.tsx'
import { formatValue } from './format-value.ts'
import type { ValuesOf } from './report-source.ts'

/** Numbers of a run as tiles, and whether it kept to its thresholds. */
export function SummaryItem({ values: { numbers, thresholds } }: { values: ValuesOf<'summary'> }) {
  return (
    <div className="flex flex-col gap-3">
      <dl
        aria-label="Numbers"
        className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-3 printed:grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] printed:gap-2"
      >
        {numbers.map(({ metric, name, value, unit }) => (
          <div
            key={metric}
            className="flex min-w-0 break-inside-avoid flex-col justify-between rounded-lg border border-line bg-surface px-4 py-3 printed:px-2.5 printed:py-2"
          >
            <dt className="text-sm text-muted">{name}</dt>
            <dd
              className={`text-xl font-semibold break-words tabular-nums printed:text-base printed:whitespace-nowrap ${isBad(metric, value) ? 'text-worse' : ''}`}
            >
              {formatValue(value, unit)}
            </dd>
          </div>
        ))}
      </dl>
      <ThresholdList thresholds={thresholds} />
    </div>
  )
}

function isBad(metric: string, value: number | null): boolean {
  return (metric === 'failed' || metric === 'error_share') && (value ?? 0) > 0
}
