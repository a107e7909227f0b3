import { formatMeasure, measureTitle } from '@flamegate/contract'
import { SparklineDrawing } from '../charts/sparkline.tsx'

interface Props {
  measure: string
  /** Oldest first; null where nothing is known. */
  values: readonly (number | null)[]
}

/** How a measure went, in the height of a row. */
export function LiveTrend({ measure, values }: Props) {
  const known = values.filter((value) => value !== null)
  const told = (value: number | undefined) => formatMeasure(measure, value)
  const most = known.reduce((a, b) => Math.max(a, b), -Infinity)
  const label = `${measureTitle(measure)} from ${told(known[0])} to ${told(known.at(-1))}, at most ${told(most)}`
  return (
    <span title={label} className="block w-24">
      <SparklineDrawing values={values} label={label} />
    </span>
  )
}
