import { useState } from 'react'
import { axisFromZero } from '../charts/axis-from-zero.ts'
import { ChartFrame } from '../charts/chart-frame.tsx'
import { type PlotAxis, PlotFrame, type PlotPlace } from '../charts/plot-frame.tsx'
import { seriesCssColor } from '../charts/series-colors.ts'
import { Badge, type Tone } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { formatValue } from './format-value.ts'
import { rowMetricLabel } from './metric-labels.ts'
import type { ValuesOf } from './report-source.ts'
import { RunLink } from './run-link.tsx'
import { changeSize, changeWords, type TrendChange } from './trend-change.ts'

type Line = ValuesOf<'trend'>['lines'][number]
type Point = Line['points'][number]

const looks: Record<TrendChange['verdict'], { tone: Tone; line: string }> = {
  better: { tone: 'better', line: 'stroke-better' },
  worse: { tone: 'worse', line: 'stroke-worse' },
  changed: { tone: 'accent', line: 'stroke-accent' },
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A chart for each metric over the runs that the trend finds, with marks where the level changed. */
export function TrendItem({ values: { lines } }: { values: ValuesOf<'trend'> }) {
  if (lines.every(({ points }) => points.length === 0))
    return <p className="text-muted">No run fits what the trend asks for.</p>
  return (
    <div className="flex flex-col gap-4 printed:gap-3">
      {lines.map((line) => (
        <TrendChart key={line.metric} line={line} />
      ))}
    </div>
  )
}

function TrendChart({ line }: { line: Line }) {
  const { metric, unit, points, changes } = line
  const title = `${rowMetricLabel(metric)} by run`
  const [pointed, setPointed] = useState<number>()
  const current = Math.min(pointed ?? points.length - 1, points.length - 1)
  const shown = points[current]
  const pointAt = (xPx: number, _yPx: number, { x }: PlotPlace) => {
    const distances = points.map((_, index) => Math.abs(x(index) - xPx))
    setPointed(distances.indexOf(Math.min(...distances)))
  }
  return (
    <ChartFrame
      title={title}
      note={changes.length === 0 ? 'No change of its level was found.' : <ChangeWords line={line} />}
      chart={
        <>
          <input
            type="range"
            aria-label={`Run of ${title}`}
            aria-valuetext={shown === undefined ? '' : wordsOf(shown, unit)}
            min={0}
            max={Math.max(0, points.length - 1)}
            value={Math.max(0, current)}
            onChange={({ currentTarget }) => setPointed(Number(currentTarget.value))}
            className="peer sr-only"
          />
          <div className="rounded-md peer-focus-visible:outline-2 peer-focus-visible:outline-accent">
            <PlotFrame
              x={runAxis(points)}
              y={axisFromZero(
                points.map(({ value }) => value),
                unit,
              )}
              onPointerMove={pointAt}
            >
              {(place) => <Drawing line={line} place={place} pointed={pointed} />}
            </PlotFrame>
          </div>
          {shown === undefined ? null : (
            <p className="text-sm printed:hidden">
              <RunLink runId={shown.run.id}>{shown.run.name}</RunLink>{' '}
              <span className="text-muted">{whenOf(shown)}:</span>{' '}
              <span className="font-medium tabular-nums">{formatValue(shown.value, unit)}</span>
            </p>
          )}
        </>
      }
      table={<Values title={title} line={line} />}
    />
  )
}

function Drawing({ line, place, pointed }: { line: Line; place: PlotPlace; pointed: number | undefined }) {
  const dots = line.points.flatMap(({ value }, index) =>
    value === null ? [] : [{ index, x: place.x(index), y: place.y(value) }],
  )
  return (
    <>
      {line.changes.map((change) => {
        const { index, verdict } = change
        const x = (place.x(index - 1) + place.x(index)) / 2
        return (
          <g key={index}>
            <line
              x1={x}
              x2={x}
              y1={place.topPx}
              y2={place.bottomPx}
              strokeDasharray="4 4"
              className={looks[verdict].line}
            />
            <text x={x} y={place.topPx - 8} textAnchor="middle" className="fill-text font-medium">
              {changeSize(change, line.unit)}
            </text>
          </g>
        )
      })}
      <polyline
        points={dots.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke={seriesCssColor(0)}
        strokeWidth="1.75"
      />
      {dots.map(({ index, x, y }) => (
        <circle key={index} cx={x} cy={y} r={index === pointed ? 6 : 3.5} fill={seriesCssColor(0)} />
      ))}
    </>
  )
}

/** Where the level changed, each with the way to the first run of the new one. */
function ChangeWords({ line: { points, changes, unit } }: { line: Line }) {
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      {changes.map((change) => {
        const first = points[change.index]
        return first === undefined ? null : (
          <span key={change.index} className="flex flex-wrap items-center gap-1.5">
            <Badge tone={looks[change.verdict].tone}>{changeWords(change, unit)}</Badge>
            since <RunLink runId={first.run.id}>{first.run.name}</RunLink> {whenOf(first)}
          </span>
        )
      })}
    </span>
  )
}

function Values({ title, line: { points, unit, changes } }: { title: string; line: Line }) {
  return (
    <DataTable
      label={title}
      rows={points.map((point, index) => ({ ...point, index }))}
      rowKey={({ run }) => run.id}
      whenEmpty="No runs."
      columns={[
        { key: 'run', title: 'Run', render: ({ run }) => <RunLink runId={run.id}>{run.name}</RunLink> },
        { key: 'when', title: 'Started', render: (point) => whenOf(point) },
        {
          key: 'value',
          title: 'Value',
          align: 'right',
          render: ({ value }) => formatValue(value, unit),
        },
        {
          key: 'change',
          title: 'Change of the level',
          align: 'right',
          render: ({ index }) => {
            const change = changes.find((each) => each.index === index)
            return change === undefined ? null : (
              <Badge tone={looks[change.verdict].tone}>{changeWords(change, unit)}</Badge>
            )
          },
        },
      ]}
    />
  )
}

const labelsMax = 6

/** Runs stand as far from each other as the next ones, whenever they were. */
function runAxis(points: readonly Point[]): PlotAxis {
  const days = new Set(points.map(({ run }) => run.started_at?.slice(0, 10)))
  const words = days.size === 1 ? clock : day
  const every = Math.max(1, Math.ceil(points.length / labelsMax))
  return {
    range: [0, Math.max(1, points.length - 1)],
    ticks: points.flatMap(({ run }, index) =>
      index % every === 0 && run.started_at !== null
        ? [{ at: index, label: words.format(new Date(run.started_at)) }]
        : [],
    ),
  }
}

function whenOf({ run }: Point): string {
  return run.started_at === null ? 'not begun' : exact.format(new Date(run.started_at))
}

function wordsOf(point: Point, unit: string): string {
  return `${point.run.name}, ${whenOf(point)}: ${formatValue(point.value, unit)}`
}
