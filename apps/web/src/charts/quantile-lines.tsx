import type { ValueAxis } from './value-axis.ts'

interface Props {
  axis: ValueAxis
  lines: readonly { points: readonly { value: number; share: number }[]; className: string }[]
}

const height = 100
const width = 1000
const shares = [1, 0.75, 0.5, 0.25]

/**
 * How large a share of the rounds is at most a value, over one another: a shift to the right is slower everywhere, lines
 * that part at the top differ in their tails.
 */
export function QuantileLines({ axis, lines }: Props) {
  return (
    <div aria-hidden="true" className="relative h-44">
      {shares.map((share) => (
        <span
          key={share}
          className="absolute inset-x-0 border-t border-line text-sm leading-none text-muted"
          style={{ top: `${100 * (1 - share)}%` }}
        >
          <span className="absolute top-0.5">{share === 1 ? 'share of rounds' : `${100 * share} %`}</span>
        </span>
      ))}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        {lines.map(({ points, className }) => (
          <polyline
            key={className}
            className={className}
            points={points
              .map(
                ({ value, share }) =>
                  `${(width * axis.place(value)).toFixed(1)},${(height * (1 - share)).toFixed(2)}`,
              )
              .join(' ')}
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
    </div>
  )
}
