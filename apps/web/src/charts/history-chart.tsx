import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import { Button, IconButton } from '../components/button.tsx'
import { MinusIcon, PlusIcon } from '../components/icons.tsx'
import { useElementSize } from '../components/use-element-size.ts'
import { useIsDark } from '../shell/theme.ts'
import type { HistoryPoint } from './history-columns.ts'
import { historyCommand, zoomStep } from './history-keys.ts'
import { type BranchVisibility, HistoryLegend } from './history-legend.tsx'
import { dragPx, type HistoryDrawing, historyOptions } from './history-options.ts'
import { panRange, partOf, type TimeRange, wholeRange, zoomRange } from './time-range.ts'
import { usePointerGestures } from './use-pointer-gestures.ts'

interface Props<Point extends HistoryPoint> extends HistoryDrawing<Point> {
  label: string
  /** What is shown of the time, as long as the pointer does not move it; undefined for all. */
  zoom: TimeRange | undefined
  onZoom: (zoom: TimeRange | undefined) => void
  branches: BranchVisibility
  renderTooltip: (point: Point) => ReactNode
  /** The tooltip in words, for those who do not see it. */
  describe: (point: Point) => string
  onChoose: (point: Point) => void
}

interface Hover {
  column: number
  leftPx: number
  topPx: number
}

const heightPx = 320
const everyHidden = 'Every branch is hidden.'
/** Outside of the chart, where uPlot takes the cursor for gone. */
const nowhere = { left: -10, top: -10 }

/**
 * Values over time, one line per branch. Mouse, fingers and keys go through the runs and zoom; the page has the same as
 * a table.
 */
export function HistoryChart<Point extends HistoryPoint>(props: Props<Point>) {
  const { columns, unit, isLogarithmic, levels, alerts, marked, label, branches } = props
  const { zoom: keptZoom, onZoom, renderTooltip, describe, onChoose } = props
  const helpId = useId()
  const box = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(box)
  const isDark = useIsDark()
  const [hover, setHover] = useState<Hover>()
  const [hasFocus, setHasFocus] = useState(false)
  const [chart, setChart] = useState<uPlot>()
  // Fingers move faster than an address may change, so what is kept there follows when they are lifted.
  const [zoom, setZoom] = useState(keptZoom)
  const [seenZoom, setSeenZoom] = useState(keptZoom)
  if (keptZoom !== seenZoom) {
    setSeenZoom(keptZoom)
    setZoom(keptZoom)
  }
  const { points, times } = columns
  const whole = wholeRange(times)
  const shown = zoom ?? whole
  const canZoom = points.length > 2 && whole[1] > whole[0]
  const column = Math.min(hover?.column ?? marked[0] ?? points.length - 1, points.length - 1)
  const hovered = hover === undefined ? undefined : points[hover.column]
  const current = points[column]

  const zoomTo = (next: TimeRange | undefined) => {
    setZoom(next)
    onZoom(next)
  }
  const zoomBy = (factor: number) => {
    const [from, to] = shown
    const at = times[column] ?? from
    zoomTo(zoomRange(shown, whole, factor, at >= from && at <= to ? at : (from + to) / 2))
  }
  const pointAt = (point: number) => {
    const [time, value] = [times[point], points[point]?.value]
    if (chart === undefined || time === undefined || value === undefined) return
    const cursor = { left: chart.valToPos(time, 'x'), top: chart.valToPos(value, 'y') }
    // Without telling us: of points at the same time it would name the first.
    chart.setCursor(cursor, false)
    setHover({
      column: point,
      leftPx: cursor.left + chart.over.offsetLeft,
      topPx: cursor.top + chart.over.offsetTop,
    })
  }
  const moveTo = (point: number) => {
    const at = times[point] ?? 0
    if (zoom !== undefined && (at < zoom[0] || at > zoom[1])) {
      zoomTo(panRange(zoom, whole, at - (zoom[0] + zoom[1]) / 2))
    }
    pointAt(point)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const command = historyCommand(event.key)
    if (command === undefined) return
    event.preventDefault()
    if (command.kind === 'choose') {
      if (current !== undefined) onChoose(current)
    } else if (canZoom) {
      if (command.kind === 'zoom') zoomBy(command.factor)
      else zoomTo(undefined)
    }
  }

  const timeAt = (clientX: number) =>
    chart === undefined ? 0 : chart.posToVal(clientX - chart.over.getBoundingClientRect().left, 'x')
  const gestures = usePointerGestures({
    tapPx: dragPx,
    onTap: (clientX) => {
      const point = points[chart?.valToIdx(timeAt(clientX)) ?? -1]
      if (point !== undefined) onChoose(point)
    },
    onPan: (byPx) => setZoom(panRange(shown, whole, timeAt(0) - timeAt(byPx))),
    onPinch: (factor, clientX) => {
      if (canZoom) setZoom(zoomRange(shown, whole, factor, timeAt(clientX)))
    },
    onEnd: () => onZoom(zoom),
  })

  const whenSelected = useEffectEvent((range: TimeRange) => zoomTo(partOf(range, whole)))
  const pointAgain = useEffectEvent(() => {
    if (hasFocus && hover !== undefined) pointAt(hover.column)
  })

  useEffect(() => {
    const target = box.current
    if (target === null || widthPx === 0) return undefined
    const drawn = new uPlot(
      {
        ...historyOptions({ columns, unit, isLogarithmic, levels, alerts, marked }, isDark),
        width: widthPx,
        height: heightPx,
        hooks: {
          setSelect: [
            (plot) => {
              const { left, width } = plot.select
              if (width === 0) return
              whenSelected([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')])
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
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
    setChart(drawn)
    return () => drawn.destroy()
  }, [columns, unit, isLogarithmic, levels, alerts, marked, isDark, widthPx])

  useEffect(() => {
    if (chart === undefined) return undefined
    const [min, max] = zoom ?? wholeRange(times)
    if (max > min) chart.setScale('x', { min, max })
    // uPlot knows its new scale after a microtask.
    let isOver = false
    queueMicrotask(() => {
      if (!isOver) pointAgain()
    })
    return () => {
      isOver = true
    }
  }, [chart, times, zoom])

  return (
    <figure className="relative rounded-lg border border-line bg-surface p-3 pt-4">
      <input
        type="range"
        aria-label="Runs"
        aria-describedby={helpId}
        aria-valuetext={current === undefined ? everyHidden : describe(current)}
        min={0}
        max={Math.max(0, points.length - 1)}
        value={Math.max(0, column)}
        onChange={({ currentTarget }) => moveTo(Number(currentTarget.value))}
        onKeyDown={handleKey}
        onFocus={() => {
          setHasFocus(true)
          moveTo(column)
        }}
        onBlur={() => {
          setHasFocus(false)
          chart?.setCursor(nowhere)
        }}
        className="peer sr-only"
      />
      <div
        ref={box}
        aria-hidden="true"
        className="cursor-pointer touch-pan-y overflow-hidden rounded-md peer-focus-visible:outline-2 peer-focus-visible:outline-accent"
        style={{ height: heightPx }}
        onDoubleClick={() => zoomTo(undefined)}
        {...gestures}
      />
      {points.length === 0 ? (
        <p
          className="absolute inset-x-3 top-4 z-10 grid place-items-center bg-surface text-muted"
          style={{ height: heightPx }}
        >
          {everyHidden}
        </p>
      ) : null}
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
      <figcaption className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 pt-2 text-sm">
        <span className="sr-only">{label}</span>
        <HistoryLegend
          {...branches}
          branches={columns.branches.map(({ name }) => name)}
          hasLevels={levels.length > 0}
          hasAlerts={alerts.length > 0}
        />
        {canZoom ? (
          <span className="ml-auto flex items-center gap-2 px-2">
            {zoom === undefined ? (
              <span className="text-muted">
                {hasFocus ? (
                  '← → runs, + − zoom, Enter shows a run'
                ) : (
                  <>
                    <span className="pointer-coarse:hidden">Drag to zoom in</span>
                    <span className="hidden pointer-coarse:inline">Pinch to zoom in</span>
                  </>
                )}
              </span>
            ) : (
              <Button onPress={() => zoomTo(undefined)}>Show all</Button>
            )}
            <IconButton label="Zoom in" onPress={() => zoomBy(zoomStep)}>
              <PlusIcon />
            </IconButton>
            <IconButton label="Zoom out" isDisabled={zoom === undefined} onPress={() => zoomBy(1 / zoomStep)}>
              <MinusIcon />
            </IconButton>
          </span>
        ) : null}
        <span id={helpId} className="sr-only">
          Arrow keys go from run to run, plus and minus zoom, Escape shows all, Enter shows the result of the
          run.
        </span>
      </figcaption>
    </figure>
  )
}
