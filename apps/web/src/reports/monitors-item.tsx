import { durationText } from '@flamegate/loadtest/scenario'
import { TimeSeriesChart } from '../charts/time-series-chart.tsx'
import { Badge } from '../components/badge.tsx'
import { formatValue } from './format-value.ts'
import type { ValuesOf } from './report-source.ts'
import { useReportSource } from './use-report-source.ts'

type Counter = ValuesOf<'monitors'>['counters'][number]

interface Props {
  title: string
  values: ValuesOf<'monitors'>
}

/** Counters of the system under test: a chart for each monitor and unit, and the alarms. */
export function MonitorsItem({ title, values: { seconds, counters, alarms } }: Props) {
  const { reportId } = useReportSource()
  const charts = Map.groupBy(
    counters,
    ({ monitor, unit }) =>
      `${monitor}${unit === '' ? '' : `, ${unit.replace(/ ?\/s$/, ' per second').trim()}`}`,
  )
  if (charts.size === 0 && alarms.length === 0)
    return <p className="text-muted">No monitor measured anything in this run.</p>
  return (
    <div className="flex flex-col gap-3">
      {alarms.length === 0 ? null : (
        <ul
          aria-label={`Alarms of ${title}`}
          className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4"
        >
          {alarms.map(({ monitor, counter, severity, second, words }) => (
            <li
              key={`${monitor} ${counter} ${second} ${words}`}
              className="flex flex-wrap items-center gap-x-3"
            >
              <Badge tone={severity === 'critical' ? 'worse' : 'caution'}>{severity}</Badge>
              <span className="text-sm text-muted tabular-nums">{durationText(second * 1000)}</span>
              <span className="min-w-0 break-words">
                {monitor}, {counter}: {words}
              </span>
            </li>
          ))}
        </ul>
      )}
      {[...charts].map(([name, own]) => (
        <TimeSeriesChart
          key={name}
          title={name}
          note={lastWords(own)}
          seconds={seconds}
          group={reportId}
          lines={own.map(({ counter, unit, values }) => ({ name: counter, unit, values }))}
        />
      ))}
    </div>
  )
}

function lastWords(counters: readonly Counter[]): string | undefined {
  const [only, other] = counters
  if (only === undefined || other !== undefined) return undefined
  const known = only.values.filter((value) => value !== null)
  return known.length === 0 ? undefined : `At most ${formatValue(Math.max(...known), only.unit)}.`
}
