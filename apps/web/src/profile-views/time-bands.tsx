import { type AnswerOf, formatQuantity, type operations } from '@flamegate/contract'
import { type PointerEvent, useId, useRef, useState } from 'react'
import { seriesColor } from '../charts/series-colors.ts'
import { useIsDark } from '../shell/theme.ts'
import { bandPath, draggedRange } from './band-path.ts'

type Timeline = AnswerOf<typeof operations.getProfileTimeline>
type Range = readonly [fromMs: number, toMs: number]

interface Props {
  timeline: Timeline
  /** What the other views show; undefined for all. */
  range: Range | undefined
  onChoose: (range: Range) => void
}

/** A band per series below each other, on one scale; dragging over them chooses a stretch of time. */
export function TimeBands({ timeline, range, onChoose }: Props) {
  const { start_ms: startMs, end_ms: endMs, series, unit } = timeline
  const isDark = useIsDark()
  const area = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<{ from: number; to: number }>()
  const [pointer, setPointer] = useState<number>()
  const hatchId = useId()
  const highest = series.reduce((most, { values }) => values.reduce(larger, most), 0)
  const shown = (drag && draggedRange(drag.from, drag.to, startMs, endMs)) ?? range
  const percentAt = (ms: number) =>
    Math.min(100, Math.max(0, ((ms - startMs) / (endMs - startMs || 1)) * 100))

  const shareOf = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect()
    return box === undefined || box.width === 0 ? 0 : (event.clientX - box.left) / box.width
  }
  const end = () => {
    const chosen = drag && draggedRange(drag.from, drag.to, startMs, endMs)
    setDrag(undefined)
    if (chosen !== undefined) onChoose(chosen)
  }
  return (
    <div className="flex flex-col gap-2">
      <div
        ref={area}
        className="relative touch-pan-y overflow-hidden rounded-lg border border-line bg-surface select-none"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ from: shareOf(event), to: shareOf(event) })
        }}
        onPointerMove={(event) => {
          const share = shareOf(event)
          setPointer(share)
          setDrag((before) => before && { ...before, to: share })
        }}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
        onPointerLeave={() => setPointer(undefined)}
      >
        {series.map((row, index) => (
          <div key={row.name} className="relative h-14 border-b border-line last:border-b-0">
            <svg
              role="img"
              aria-label={`${row.name}: ${formatQuantity(row.total_value, unit)}, ${row.percent.toFixed(1)} %`}
              viewBox={`0 0 ${row.values.length} 1`}
              preserveAspectRatio="none"
              className="absolute inset-x-0 top-5 bottom-0 h-9 w-full"
            >
              <defs>
                <pattern
                  id={`${hatchId}-${index}`}
                  width={row.values.length / 160}
                  height="1"
                  patternUnits="userSpaceOnUse"
                >
                  <rect
                    width={row.values.length / 480}
                    height="1"
                    fill="currentColor"
                    className="text-line"
                  />
                </pattern>
              </defs>
              {row.gaps.map((gap) => (
                <rect
                  key={gap.from_ms}
                  x={(percentAt(gap.from_ms) / 100) * row.values.length}
                  width={((percentAt(gap.to_ms) - percentAt(gap.from_ms)) / 100) * row.values.length}
                  height="1"
                  fill={`url(#${hatchId}-${index})`}
                />
              ))}
              <path d={bandPath(row.values, highest)} fill={seriesColor(index, isDark)} />
            </svg>
            <p className="pointer-events-none absolute inset-x-2 top-0.5 flex gap-2 text-sm">
              <span className="min-w-0 truncate font-medium">{row.name}</span>
              <span className="shrink-0 text-muted tabular-nums">
                {formatQuantity(row.total_value, unit)} ({row.percent.toFixed(1)} %)
              </span>
            </p>
          </div>
        ))}
        {shown === undefined ? null : (
          <div
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 border-x-2 border-accent bg-accent/15"
            style={{
              left: `${percentAt(shown[0])}%`,
              width: `${percentAt(shown[1]) - percentAt(shown[0])}%`,
            }}
          />
        )}
      </div>
      <div className="flex justify-between gap-4 text-sm text-muted tabular-nums">
        <span>{formatQuantity(startMs, 'ms')}</span>
        <span>
          {shown === undefined
            ? pointer === undefined
              ? ''
              : formatQuantity(startMs + pointer * (endMs - startMs), 'ms')
            : `${formatQuantity(shown[0], 'ms')} to ${formatQuantity(shown[1], 'ms')}`}
        </span>
        <span>{formatQuantity(endMs, 'ms')}</span>
      </div>
    </div>
  )
}

function larger(most: number, value: number): number {
  return Math.max(most, Math.abs(value))
}
