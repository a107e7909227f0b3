import { type BenchMetric, benchMetrics, operations } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { useMemo } from 'react'
import { useAnswer } from '../api.ts'
import type { TimeSeriesLine } from '../charts/time-series-options.ts'
import { TimeSeriesChart } from '../charts/time-series-chart.tsx'
import { Answer } from '../components/answer.tsx'
import { Caution } from '../components/caution.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { limitedSeconds } from './limited-seconds.ts'
import type { TimeSpan } from './time-span.ts'
import { type BenchSeries, trimSeries } from './trim-series.ts'

interface Props {
  benchResultId: string
  isLive: boolean
  span: TimeSpan
  onSelect: (from: number, to: number) => void
}

interface ChartPlan {
  title: string
  note?: string
  lines: readonly { metric: BenchMetric; name: string; isRight?: boolean }[]
}

const charts: readonly ChartPlan[] = [
  {
    title: 'Users and requests',
    lines: [
      { metric: 'rate', name: 'Requests' },
      { metric: 'users', name: 'Users (right)', isRight: true },
    ],
  },
  {
    title: 'Response times',
    lines: [
      { metric: 'p50', name: 'p50' },
      { metric: 'p95', name: 'p95' },
      { metric: 'p99', name: 'p99' },
    ],
  },
  {
    title: 'Errors',
    lines: [
      { metric: 'error_share', name: 'Share of the requests' },
      { metric: 'error_rate', name: 'Errors (right)', isRight: true },
    ],
  },
  {
    title: 'Load generators',
    note: 'How the agents that made the load were themselves.',
    lines: [
      { metric: 'cpu_share', name: 'CPU' },
      { metric: 'event_loop_delay_max', name: 'Event loop delay (right)', isRight: true },
      { metric: 'send_lag_max', name: 'Send lag (right)', isRight: true },
    ],
  },
]
const metrics = charts.flatMap(({ lines }) => lines.map(({ metric }) => metric))

/** A load test over its time. */
export function BenchCharts({ benchResultId, isLive, span, onSelect }: Props) {
  const query = useAnswer(
    operations.getBenchSeries,
    { bench_result_id: benchResultId, metrics, points_max: 600, ...span },
    { keepPrevious: true, pollWhile: () => isLive, isLive },
  )
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="36rem" />}>
      {(series) => <Charts series={series} group={benchResultId} onSelect={onSelect} />}
    </Answer>
  )
}

interface ChartsProps {
  series: BenchSeries
  group: string
  onSelect: Props['onSelect']
}

function Charts({ series, group, onSelect }: ChartsProps) {
  const drawn = useMemo(() => {
    const trimmed = trimSeries(series)
    const byMetric = new Map(trimmed.lines.map((line) => [line.metric, line]))
    const { seconds } = trimmed
    // Of what was imported, nothing is known of what made the load.
    const known = charts.filter(
      ({ lines }) => seconds.length === 0 || lines.some(({ metric }) => byMetric.has(metric)),
    )
    const plots = known.map(({ lines, ...chart }) => ({
      ...chart,
      seconds,
      lines: lines.map(({ metric, name, isRight = false }): TimeSeriesLine => {
        const values = byMetric.get(metric)?.values ?? seconds.map(() => null)
        return { name, isRight, unit: benchMetrics[metric], values }
      }),
    }))
    return { plots, limitedMs: 1000 * limitedSeconds(trimmed) }
  }, [series])
  return (
    <div className="flex flex-col gap-4">
      {drawn.limitedMs === 0 ? null : (
        <Caution>
          For {durationText(drawn.limitedMs)} a load generator was at its limit: above 90 % of a core, or more
          than 100 ms late. What was measured then says more about it than about the target.
        </Caution>
      )}
      <div className="grid gap-4 xl:grid-cols-2">
        {drawn.plots.map((chart) => (
          <TimeSeriesChart key={chart.title} {...chart} group={group} onSelect={onSelect} />
        ))}
      </div>
    </div>
  )
}
