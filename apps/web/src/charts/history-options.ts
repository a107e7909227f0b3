import { formatQuantity } from '@flamegate/contract'
import type uPlot from 'uplot'
import { type HistoryColumns, type HistoryPoint, logRange, valueRange } from './history-columns.ts'
import type { AlertMark, LevelLine } from './history-marks.ts'
import { drawAlerts, drawLevels, markColumns } from './history-plugins.ts'
import { logTicks } from './log-ticks.ts'
import { seriesColor, seriesDash } from './series-colors.ts'
import { timeTicks } from './time-ticks.ts'

export interface HistoryDrawing<Point extends HistoryPoint> {
  columns: HistoryColumns<Point>
  unit: string
  /** Values must be above zero. */
  isLogarithmic: boolean
  levels: readonly LevelLine[]
  alerts: readonly AlertMark[]
  /** Columns to mark, such as the run that is shown below. */
  marked: readonly number[]
}

/** A press that moves less than this chooses a point; more zooms. */
export const dragPx = 6

/** How uPlot draws a history; what it shows of the time is left to whoever draws it. */
export function historyOptions<Point extends HistoryPoint>(
  { columns, unit, isLogarithmic, levels, alerts, marked }: HistoryDrawing<Point>,
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
      // Dragging selects; the chart is told what to show.
      drag: { x: true, y: false, dist: dragPx, setScale: false },
      bind: { dblclick: () => null },
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
