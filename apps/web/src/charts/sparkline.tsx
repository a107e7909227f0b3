import { formatQuantity } from '@flamegate/contract'
import { sparklineBox, sparklinePoints } from './sparkline-path.ts'

/** The last values of a benchmark in the height of a line, oldest first; the newest has a dot. */
export function Sparkline({ values, unit }: { values: readonly number[]; unit: string }) {
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return null
  return (
    <SparklineDrawing
      values={values}
      label={`Last ${values.length} values: from ${formatQuantity(first, unit)} to ${formatQuantity(last, unit)}`}
    />
  )
}

interface DrawingProps {
  /** Oldest first; null where nothing is known. */
  values: readonly (number | null)[]
  /** The same in words. */
  label: string
}

/** Values as a line in the height of a line; nothing when none is known. */
export function SparklineDrawing({ values, label }: DrawingProps) {
  const points = sparklinePoints(values)
  const newest = points.at(-1)
  if (newest === undefined) return null
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${sparklineBox.width} ${sparklineBox.height}`}
      className="h-6 w-24 text-accent"
    >
      <polyline
        points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx={newest.x} cy={newest.y} r="2.2" fill="currentColor" />
    </svg>
  )
}
