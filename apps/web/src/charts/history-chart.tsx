import { formatQuantity } from '@flamegate/contract'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { useElementSize } from '../components/use-element-size.ts'
import { useIsDark } from '../shell/theme.ts'
import { type HistoryColumns, type HistoryPoint, valueRange } from './history-columns.ts'
import { timeTicks } from './time-ticks.ts'
import { seriesColor, seriesDash } from './series-colors.ts'

interface Props<Point extends HistoryPoint> {
  columns: HistoryColumns<Point>
  unit: string
  label: string
  /** Column to mark, such as the run that is shown below. */
  marked: number | undefined
  renderTooltip: (point: Point) => ReactNode
  onChoose: (point: Point) => void
}

interface Hover {
  column: number
  leftPx: number
  topPx: number
}

const heightPx = 320

/** Values over time, one line per branch. The page has the same as a table for those who do not point. */
export function HistoryChart<Point extends HistoryPoint>(props: Props<Point>) {
  const { columns, unit, label, marked, renderTooltip, onChoose } = props
  const box = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(box)
  const isDark = useIsDark()
  const [hover, setHover] = useState<Hover>()
  const hovered = hover === undefined ? undefined : columns.points[hover.column]

  useEffect(() => {
    const target = box.current
    if (target === null || widthPx === 0) return undefined
    const chart = new uPlot(
      {
        ...chartOptions(columns, unit, isDark, marked),
        width: widthPx,
        height: heightPx,
        hooks: {
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
    return () => chart.destroy()
  }, [columns, unit, isDark, widthPx, marked])

  return (
    <figure className="relative rounded-lg border border-line bg-surface p-3 pt-4">
      <div
        ref={box}
        aria-hidden="true"
        className="cursor-pointer overflow-hidden"
        style={{ height: heightPx }}
        onPointerUp={() => {
          if (hovered !== undefined) onChoose(hovered)
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
      <figcaption>
        <span className="sr-only">{label}</span>
        <ul aria-label="Branches" className="flex flex-wrap gap-x-5 gap-y-1 px-2 pt-2 text-sm">
          {columns.branches.map(({ name }, index) => (
            <li key={name} className="flex min-w-0 items-center gap-1.5">
              <span
                aria-hidden="true"
                className={`w-4 border-t-2 ${seriesDash(index) === undefined ? '' : 'border-dashed'}`}
                style={{ borderColor: seriesColor(index, isDark) }}
              />
              <span className="truncate">{name}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

function chartOptions<Point extends HistoryPoint>(
  columns: HistoryColumns<Point>,
  unit: string,
  isDark: boolean,
  marked: number | undefined,
): Omit<uPlot.Options, 'width' | 'height'> {
  const text = isDark ? '#a9a298' : '#5f5a52'
  const line = isDark ? '#302d2a' : '#e4e0d9'
  const font = '12px system-ui, sans-serif'
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  return {
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9 },
    },
    scales: { y: { range: () => valueRange(columns.points.map(({ value }) => value)) } },
    axes: [
      { ...axis, values: (_, ticks, _axis, _space, incrementSeconds) => timeTicks(ticks, incrementSeconds) },
      { ...axis, size: 76, values: (_, ticks) => ticks.map((value) => formatQuantity(value, unit)) },
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
          points: { show: true, size: 6, fill: color },
          ...(dash === undefined ? {} : { dash }),
        }
      }),
    ],
    plugins: marked === undefined ? [] : [markColumn(marked, text)],
  }
}

/** A dashed line through a column. */
function markColumn(column: number, color: string): uPlot.Plugin {
  return {
    hooks: {
      drawAxes: (chart) => {
        const { ctx, bbox } = chart
        const time = chart.data[0]?.[column]
        if (time === undefined) return
        const x = Math.round(chart.valToPos(time, 'x', true))
        ctx.save()
        ctx.strokeStyle = color
        ctx.setLineDash([4, 4])
        ctx.beginPath()
        ctx.moveTo(x, bbox.top)
        ctx.lineTo(x, bbox.top + bbox.height)
        ctx.stroke()
        ctx.restore()
      },
    },
  }
}
