import { durationText } from '@flamegate/loadtest/scenario'
import { ScatterChart } from '../charts/scatter-chart.tsx'
import type { TimeSeriesLine } from '../charts/time-series-options.ts'
import { TimeSeriesChart } from '../charts/time-series-chart.tsx'
import { runsLeftOutWords } from './left-out-words.ts'
import { seriesMetricLabel } from './metric-labels.ts'
import type { ValuesOf } from './report-source.ts'
import { useReportSource } from './use-report-source.ts'

/** Metrics over time, or one against another. */
export function ChartItem({ title, values }: { title: string; values: ValuesOf<'chart'> }) {
  const { reportId } = useReportSource()
  const { form, seconds, bucket_seconds: bucketSeconds, lines: given, actions_left_out: leftOut } = values
  const runsLeftOut = runsLeftOutWords(values.runs_left_out)
  const lines = given.map(({ name, metric, unit, axis, values: numbers }, index): TimeSeriesLine => {
    const isNamedTwice = given.some((other, place) => place < index && other.name === name)
    return {
      name: `${labelled(name, metric)}${axis === 'right' && form !== 'scatter' ? ' (right)' : ''}${isNamedTwice ? ` (${index + 1})` : ''}`,
      unit,
      values: numbers,
      isRight: axis === 'right',
    }
  })
  const [across, up] = lines
  if (form !== 'scatter')
    return (
      <TimeSeriesChart
        title={title}
        hidesTitle
        note={`A value for each ${durationText(bucketSeconds * 1000)}.${leftOut === 0 ? '' : ` ${leftOut} actions with fewer requests are not drawn.`} ${runsLeftOut}`}
        form={form}
        seconds={seconds}
        lines={lines}
        group={reportId}
      />
    )
  if (across === undefined || up === undefined)
    return <p className="text-muted">{runsLeftOut || 'Nothing was measured yet.'}</p>
  return <ScatterChart title={title} hidesTitle seconds={seconds} across={across} up={up} />
}

/** What nobody gave a name begins with that of its metric. */
function labelled(name: string, metric: string): string {
  const isUnnamed = name === metric || name.startsWith(`${metric}, `)
  return isUnnamed ? seriesMetricLabel(metric) + name.slice(metric.length) : name
}
