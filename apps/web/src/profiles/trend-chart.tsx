import { formatBytes } from '@flamegate/contract'
import { useRef } from 'react'
import { seriesColor, seriesDash } from '../charts/series-colors.ts'
import { timeTicks } from '../charts/time-ticks.ts'
import { useElementSize } from '../components/use-element-size.ts'
import { useIsDark } from '../shell/theme.ts'
import { trendEnds, type TrendLine, trendScale } from './trend-lines.ts'

interface Props {
  label: string
  timesMs: readonly number[]
  lines: readonly TrendLine[]
}

const heightPx = 280
const margin = { left: 72, right: 16, top: 12, bottom: 40 }
const ticksMax = 6

/** Bytes in use over time, a line per site with its trend behind it. The page has the same as tables. */
export function TrendChart({ label, timesMs, lines }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(box)
  const isDark = useIsDark()
  const { x, y, yTicks } = trendScale(timesMs, lines)
  const leftPx = (timeMs: number) => margin.left + x(timeMs) * (widthPx - margin.left - margin.right)
  const topPx = (value: number) =>
    heightPx - margin.bottom - y(value) * (heightPx - margin.top - margin.bottom)
  const [first = 0, last = 0] = [timesMs[0], timesMs.at(-1)]
  const shown = labelledTimes(timesMs, Math.min(ticksMax, Math.max(2, Math.floor(widthPx / 140))))
  const times = timeTicks(
    shown.map((time) => time / 1000),
    (last - first) / 1000 / Math.max(1, shown.length - 1),
  )
  return (
    <figure className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <div ref={box} style={{ height: heightPx }}>
        {widthPx === 0 ? null : (
          <svg role="img" aria-label={label} width={widthPx} height={heightPx} className="block text-xs">
            {yTicks.map((value) => (
              <g key={value}>
                <line
                  x1={margin.left}
                  x2={widthPx - margin.right}
                  y1={topPx(value)}
                  y2={topPx(value)}
                  className="stroke-line"
                />
                <text x={margin.left - 8} y={topPx(value) + 4} textAnchor="end" className="fill-muted">
                  {formatBytes(value)}
                </text>
              </g>
            ))}
            {shown.map((time, index) => (
              <text
                key={time}
                y={heightPx - 22}
                textAnchor={anchorOf(index, shown.length)}
                className="fill-muted"
              >
                {(times[index] ?? '').split('\n').map((part, row) => (
                  <tspan key={part} x={leftPx(time)} dy={row === 0 ? 0 : 14}>
                    {part}
                  </tspan>
                ))}
              </text>
            ))}
            {lines.map((line, index) => {
              const [start, end] = trendEnds(timesMs, line)
              const color = seriesColor(index, isDark)
              return (
                <g key={line.name} stroke={color} fill={color}>
                  <line
                    x1={leftPx(first)}
                    y1={topPx(Math.max(0, start))}
                    x2={leftPx(last)}
                    y2={topPx(Math.max(0, end))}
                    strokeWidth="1"
                    strokeDasharray="3 4"
                  />
                  <polyline
                    points={line.values
                      .map((value, at) => `${leftPx(timesMs[at] ?? 0)},${topPx(value)}`)
                      .join(' ')}
                    fill="none"
                    strokeWidth="2"
                    strokeDasharray={seriesDash(index)?.join(' ')}
                  />
                  {line.values.map((value, at) => (
                    <circle
                      key={timesMs[at]}
                      cx={leftPx(timesMs[at] ?? 0)}
                      cy={topPx(value)}
                      r="3"
                      stroke="none"
                    >
                      <title>{`${line.name}: ${formatBytes(value)}`}</title>
                    </circle>
                  ))}
                </g>
              )
            })}
          </svg>
        )}
      </div>
      <figcaption>
        <ul className="flex flex-wrap gap-x-5 gap-y-1 px-2 text-sm">
          {lines.map(({ name }, index) => (
            <li key={name} className="flex min-w-0 items-center gap-1.5">
              <span
                aria-hidden="true"
                className="w-4 shrink-0 border-t-2"
                style={{
                  borderColor: seriesColor(index, isDark),
                  borderStyle: seriesDash(index) === undefined ? 'solid' : 'dashed',
                }}
              />
              <span className="truncate font-mono">{name}</span>
            </li>
          ))}
          <li className="text-muted">Dotted: the trend</li>
        </ul>
      </figcaption>
    </figure>
  )
}

/** Times of profiles that have room for a label: the first, the last, and some between. */
function labelledTimes(timesMs: readonly number[], count: number): number[] {
  if (timesMs.length <= count) return [...timesMs]
  return Array.from(
    { length: count },
    (_, index) => timesMs[Math.round((index * (timesMs.length - 1)) / (count - 1))] ?? 0,
  )
}

function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  return index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle'
}
