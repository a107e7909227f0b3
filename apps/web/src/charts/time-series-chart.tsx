import { durationText } from '@flamegate/loadtest/scenario'
import { type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import uPlot from 'uplot'
import { clockText } from './clock-text.ts'
import { formatMetric } from './format-metric.ts'
import { DataTable } from '../components/data-table.tsx'
import { useElementSize } from '../components/use-element-size.ts'
import { PrintedContext } from '../shell/printed.ts'
import { useIsDark } from '../shell/theme.ts'
import { ChartFrame } from './chart-frame.tsx'
import { seriesColor, seriesDash } from './series-colors.ts'
import {
  drawnColumns,
  isSameShape,
  type TimeSeriesForm,
  type TimeSeriesLine,
  timeSeriesOptions,
  type TimeSeriesShape,
} from './time-series-options.ts'

interface Props {
  title: string
  hidesTitle?: boolean
  note?: ReactNode
  form?: TimeSeriesForm
  /** Seconds since the run began, rising; since midnight where `isClock` says so. */
  seconds: number[]
  /** Times are told by the clock. */
  isClock?: boolean
  lines: readonly TimeSeriesLine[]
  /** Charts of a group point at the same time. */
  group: string
  /** Told which part of the time was dragged over, in seconds. Without it nothing can be. */
  onSelect?: (from: number, to: number) => void
}

const heightPx = 220
/** Outside of the chart, where uPlot takes the cursor for gone. */
const nowhere = -10

/** Lines over a time, with the exact values of the second that a pointer or the arrow keys are at. */
export function TimeSeriesChart({ hidesTitle = false, note, ...drawing }: Props) {
  const { title, isClock = false, seconds, lines } = drawing
  return (
    <ChartFrame
      title={title}
      hidesTitle={hidesTitle}
      note={note}
      chart={<Drawing {...drawing} />}
      table={<Values title={title} isClock={isClock} seconds={seconds} lines={lines} />}
    />
  )
}

function Drawing({
  title,
  form = 'line',
  isClock = false,
  seconds,
  lines,
  group,
  onSelect,
}: Omit<Props, 'note' | 'hidesTitle'>) {
  const box = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(box)
  const isDark = useIsDark()
  const isPrinted = useContext(PrintedContext)
  const [chart, setChart] = useState<uPlot>()
  const [pointed, setPointed] = useState<number>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  // Of the last second some lines may know nothing yet.
  const lastKnown = seconds.findLastIndex((_, index) => lines.every(({ values }) => isKnown(values[index])))
  const column = Math.min(pointed ?? (lastKnown === -1 ? Infinity : lastKnown), seconds.length - 1)

  const whenSelected = useEffectEvent((from: number, to: number) => onSelect?.(from, to))
  const canSelect = onSelect !== undefined
  const isMeasured = widthPx > 0
  // Values change every two seconds of a run: they are put into the drawing, which stays as long as its lines do.
  const [shape, setShape] = useState<TimeSeriesShape>(lines)
  if (!isSameShape(shape, lines)) setShape(lines)
  useEffect(() => {
    const target = box.current
    if (target === null || !isMeasured) return undefined
    const made = new uPlot(
      {
        ...timeSeriesOptions(shape, { group, isDark, form, canSelect, timeText: textOfTime(isClock) }),
        width: target.clientWidth,
        height: heightPx,
        hooks: {
          setSelect: [
            (plot) => {
              const { left, width } = plot.select
              if (width === 0) return
              const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
              whenSelected(Math.max(0, Math.floor(from)), Math.max(1, Math.ceil(to)))
            },
          ],
          setCursor: [
            ({ cursor: { idx, left } }) =>
              setPointed(typeof idx === 'number' && left !== undefined && left >= 0 ? idx : undefined),
          ],
        },
      },
      undefined,
      target,
    )
    setChart(made)
    return () => made.destroy()
  }, [shape, group, isDark, form, canSelect, isClock, isMeasured])
  useEffect(() => chart?.setData(drawnColumns(seconds, lines, form)), [chart, seconds, lines, form])
  useEffect(() => {
    for (const [index, { name }] of shape.entries()) chart?.setSeries(index + 1, { show: !hidden.has(name) })
  }, [chart, shape, hidden])
  useEffect(() => {
    if (widthPx > 0) chart?.setSize({ width: widthPx, height: heightPx })
  }, [chart, widthPx])

  const toggle = (name: string) =>
    setHidden(new Set(hidden.has(name) ? [...hidden].filter((each) => each !== name) : [...hidden, name]))
  const pointAt = (index: number) => {
    const at = seconds[index]
    if (chart === undefined || at === undefined) return
    moveCursor(chart, chart.valToPos(at, 'x'))
    setPointed(index)
  }
  return (
    <>
      <input
        type="range"
        aria-label={`Time of ${title}`}
        aria-valuetext={wordsAt(column, isClock, seconds, lines)}
        min={0}
        max={Math.max(0, seconds.length - 1)}
        value={Math.max(0, column)}
        onChange={({ currentTarget }) => pointAt(Number(currentTarget.value))}
        onFocus={() => pointAt(column)}
        onBlur={() => {
          if (chart !== undefined) moveCursor(chart, nowhere)
        }}
        className="peer sr-only"
      />
      <div
        ref={box}
        aria-hidden="true"
        className="cursor-crosshair touch-pan-y overflow-hidden rounded-md peer-focus-visible:outline-2 peer-focus-visible:outline-accent"
        style={{ height: heightPx }}
      />
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1 text-sm">
        {isPrinted ? null : (
          <span className="min-w-16 text-muted tabular-nums">
            {column < 0 ? null : textOfTime(isClock)(seconds[column] ?? 0)}
          </span>
        )}
        <ul aria-label={`Lines of ${title}`} className="flex min-w-0 flex-wrap gap-x-1 gap-y-1">
          {lines.map((line, index) => (
            <li key={line.name} className="min-w-0">
              <button
                type="button"
                // Others lie on a stacked one: without it they would stand in the air.
                disabled={form === 'stacked' || isPrinted}
                aria-pressed={!hidden.has(line.name)}
                title={hidden.has(line.name) ? `Show ${line.name}` : `Hide ${line.name}`}
                onClick={() => toggle(line.name)}
                className="group flex h-7 max-w-full items-center gap-1.5 rounded-md px-2 enabled:hover:bg-hover aria-[pressed=false]:text-muted"
              >
                <span
                  aria-hidden="true"
                  className={`w-4 shrink-0 border-t-2 ${seriesDash(index) === undefined ? '' : 'border-dashed'}`}
                  style={{ borderColor: seriesColor(index, isDark) }}
                />
                <span className="truncate group-aria-[pressed=false]:line-through">{line.name}</span>
                <span className="font-medium whitespace-nowrap tabular-nums">
                  {isPrinted ? extremesOf(line) : valueAt(line, column)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

function isKnown(value: number | null | undefined): boolean {
  return value !== null && value !== undefined
}

/** What uPlot's types leave out: with `publish` the others of its group point at the same time. */
interface Publishing {
  setCursor(place: { left: number; top: number }, fire: boolean, publish: boolean): void
}

function moveCursor(chart: Publishing, left: number): void {
  chart.setCursor({ left, top: 0 }, true, true)
}

function Values({
  title,
  isClock,
  seconds,
  lines,
}: Pick<Props, 'title' | 'seconds' | 'lines'> & { isClock: boolean }) {
  return (
    <DataTable
      label={title}
      rows={[...seconds.keys()]}
      rowKey={String}
      whenEmpty="Nothing was measured yet."
      columns={[
        {
          key: 'time',
          title: isClock ? 'At' : 'Since it began',
          sortBy: (index) => index,
          render: (index) => textOfTime(isClock)(seconds[index] ?? 0),
        },
        ...lines.map((line) => ({
          key: line.name,
          title: line.name,
          align: 'right' as const,
          sortBy: (index: number) => line.values[index] ?? null,
          render: (index: number) => valueAt(line, index),
        })),
      ]}
    />
  )
}

function valueAt({ values, unit }: TimeSeriesLine, index: number): string {
  const value = values[index]
  return value === undefined || value === null ? '–' : formatMetric(value, unit)
}

/** What paper has in place of a value that is pointed at. */
function extremesOf({ values, unit }: TimeSeriesLine): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return '–'
  const [least, most] = known.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  )
  return least === most
    ? formatMetric(most, unit)
    : `${formatMetric(least, unit)} to ${formatMetric(most, unit)}`
}

function wordsAt(
  index: number,
  isClock: boolean,
  seconds: readonly number[],
  lines: readonly TimeSeriesLine[],
): string {
  const at = seconds[index]
  if (at === undefined) return 'Nothing was measured yet.'
  return `${textOfTime(isClock)(at)}: ${lines.map((line) => `${line.name} ${valueAt(line, index)}`).join(', ')}`
}

function textOfTime(isClock: boolean): (seconds: number) => string {
  return isClock ? clockText : (seconds) => durationText(seconds * 1000)
}
