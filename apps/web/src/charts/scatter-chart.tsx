import { durationText } from '@flamegate/loadtest/scenario'
import { useState } from 'react'
import { DataTable } from '../components/data-table.tsx'
import { axisFromZero } from './axis-from-zero.ts'
import { ChartFrame } from './chart-frame.tsx'
import { formatMetric } from './format-metric.ts'
import { PlotFrame, type PlotPlace } from './plot-frame.tsx'
import { seriesCssColor } from './series-colors.ts'
import type { TimeSeriesLine } from './time-series-options.ts'

interface Props {
  title: string
  hidesTitle?: boolean
  /** Seconds since the run began, rising. */
  seconds: readonly number[]
  across: TimeSeriesLine
  up: TimeSeriesLine
}

interface Dot {
  second: number
  x: number
  y: number
}

/** A value against another one, with a dot for each moment; later ones are darker. Arrow keys go through the moments. */
export function ScatterChart({ title, hidesTitle = false, seconds, across, up }: Props) {
  const [pointed, setPointed] = useState<number>()
  const dots = seconds.flatMap((second, index): Dot[] => {
    const [x, y] = [across.values[index], up.values[index]]
    return typeof x === 'number' && typeof y === 'number' ? [{ second, x, y }] : []
  })
  const current = Math.min(pointed ?? dots.length - 1, dots.length - 1)
  const wordsOf = (dot: Dot | undefined) =>
    dot === undefined
      ? 'Nothing was measured yet.'
      : `${durationText(dot.second * 1000)}: ${across.name} ${formatMetric(dot.x, across.unit)}, ${up.name} ${formatMetric(dot.y, up.unit)}`
  const pointAt = (xPx: number, yPx: number, place: PlotPlace) => {
    const distances = dots.map(({ x, y }) => Math.hypot(place.x(x) - xPx, place.y(y) - yPx))
    setPointed(distances.indexOf(Math.min(...distances)))
  }
  return (
    <ChartFrame
      title={title}
      hidesTitle={hidesTitle}
      note={`${up.name} up, ${across.name} across; later moments are darker.`}
      chart={
        <>
          <input
            type="range"
            aria-label={`Time of ${title}`}
            aria-valuetext={wordsOf(dots[current])}
            min={0}
            max={Math.max(0, dots.length - 1)}
            value={Math.max(0, current)}
            onChange={({ currentTarget }) => setPointed(Number(currentTarget.value))}
            onBlur={() => setPointed(undefined)}
            className="peer sr-only"
          />
          <div className="rounded-md peer-focus-visible:outline-2 peer-focus-visible:outline-accent">
            <PlotFrame
              x={axisFromZero(
                dots.map(({ x }) => x),
                across.unit,
              )}
              y={axisFromZero(
                dots.map(({ y }) => y),
                up.unit,
              )}
              onPointerMove={pointAt}
              onPointerLeave={() => setPointed(undefined)}
            >
              {(place) => (
                <g fill={seriesCssColor(0)}>
                  {dots.map(({ second, x, y }, index) => (
                    <circle
                      key={second}
                      cx={place.x(x)}
                      cy={place.y(y)}
                      r={index === pointed ? 6 : 3.5}
                      fillOpacity={index === pointed ? 1 : 0.25 + (0.6 * (index + 1)) / dots.length}
                    />
                  ))}
                </g>
              )}
            </PlotFrame>
          </div>
          <p className="text-sm text-muted tabular-nums printed:hidden">{wordsOf(dots[current])}</p>
        </>
      }
      table={
        <DataTable
          label={title}
          rows={dots}
          rowKey={({ second }) => String(second)}
          whenEmpty="Nothing was measured yet."
          columns={[
            {
              key: 'time',
              title: 'Since it began',
              sortBy: ({ second }) => second,
              render: ({ second }) => durationText(second * 1000),
            },
            {
              key: 'across',
              title: across.name,
              align: 'right',
              sortBy: ({ x }) => x,
              render: ({ x }) => formatMetric(x, across.unit),
            },
            {
              key: 'up',
              title: up.name,
              align: 'right',
              sortBy: ({ y }) => y,
              render: ({ y }) => formatMetric(y, up.unit),
            },
          ]}
        />
      }
    />
  )
}
