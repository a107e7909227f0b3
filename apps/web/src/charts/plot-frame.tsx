import { type ReactNode, useRef } from 'react'
import { useElementSize } from '../components/use-element-size.ts'

export interface PlotAxis {
  /** What is at its two ends. */
  range: readonly [low: number, high: number]
  ticks: readonly { at: number; label: string }[]
}

/** Where values lie, in pixels from the upper left corner. */
export interface PlotPlace {
  x: (value: number) => number
  y: (value: number) => number
  topPx: number
  bottomPx: number
}

interface Props {
  x: PlotAxis
  y: PlotAxis
  onPointerMove?: (xPx: number, yPx: number, place: PlotPlace) => void
  onPointerLeave?: () => void
  /** What is drawn, as SVG. */
  children: (place: PlotPlace) => ReactNode
}

const heightPx = 240
const margin = { top: 22, right: 16, bottom: 24, left: 68 }

/** Two axes with their grid, as wide as there is room. It is a picture: its values have to be told beside it. */
export function PlotFrame({ x: across, y: up, onPointerMove, onPointerLeave, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(frame)
  const plotWidthPx = Math.max(1, widthPx - margin.left - margin.right)
  const bottomPx = heightPx - margin.bottom
  const place: PlotPlace = {
    x: (value) => margin.left + plotWidthPx * shareOf(value, across.range),
    y: (value) => bottomPx - (bottomPx - margin.top) * shareOf(value, up.range),
    topPx: margin.top,
    bottomPx,
  }
  return (
    <div ref={frame} aria-hidden="true" className="min-w-0">
      <svg
        width={widthPx}
        height={heightPx}
        className="block max-w-full touch-pan-y text-sm tabular-nums"
        onPointerMove={({ clientX, clientY, currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          onPointerMove?.(clientX - left, clientY - top, place)
        }}
        onPointerLeave={onPointerLeave}
      >
        {up.ticks.map(({ at, label }) => (
          <g key={at}>
            <line
              x1={margin.left}
              x2={widthPx - margin.right}
              y1={place.y(at)}
              y2={place.y(at)}
              className={at === up.range[0] ? 'stroke-line-strong' : 'stroke-line'}
            />
            <text x={margin.left - 8} y={place.y(at) + 4} textAnchor="end" className="fill-muted">
              {label}
            </text>
          </g>
        ))}
        {across.ticks.map(({ at, label }) => (
          <text
            key={at}
            x={place.x(at)}
            y={heightPx - 6}
            textAnchor={
              place.x(at) < margin.left + 30 ? 'start' : place.x(at) > widthPx - 50 ? 'end' : 'middle'
            }
            className="fill-muted"
          >
            {label}
          </text>
        ))}
        {widthPx === 0 ? null : children(place)}
      </svg>
    </div>
  )
}

function shareOf(value: number, [low, high]: PlotAxis['range']): number {
  return high === low ? 0.5 : (value - low) / (high - low)
}
