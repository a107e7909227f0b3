import { formatQuantity } from '@flamegate/contract'
import { ToggleButton } from '../components/toggle-button.tsx'
import { storedValue } from '../shell/stored-value.ts'
import { densityAlong, violinPath } from './density.ts'
import { QuantileLines } from './quantile-lines.tsx'
import { type Measured, quantilePoints, shapedRounds, type Spread, spreadOf, spreadReach } from './spread.ts'
import { type ValueAxis, valueAxis } from './value-axis.ts'

export interface DistributionSide {
  name: string
  measured: Measured
}

interface Props {
  /** Drawn on one axis. */
  sides: readonly DistributionSide[]
  unit: string
}

/** The last side is what the page is about. */
const [otherColor, lastColor] = ['text-muted', 'text-accent']
const colorOf = (index: number, count: number) => (index === count - 1 ? lastColor : otherColor)
const steps = 161
const violin = { widthPx: 1000, middleY: 50, halfHeightPx: 46 } as const

/** Which of the two plots this person last looked at. */
const chosenPlot = storedValue('flamegate.distribution-plot')

/**
 * How the rounds of some results lie: a violin where the rounds are known, a box of their quartiles where not; or all of
 * them as lines of quantiles. The axis is logarithmic where the sides differ by an order of magnitude.
 */
export function DistributionPlot({ sides, unit }: Props) {
  const drawn = sides.map((side) => ({ ...side, spread: spreadOf(side.measured) }))
  const axis = valueAxis(
    spreadReach(drawn.map(({ spread }) => spread)),
    drawn.map(({ spread }) => spread.middle),
  )
  const lines = drawn.map(({ measured }) => quantilePoints(measured))
  const hasLines = lines.some((points) => points !== undefined)
  const showsLines = chosenPlot.use() === 'quantiles' && hasLines
  return (
    <figure className="flex flex-col gap-1">
      {hasLines ? (
        <div className="pb-1">
          <ToggleButton
            isSelected={showsLines}
            onChange={(isSelected) => chosenPlot.set(isSelected ? 'quantiles' : 'violins')}
          >
            Quantiles
          </ToggleButton>
        </div>
      ) : null}
      {drawn.map(({ name, measured, spread }, index) => (
        <div key={name} className={`flex flex-col ${colorOf(index, drawn.length)}`}>
          <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className="font-medium">{name}</span>
            <span className="text-muted tabular-nums">{spreadWords(measured, spread, unit, axis)}</span>
          </div>
          {showsLines ? null : <SideDrawing measured={measured} spread={spread} axis={axis} />}
        </div>
      ))}
      {showsLines ? (
        <QuantileLines
          axis={axis}
          lines={drawn.map(({ spread: { middle } }, index) => ({
            // What is known by one value only is an upright line.
            points: lines[index] ?? [0, 1].map((share) => ({ value: middle, share })),
            className: colorOf(index, drawn.length),
          }))}
        />
      ) : null}
      <figcaption
        aria-hidden="true"
        className="flex justify-between border-t border-line-strong pt-1 text-sm text-muted tabular-nums"
      >
        {[0, 0.5, 1].map((place) => (
          <span key={place}>{formatQuantity(axis.at(place), unit)}</span>
        ))}
      </figcaption>
      {axis.isLogarithmic ? <p className="text-sm text-muted">The axis is logarithmic.</p> : null}
    </figure>
  )
}

interface DrawingProps {
  measured: Measured
  spread: Spread
  axis: ValueAxis
}

function SideDrawing({ measured, spread, axis }: DrawingProps) {
  const percent = (value: number) => 100 * axis.place(value)
  const rounds = shapedRounds(measured)
  const { q1, q3 } = spread
  return (
    <div aria-hidden="true" className="relative h-14 overflow-hidden">
      {rounds === undefined ? (
        <span
          className="absolute top-1/2 border-t border-current"
          style={{ left: `${percent(spread.low)}%`, right: `${100 - percent(spread.high)}%` }}
        />
      ) : (
        <svg
          viewBox={`0 0 ${violin.widthPx} 100`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          <path
            d={violinPath(densityAlong(withinAxis(rounds, axis).map(axis.place), [0, 1], steps), violin)}
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
              style={{ left: `${percent(spread[end])}%` }}
            />
          ))
        : null}
      {q1 === null || q3 === null ? null : (
        <span
          className={`absolute min-w-px rounded-sm border border-current ${rounds === undefined ? 'inset-y-3 bg-surface' : 'inset-y-5'}`}
          style={{ left: `${percent(q1)}%`, right: `${100 - percent(q3)}%` }}
        />
      )}
      <span
        className="absolute inset-y-3 -ml-px w-0.5 bg-current"
        style={{ left: `${percent(spread.middle)}%` }}
      />
    </div>
  )
}

function withinAxis(values: readonly number[], axis: ValueAxis): number[] {
  const [low, high] = [axis.at(0), axis.at(1)]
  return values.filter((value) => value >= low && value <= high)
}

function spreadWords({ rounds }: Measured, spread: Spread, unit: string, axis: ValueAxis): string {
  const { low, q1, middle, q3, high, whiskers } = spread
  const quantity = (value: number) => formatQuantity(value, unit)
  const beyond = rounds === null ? 0 : rounds.length - withinAxis(rounds, axis).length
  if (whiskers === 'one round') return `${quantity(middle)}, measured once`
  if (whiskers === 'nothing') return `${quantity(middle)}; the tool told no distribution`
  return [
    q1 === null ? quantity(middle) : `median ${quantity(middle)}`,
    ...(q1 === null || q3 === null ? [] : [`middle half ${quantity(q1)} to ${quantity(q3)}`]),
    `${whiskers} ${quantity(low)} to ${quantity(high)}`,
    ...(rounds === null ? [] : [`${rounds.length.toLocaleString()} rounds`]),
    ...(beyond === 0 ? [] : [`${beyond.toLocaleString()} of them beyond the edges`]),
  ].join(' · ')
}
