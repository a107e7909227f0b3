import { type ReactNode, useRef } from 'react'
import { DataTable } from '../components/data-table.tsx'
import { useElementSize } from '../components/use-element-size.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ColorKey } from './color-key.tsx'
import { fittingLabels } from './fitting-labels.ts'
import { formatMs } from './format-metric.ts'
import { seriesCssColor } from './series-colors.ts'

interface Curve {
  name: string
  /** Rising. */
  percentiles: readonly { percentile: number; ms: number }[]
}

interface Props {
  title: string
  note?: ReactNode
  curves: readonly Curve[]
}

const size = { width: 1000, height: 100 } as const
/** Of the slowest: where lines are. */
const heights = [1, 0.5, 0]
const marks = [50, 90, 99, 99.9, 99.99, 99.999]

/** How long the slowest took: each step to the right is a tenth of the one before. */
export function PercentileCurves({ title, note, curves }: Props) {
  const all = curves.flatMap(({ percentiles }) => percentiles)
  const finite = all.filter(({ percentile }) => percentile < 100)
  const right = Math.max(1, nines(Math.max(90, ...finite.map(({ percentile }) => percentile))))
  const most = Math.max(Number.MIN_VALUE, ...all.map(({ ms }) => ms))
  const left = (percentile: number) => (percentile >= 100 ? 1 : nines(percentile) / right)
  return (
    <ChartFrame
      title={title}
      note={note}
      chart={
        <div className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1">
          {/* Each beside its line: the first and the last stand out by half of their height. */}
          <div
            aria-hidden="true"
            className="-my-2.5 flex h-49 flex-col justify-between text-right text-sm text-muted tabular-nums"
          >
            {heights.map((share) => (
              <span key={share}>{formatMs(most * share)}</span>
            ))}
          </div>
          <div aria-hidden="true" className="relative h-44 border-b border-line-strong">
            {heights.slice(0, -1).map((share) => (
              <span
                key={share}
                className="absolute inset-x-0 border-t border-line"
                style={{ top: `${100 * (1 - share)}%` }}
              />
            ))}
            <svg
              viewBox={`0 0 ${size.width} ${size.height}`}
              preserveAspectRatio="none"
              className="absolute inset-0 size-full"
            >
              {curves.map(({ percentiles }, index) => (
                <polyline
                  // oxlint-disable-next-line react/no-array-index-key -- two may have the same name; their order is fixed
                  key={index}
                  points={percentiles
                    .map(
                      ({ percentile, ms }) =>
                        `${(size.width * left(percentile)).toFixed(1)},${(size.height * (1 - ms / most)).toFixed(2)}`,
                    )
                    .join(' ')}
                  fill="none"
                  stroke={seriesCssColor(index)}
                  strokeWidth="2"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
            </svg>
          </div>
          <PercentileLabels
            marks={marks
              .filter((mark) => nines(mark) <= right)
              .map((mark) => ({ at: left(mark), label: `${mark} %` }))}
          />
          <div className="col-span-2">
            <ColorKey names={curves.map(({ name }) => name)} />
          </div>
        </div>
      }
      table={<Values title={title} curves={curves} />}
    />
  )
}

function PercentileLabels({ marks: wanted }: { marks: readonly { at: number; label: string }[] }) {
  const row = useRef<HTMLDivElement>(null)
  const { widthPx } = useElementSize(row)
  return (
    <div
      ref={row}
      aria-hidden="true"
      className="relative col-start-2 h-5 text-sm whitespace-nowrap text-muted tabular-nums"
    >
      {fittingLabels(wanted, widthPx).map(({ label, leftPx }) => (
        <span key={label} className="absolute" style={{ left: `${leftPx}px` }}>
          {label}
        </span>
      ))}
    </div>
  )
}

function Values({ title, curves }: Pick<Props, 'title' | 'curves'>) {
  const byPercentile = curves.map(
    ({ percentiles }) => new Map(percentiles.map(({ percentile, ms }) => [percentile, ms])),
  )
  const rows = [...new Set(byPercentile.flatMap((values) => [...values.keys()]))].toSorted((a, b) => a - b)
  return (
    <DataTable
      label={title}
      rows={rows}
      rowKey={String}
      whenEmpty="Nothing was measured yet."
      columns={[
        {
          key: 'percentile',
          title: 'Of the requests',
          render: (percentile) => `${Number(percentile.toFixed(6))} %`,
        },
        ...curves.map(({ name }, index) => ({
          key: String(index),
          title: name,
          align: 'right' as const,
          render: (percentile: number) => formatMs(byPercentile[index]?.get(percentile) ?? null),
        })),
      ]}
    />
  )
}

/** How many nines a percentile has: 1 for 90, 2 for 99. */
function nines(percentile: number): number {
  return -Math.log10(1 - percentile / 100)
}
