import type { LiveRowShape } from '@flamegate/contract'
import { TimeSeriesChart } from '../charts/time-series-chart.tsx'
import { Answer } from '../components/answer.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { historyOfRow, useLiveHistory } from './live-history.ts'
import { LiveLog } from './live-log.tsx'
import type { LiveSectionView } from './live-sections.ts'
import { measureCharts } from './measure-charts.ts'

interface Props {
  /** Id of a live app or of a recording. */
  sourceId: string
  section: LiveSectionView
  row: LiveRowShape
  windowSeconds: number | undefined
  isPaused: boolean
  hasLog: boolean
  onClose: () => void
}

const steps = 120

/** All that is known of a row: how each of its measures went, and the newest entries of its log. */
export function LiveItem({ sourceId, section, row, windowSeconds, isPaused, hasLog, onClose }: Props) {
  const query = useLiveHistory({ sourceId, section, windowSeconds, isPaused, steps, name: row.name })
  return (
    <Dialog title={row.name} isOpen wide onClose={onClose}>
      {row.place === null ? null : <p className="text-sm break-all text-muted">{row.place}</p>}
      <Answer query={query} skeleton={<SkeletonBlock height="16rem" />}>
        {({ from, at, items }) => {
          const charts = measureCharts(historyOfRow(items)(row)?.measures ?? {})
          const midnightMs = new Date(from).setHours(0, 0, 0, 0)
          const seconds = at.map((end) => (Date.parse(end) - midnightMs) / 1000)
          return charts.length === 0 ? (
            <p className="text-muted">Nothing was told of it in this time.</p>
          ) : (
            <div className="flex flex-col gap-3">
              {charts.map(({ title, lines }) => (
                <TimeSeriesChart
                  key={title}
                  title={title}
                  isClock
                  seconds={seconds}
                  lines={lines}
                  group="live item"
                />
              ))}
            </div>
          )
        }}
      </Answer>
      {hasLog && 'logs' in section ? (
        <section aria-label="Log" className="flex flex-col gap-2">
          <h3 className="font-semibold">Log</h3>
          <LiveLog liveAppId={sourceId} section={section} row={row} isPaused={isPaused} />
        </section>
      ) : null}
    </Dialog>
  )
}
