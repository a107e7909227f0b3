import { formatQuantity } from '@flamegate/contract'
import { densityAlong, violinPath } from './density.ts'
import { type Measured, shapedRounds, type Spread, spreadOf, spreadRange } from './spread.ts'

export interface DistributionSide {
  name: string
  measured: Measured
}

interface Props {
  /** Drawn above one another on one axis. */
  sides: readonly DistributionSide[]
  unit: string
}

/** The last side is what the page is about. */
const [otherColor, lastColor] = ['text-muted', 'text-accent']
const steps = 161
const violin = { widthPx: 1000, middleY: 50, halfHeightPx: 46 } as const

/** How the rounds of some results lie: a violin where the rounds are known, a box of their quartiles where not. */
export function DistributionPlot({ sides, unit }: Props) {
  const drawn = sides.map((side) => ({ ...side, spread: spreadOf(side.measured) }))
  const range = spreadRange(drawn.map(({ spread }) => spread))
  const [low, high] = range
  return (
    <figure className="flex flex-col gap-1">
      {drawn.map(({ name, measured, spread }, index) => (
        <div key={name} className={`flex flex-col ${index === drawn.length - 1 ? lastColor : otherColor}`}>
          <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className="font-medium">{name}</span>
            <span className="text-muted tabular-nums">{spreadWords(measured, spread, unit, range)}</span>
          </div>
          <SideDrawing measured={measured} spread={spread} range={range} />
        </div>
      ))}
      <figcaption
        aria-hidden="true"
        className="flex justify-between border-t border-line-strong pt-1 text-sm text-muted tabular-nums"
      >
        {[low, (low + high) / 2, high].map((value) => (
          <span key={value}>{formatQuantity(value, unit)}</span>
        ))}
      </figcaption>
    </figure>
  )
}

interface DrawingProps {
  measured: Measured
  spread: Spread
  range: readonly [number, number]
}

function SideDrawing({ measured, spread, range: [low, high] }: DrawingProps) {
  const place = (value: number) => Math.max(0, Math.min(100, ((value - low) / (high - low)) * 100))
  const rounds = shapedRounds(measured)
  const { q1, q3 } = spread
  return (
    <div aria-hidden="true" className="relative h-14 overflow-hidden">
      {rounds === undefined ? (
        <span
          className="absolute top-1/2 border-t border-current"
          style={{ left: `${place(spread.low)}%`, right: `${100 - place(spread.high)}%` }}
        />
      ) : (
        <svg
          viewBox={`0 0 ${violin.widthPx} 100`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          <path
            d={violinPath(densityAlong(rounds, [low, high], steps), violin)}
            fill="currentColor"
            fillOpacity="0.22"
            stroke="currentColor"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
      {rounds === undefined
        ? (['low', 'high'] as const).map((end) => (
            <span
              key={end}
              className="absolute inset-y-4 border-l border-current"
              style={{ left: `${place(spread[end])}%` }}
            />
          ))
        : null}
      {q1 === null || q3 === null ? null : (
        <span
          className={`absolute min-w-px rounded-sm border border-current ${rounds === undefined ? 'inset-y-3 bg-surface' : 'inset-y-5'}`}
          style={{ left: `${place(q1)}%`, right: `${100 - place(q3)}%` }}
        />
      )}
      <span
        className="absolute inset-y-3 -ml-px w-0.5 bg-current"
        style={{ left: `${place(spread.middle)}%` }}
      />
    </div>
  )
}

function spreadWords(
  { rounds }: Measured,
  spread: Spread,
  unit: string,
  [from, to]: readonly [number, number],
): string {
  const { low, q1, middle, q3, high, whiskers } = spread
  const quantity = (value: number) => formatQuantity(value, unit)
  const beyond = (rounds ?? []).filter((value) => value < from || value > to).length
  if (whiskers === 'nothing') return `${quantity(middle)}; the tool told no distribution`
  return [
    q1 === null ? quantity(middle) : `median ${quantity(middle)}`,
    ...(q1 === null || q3 === null ? [] : [`middle half ${quantity(q1)} to ${quantity(q3)}`]),
    `${whiskers} ${quantity(low)} to ${quantity(high)}`,
    ...(rounds === null ? [] : [`${rounds.length.toLocaleString()} rounds`]),
    ...(beyond === 0 ? [] : [`${beyond.toLocaleString()} of them beyond the edges`]),
  ].join(' · ')
}
