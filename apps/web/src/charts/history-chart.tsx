import { formatQuantity } from '@flamegate/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { Button } from '../components/button.tsx'
import { useElementSize } from '../components/use-element-size.ts'
import { useIsDark } from '../shell/theme.ts'
import { type HistoryColumns, type HistoryPoint, logRange, valueRange } from './history-columns.ts'
import type { AlertMark, LevelLine } from './history-marks.ts'
import { drawAlerts, drawLevels, markColumns } from './history-plugins.ts'
import { logTicks } from './log-ticks.ts'
import { timeTicks } from './time-ticks.ts'
import { seriesColor, seriesDash } from './series-colors.ts'

interface Drawing<Point extends HistoryPoint> {
  columns: HistoryColumns<Point>
  unit: string
  /** Values must be above zero. */
  isLogarithmic: boolean
  levels: readonly LevelLine[]
  alerts: readonly AlertMark[]
  /** Columns to mark, such as the run that is shown below. */
  marked: readonly number[]
}

interface Props<Point extends HistoryPoint> extends Drawing<Point> {
  label: string
  renderTooltip: (point: Point) => ReactNode
  onChoose: (point: Point) => void
}

interface Hover {
  column: number
  leftPx: number
  topPx: number
}

type TimeRange = [fromSeconds: number, toSeconds: number]

const heightPx = 320
/** A press that moves less than this chooses a point; more zooms. */
const dragPx = 6

/** Values over time, one line per branch. The page has the same as a table for those who do not point. */
export function HistoryChart<Point extends HistoryPoint>(props: Props<Point>) {
  const { columns, unit, isLogarithmic, levels, alerts, marked, label, renderTooltip, onChoose } = props
  const box = useRef<HTMLDivElement>(null)
  const pressedAtPx = useRef(0)
  const { widthPx } = useElementSize(box)
  const isDark = useIsDark()
  const [hover, setHover] = useState<Hover>()
  const [chart, setChart] = useState<uPlot>()
  const [zoom, setZoom] = useState<TimeRange>()
  const latestZoom = useRef(zoom)
  const hovered = hover === undefined ? undefined : columns.points[hover.column]

  useEffect(() => {
    latestZoom.current = zoom
  }, [zoom])

  useEffect(() => {
    const target = box.current
    if (target === null || widthPx === 0) return undefined
    const drawn = new uPlot(
      {
        ...chartOptions({ columns, unit, isLogarithmic, levels, alerts, marked }, isDark),
        width: widthPx,
        height: heightPx,
        hooks: {
          setScale: [
            ({ scales }, key) => {
              if (key === 'x') setZoom(zoomOf(columns.times, scales['x']))
            },
          ],
          setCursor: [
            ({ cursor: { idx, left, top }, over }) =>
              setHover(
                typeof idx === 'number' && left !== undefined && left >= 0
                  ? { column: idx, leftPx: left + over.offsetLeft, topPx: (top ?? 0) + over.offsetTop }
                  : undefined,
              ),
          ],
        },
      },
      [columns.times, ...columns.branches.map(({ values }) => values)],
      target,
    )
    if (latestZoom.current !== undefined) {
      const [min, max] = latestZoom.current
      drawn.setScale('x', { min, max })
    }
    setChart(drawn)
    return () => drawn.destroy()
  }, [columns, unit, isLogarithmic, levels, alerts, marked, isDark, widthPx])

  return (
    <figure className="relative rounded-lg border border-line bg-surface p-3 pt-4">
      <div
        ref={box}
        aria-hidden="true"
        className="cursor-pointer overflow-hidden"
        style={{ height: heightPx }}
        onPointerDown={({ clientX }) => {
          pressedAtPx.current = clientX
        }}
        onPointerUp={({ clientX }) => {
          if (hovered !== undefined && Math.abs(clientX - pressedAtPx.current) < dragPx) onChoose(hovered)
        }}
      />
      {hovered === undefined || hover === undefined ? null : (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute z-20 max-w-72 rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-floating"
          style={{
            top: hover.topPx + 24,
            ...(hover.leftPx > widthPx / 2
              ? { right: widthPx - hover.leftPx + 24 }
              : { left: hover.leftPx + 28 }),
          }}
        >
          {renderTooltip(hovered)}
        </div>
      )}
      <figcaption className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-2 pt-2 text-sm">
        <span className="sr-only">{label}</span>
        <Legend
          columns={columns}
          hasLevels={levels.length > 0}
          hasAlerts={alerts.length > 0}
          isDark={isDark}
        />
        {zoom === undefined ? (
          columns.points.length > 2 ? (
            <span className="text-muted pointer-coarse:hidden">Drag to zoom in</span>
          ) : null
        ) : (
          <Button
            onPress={() => {
              const [min, max] = wholeRange(columns.times)
              chart?.setScale('x', { min, max })
            }}
          >
            Show all
          </Button>
        )}
      </figcaption>
    </figure>
  )
}

interface LegendProps {
  columns: HistoryColumns<HistoryPoint>
  hasLevels: boolean
  hasAlerts: boolean
  isDark: boolean
}

function Legend({ columns, hasLevels, hasAlerts, isDark }: LegendProps) {
  return (
    <ul aria-label="Legend" className="flex min-w-0 flex-wrap gap-x-5 gap-y-1">
      {columns.branches.map(({ name }, index) => (
        <li key={name} className="flex min-w-0 items-center gap-1.5">
          <span
            aria-hidden="true"
            className={`w-4 shrink-0 border-t-2 ${seriesDash(index) === undefined ? '' : 'border-dashed'}`}
            style={{ borderColor: seriesColor(index, isDark) }}
          />
          <span className="truncate">{name}</span>
        </li>
      ))}
      {hasLevels ? (
        <li className="flex items-center gap-1.5 text-muted">
          <span aria-hidden="true" className="h-1.5 w-4 bg-accent opacity-30" />
          level between changes
        </li>
      ) : null}
      {hasAlerts ? (
        <li className="flex items-center gap-1.5 text-muted">
          <span aria-hidden="true">▾</span>
          alert, filled while it is open
        </li>
      ) : null}
    </ul>
  )
}

function wholeRange(times: readonly number[]): TimeRange {
  return [times[0] ?? 0, times.at(-1) ?? 0]
}

/** The range that is shown, unless that is all of it. */
function zoomOf(times: readonly number[], scale: uPlot.Scale | undefined): TimeRange | undefined {
  const [first, last] = wholeRange(times)
  const { min, max } = scale ?? {}
  if (typeof min !== 'number' || typeof max !== 'number') return undefined
  const slack = (last - first) * 0.001
  return min > first + slack || max < last - slack ? [min, max] : undefined
}

function valueScale(isLogarithmic: boolean): uPlot.Scale {
  const scale: uPlot.Scale = {
    // Of what is shown, so that zooming in on a quiet stretch shows it larger; a stretch without runs has no values.
    range: (_, low, high) => {
      if (!Number.isFinite(low) || !Number.isFinite(high)) return [1, 10]
      return isLogarithmic ? logRange(low, high) : valueRange([low, high])
    },
  }
  // The enum that names this number is in uPlot's types only.
  return isLogarithmic ? Object.assign(scale, { distr: 3 }) : scale
}

function chartOptions<Point extends HistoryPoint>(
  { columns, unit, isLogarithmic, levels, alerts, marked }: Drawing<Point>,
  isDark: boolean,
): Omit<uPlot.Options, 'width' | 'height'> {
  const text = isDark ? '#a9a298' : '#5f5a52'
  const line = isDark ? '#302d2a' : '#e4e0d9'
  const alertColors = isDark
    ? { worse: '#ff948a', better: '#74d6a0', ground: '#1b1a18' }
    : { worse: '#b3261e', better: '#14663a', ground: '#ffffff' }
  const font = '12px system-ui, sans-serif'
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  return {
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, dist: dragPx },
      points: { size: 9 },
    },
    scales: { y: valueScale(isLogarithmic) },
    axes: [
      { ...axis, values: (_, ticks, _axis, _space, incrementSeconds) => timeTicks(ticks, incrementSeconds) },
      {
        ...axis,
        size: 76,
        values: (_, ticks) => ticks.map((value) => formatQuantity(value, unit)),
        // uPlot's own choice names decades only.
        ...(isLogarithmic
          ? {
              splits: (_: uPlot, _axis: number, low: number, high: number) => logTicks(low, high),
              filter: (_: uPlot, ticks: number[]) => ticks,
            }
          : {}),
      },
    ],
    series: [
      {},
      ...columns.branches.map(({ name }, index) => {
        const color = seriesColor(index, isDark)
        const dash = seriesDash(index)
        return {
          label: name,
          stroke: color,
          width: 1.75,
          spanGaps: true,
          points: { show: columns.points.length <= 400, size: 6, fill: color },
          ...(dash === undefined ? {} : { dash }),
        }
      }),
    ],
    plugins: [
      drawLevels(levels, (branch) => seriesColor(branch, isDark)),
      markColumns(marked, text),
      drawAlerts(alerts, (column) => columns.points[column]?.value ?? 0, alertColors),
    ],
  }
}
