import { type CurvePoint, durationText, loadValueAt } from '@flamegate/loadtest/scenario'
import { type PointerEvent, useRef, useState } from 'react'
import { durationTicks } from '../charts/duration-ticks.ts'
import { evenTicks } from '../charts/log-ticks.ts'
import { seriesCssColor } from '../charts/series-colors.ts'
import { useElementSize } from '../components/use-element-size.ts'
import { type ProfileCurve, totalOf } from './curves-of.ts'

interface Props {
  /** What is drawn upwards: users, or iterations per second. */
  unit: string
  curves: readonly ProfileCurve[]
  durationMs: number
}

const heightPx = 200
const margin = { top: 10, right: 12, bottom: 24, left: 48 }
const tickDistancePx = 90

/** What a scenario asks for over time: a line for each profile, and an area for all of them. */
export function LoadChart({ unit, curves, durationMs }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(frame)
  const [pointedMs, setPointedMs] = useState<number>()
  const total = totalOf(curves)
  const peak = Math.max(0, ...total.map(({ value }) => value))
  const top = peak > 0 ? peak : 1
  const plotWidthPx = Math.max(1, widthPx - margin.left - margin.right)
  const plotHeightPx = heightPx - margin.top - margin.bottom
  const x = (atMs: number) => margin.left + (plotWidthPx * atMs) / Math.max(1, durationMs)
  const y = (value: number) => margin.top + plotHeightPx * (1 - value / top)
  const path = (points: readonly CurvePoint[]) =>
    points.map(({ atMs, value }) => `${x(atMs).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const area = `${x(0)},${y(0)} ${path(total)} ${x(total.at(-1)?.atMs ?? 0)},${y(0)}`
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const placePx = clientX - currentTarget.getBoundingClientRect().left - margin.left
    setPointedMs(Math.round((durationMs * Math.min(1, Math.max(0, placePx / plotWidthPx))) / 100) * 100)
  }
  const several = curves.length > 1
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        <span className="font-medium">
          {unit}
          <span className="ml-2 font-normal text-muted">at most {rounded(peak)}</span>
        </span>
        {several
          ? curves.map(({ id, name }, index) => (
              <span key={id} className="flex min-w-0 items-center gap-1.5 text-muted">
                <span
                  aria-hidden="true"
                  className="h-0.5 w-4 shrink-0"
                  style={{ background: seriesCssColor(index) }}
                />
                <span className="min-w-0 truncate">{name}</span>
              </span>
            ))
          : null}
        <span className="ml-auto text-muted tabular-nums">
          {pointedMs === undefined
            ? durationText(durationMs)
            : `${durationText(pointedMs)}: ${rounded(loadValueAt(total, pointedMs))}`}
        </span>
      </figcaption>
      <div ref={frame} className="min-w-0">
        <svg
          role="img"
          aria-label={`${unit} over ${durationText(durationMs)}, at most ${rounded(peak)}`}
          width={widthPx}
          height={heightPx}
          onPointerMove={point}
          onPointerLeave={() => setPointedMs(undefined)}
          className="block max-w-full touch-pan-y text-sm tabular-nums"
        >
          {[0, ...evenTicks(0, top).filter((tick) => tick > 0)].map((tick) => (
            <g key={tick}>
              <line
                x1={margin.left}
                x2={widthPx - margin.right}
                y1={y(tick)}
                y2={y(tick)}
                className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
              />
              <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end" className="fill-muted">
                {rounded(tick)}
              </text>
            </g>
          ))}
          {durationTicks(durationMs, Math.max(2, plotWidthPx / tickDistancePx)).map((tick) => (
            <text
              key={tick}
              x={x(tick)}
              y={heightPx - 6}
              textAnchor={tick === 0 ? 'start' : x(tick) > widthPx - 40 ? 'end' : 'middle'}
              className="fill-muted"
            >
              {durationText(tick)}
            </text>
          ))}
          <polygon points={area} fill={seriesCssColor(0)} fillOpacity="0.12" />
          {several ? (
            <polyline points={path(total)} fill="none" strokeWidth="1" className="stroke-line-strong" />
          ) : null}
          {curves.map(({ id, points }, index) => (
            <polyline
              key={id}
              points={path(points)}
              fill="none"
              stroke={seriesCssColor(index)}
              strokeWidth="2"
              strokeLinejoin="round"
            />
          ))}
          {pointedMs === undefined ? null : (
            <line
              x1={x(pointedMs)}
              x2={x(pointedMs)}
              y1={margin.top}
              y2={y(0)}
              className="stroke-muted"
              strokeDasharray="3 3"
            />
          )}
        </svg>
      </div>
      <table className="sr-only">
        <caption>{unit}, all profiles together</caption>
        <thead>
          <tr>
            <th scope="col">At</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {total.slice(0, 200).map(({ atMs, value }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two corners may be at the same time with the same value
            <tr key={index}>
              <td>{durationText(atMs)}</td>
              <td>{rounded(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

function rounded(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString('en')
}
