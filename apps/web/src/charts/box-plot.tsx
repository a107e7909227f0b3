import { formatQuantity } from '@flamegate/contract'

interface Props {
  /** As far as the tool told them. */
  stats: { min?: number; q1?: number; median?: number; q3?: number; max?: number }
  unit: string
}

/** Where the rounds lie: least to most as a line, the middle half as a box, the median as a stroke. */
export function BoxPlot({ stats, unit }: Props) {
  const { min, q1, median, q3, max } = stats
  if (min === undefined || q1 === undefined || median === undefined || q3 === undefined || max === undefined)
    return null
  if (max <= min) return null
  const place = (value: number) => `${((value - min) / (max - min)) * 100}%`
  return (
    <figure className="max-w-2xl">
      <div aria-hidden="true" className="relative h-8">
        <span className="absolute inset-x-0 top-1/2 border-t border-line-strong" />
        <span className="absolute inset-y-2 left-0 border-l border-line-strong" />
        <span className="absolute inset-y-2 right-0 border-l border-line-strong" />
        <span
          className="absolute inset-y-1 min-w-px rounded-sm border border-accent bg-accent-soft"
          style={{ left: place(q1), right: `calc(100% - ${place(q3)})` }}
        />
        <span className="absolute inset-y-0.5 -ml-px w-0.5 bg-accent" style={{ left: place(median) }} />
      </div>
      <figcaption className="flex justify-between text-sm text-muted tabular-nums">
        <span>{formatQuantity(min, unit)}</span>
        <span className="sr-only">
          to {formatQuantity(max, unit)}; the middle half from {formatQuantity(q1, unit)} to{' '}
          {formatQuantity(q3, unit)}
        </span>
        <span aria-hidden="true">{formatQuantity(max, unit)}</span>
      </figcaption>
    </figure>
  )
}
