import uPlot from 'uplot'
import { formatMetric } from './format-metric.ts'
import { seriesColor, seriesDash } from './series-colors.ts'

/** How values are drawn: `stacked` lies each line on those before it, and tells all together. */
export type TimeSeriesForm = 'line' | 'area' | 'stacked' | 'bar'

export interface TimeSeriesLine {
  /** No two lines of a chart have the same. */
  name: string
  /** As `formatMetric` knows them. An axis of lines with different ones tells plain numbers. */
  unit: string
  /** One for each second of the chart; null where nothing is known. */
  values: (number | null)[]
  /** Whether it belongs to the axis at the right. */
  isRight?: boolean
}

/** What a drawing is made anew for; other values are put into the one that is there. */
export type TimeSeriesShape = readonly Pick<TimeSeriesLine, 'name' | 'unit' | 'isRight'>[]

export function isSameShape(before: TimeSeriesShape, after: TimeSeriesShape): boolean {
  return (
    before.length === after.length &&
    before.every(({ name, unit, isRight }, index) => {
      const other = after[index]
      return other?.name === name && other.unit === unit && other.isRight === isRight
    })
  )
}

/**
 * The values as they are drawn, below their times: those of stacked lines lie on the lines before, where what is not known
 * takes no room.
 */
export function drawnColumns(
  seconds: number[],
  lines: readonly Pick<TimeSeriesLine, 'values'>[],
  form: TimeSeriesForm,
): [number[], ...(number | null)[][]] {
  if (form !== 'stacked') return [seconds, ...lines.map(({ values }) => values)]
  let below = seconds.map(() => 0)
  return [
    seconds,
    ...lines.map(({ values }) => {
      below = below.map((base, index) => base + (values[index] ?? 0))
      return below
    }),
  ]
}

const [second, minute, hour] = [1, 60, 3600]
/** Distances between ticks that people count times in, in seconds. */
const increments = [
  ...[1, 2, 5, 10, 15, 30].map((amount) => amount * second),
  ...[1, 2, 5, 10, 15, 30].map((amount) => amount * minute),
  ...[1, 2, 3, 6, 12, 24, 48].map((amount) => amount * hour),
]

/** A press that moves less than this points; more chooses a part of the time. */
const dragPx = 6

interface TimeSeriesLook {
  group: string
  isDark: boolean
  form: TimeSeriesForm
  /** Whether a part of the time can be dragged over. */
  canSelect: boolean
  /** A time of the chart as people read it. */
  timeText: (seconds: number) => string
}

/** How uPlot draws lines over the time since a run began. Charts of a `group` point at the same time. */
export function timeSeriesOptions(
  shape: TimeSeriesShape,
  { group, isDark, form, canSelect, timeText }: TimeSeriesLook,
): Omit<uPlot.Options, 'width' | 'height'> {
  const text = isDark ? '#a9a298' : '#5f5a52'
  const stroke = isDark ? '#302d2a' : '#e4e0d9'
  const axis = {
    stroke: text,
    font: '12px system-ui, sans-serif',
    grid: { stroke, width: 1 },
    ticks: { stroke, width: 1 },
  }
  const valueAxis = (isRight: boolean): uPlot.Axis[] => {
    const units = new Set(shape.flatMap((line) => ((line.isRight ?? false) === isRight ? [line.unit] : [])))
    const [first = 'count'] = units
    if (units.size === 0) return []
    const unit = units.size === 1 ? first : 'count'
    const values = (_: uPlot, ticks: number[]) => ticks.map((value) => formatMetric(value, unit))
    const left: uPlot.Axis = {
      ...axis,
      scale: scaleOf(isRight),
      size: (_, labels) => valueAxisPx(labels),
      values,
    }
    // The enum that names this number is in uPlot's types only.
    return [isRight ? Object.assign(left, { side: 1, grid: { show: false } }) : left]
  }
  return {
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: canSelect, y: false, dist: dragPx, setScale: false },
      bind: { dblclick: () => null },
      points: { size: 8 },
      sync: {
        key: group,
        scales: ['x', null],
        // What is dragged over in one is not chosen in the others again.
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
    },
    scales: {
      // A single second has some room beside it.
      x: { time: false, range: (_, low, high) => [low, high > low ? high : low + 10] },
      left: { range: fromZero },
      right: { range: fromZero },
    },
    axes: [
      {
        ...axis,
        size: 34,
        space: 84,
        incrs: increments,
        values: (_, ticks) => ticks.map(timeText),
      },
      ...valueAxis(false),
      ...valueAxis(true),
    ],
    ...(form === 'stacked'
      ? { bands: shape.slice(1).map((_, index) => ({ series: [index + 2, index + 1] as [number, number] })) }
      : {}),
    series: [
      {},
      ...shape.map(({ name, isRight = false }, index) => {
        const dash = seriesDash(index)
        const color = seriesColor(index, isDark)
        return {
          label: name,
          scale: scaleOf(isRight),
          stroke: color,
          width: 1.75,
          ...(form === 'line' ? {} : { fill: `${color}${fillOpacity[form]}` }),
          ...(form === 'bar' ? { paths: barsOf(index), points: { show: false } } : {}),
          ...(dash === undefined ? {} : { dash }),
        }
      }),
    ],
  }
}

/** How wide an axis of values is, so that none of its labels is cut: most charts below one another have the same. */
export function valueAxisPx(labels: readonly string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map(({ length }) => length))
  return Math.max(68, 22 + 7.5 * longest)
}

/** Hexadecimal, as colours have it at their end. */
const fillOpacity = { area: '26', stacked: '73', bar: '8c' } as const

/** Those of a later line are narrower, so that both are seen. */
function barsOf(index: number): uPlot.Series.PathBuilder {
  const make = uPlot.paths.bars
  if (make === undefined) throw new TypeError('uPlot has no bars')
  return make({ size: [0.8 / (1 + 0.6 * index), 48] })
}

function scaleOf(isRight: boolean): string {
  return isRight ? 'right' : 'left'
}

/** From 0, with some air above. */
function fromZero(_: uPlot, _low: number | null, high: number | null): [number, number] {
  return [0, high === null || high <= 0 ? 1 : high * 1.08]
}
