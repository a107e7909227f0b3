import { formatShare } from '@flamegate/contract'
import { DataTable } from '../components/data-table.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ColorKey } from './color-key.tsx'
import { formatMs } from './format-metric.ts'
import { type HistogramBar, outlineOf, sharesWithin } from './histogram-outline.ts'
import { seriesCssColor } from './series-colors.ts'

interface Props {
  title: string
  runs: readonly { name: string; bars: readonly HistogramBar[] }[]
}

const size = { width: 1000, height: 100 } as const
const tableRows = 30

/** How the times of several runs are distributed, one over the other; each encloses the same area, however many they are. */
export function HistogramOverlay({ title, runs }: Props) {
  const bars = runs.flatMap((run) => run.bars)
  const from = Math.min(...bars.map(({ from_ms }) => from_ms))
  const to = Math.max(...bars.map(({ to_ms }) => to_ms))
  const outlines = runs.map((run) => outlineOf(run.bars))
  const most = Math.max(
    Number.MIN_VALUE,
    ...outlines.flatMap((outline) => outline.map(({ height }) => height)),
  )
  const place = ({ ms, height }: { ms: number; height: number }) =>
    `${((size.width * (ms - from)) / (to - from)).toFixed(1)},${(size.height * (1 - height / most)).toFixed(2)}`
  return (
    <ChartFrame
      title={title}
      note="Shares of the requests, so that runs of different length compare."
      chart={
        bars.length === 0 ? (
          <p className="text-muted">Nothing was measured yet.</p>
        ) : (
          <div className="flex flex-col gap-1">
            <svg
              aria-hidden="true"
              viewBox={`0 0 ${size.width} ${size.height}`}
              preserveAspectRatio="none"
              className="h-44 w-full border-b border-line-strong"
            >
              {outlines.map((outline, index) => (
                <polygon
                  // oxlint-disable-next-line react/no-array-index-key -- runs have a fixed order
                  key={index}
                  points={outline.map(place).join(' ')}
                  fill={seriesCssColor(index)}
                  fillOpacity="0.12"
                  stroke={seriesCssColor(index)}
                  strokeWidth="1.5"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
            </svg>
            <div aria-hidden="true" className="flex justify-between text-sm text-muted tabular-nums">
              {[0, 0.5, 1].map((share) => (
                <span key={share}>{formatMs(from + share * (to - from))}</span>
              ))}
            </div>
            <ColorKey names={runs.map(({ name }) => name)} />
          </div>
        )
      }
      table={
        <DataTable
          label={title}
          rows={bars.length === 0 ? [] : Array.from({ length: tableRows }, (_, index) => index)}
          rowKey={String}
          whenEmpty="Nothing was measured yet."
          columns={[
            { key: 'from', title: 'From', render: (index) => formatMs(edge(index)) },
            { key: 'to', title: 'To', render: (index) => formatMs(edge(index + 1)) },
            ...runs.map((run, column) => ({
              key: String(column),
              title: run.name,
              align: 'right' as const,
              render: (index: number) => formatShare(sharesWithin(run.bars, edge(index), edge(index + 1))),
            })),
          ]}
        />
      }
    />
  )

  function edge(index: number): number {
    return from + ((to - from) * index) / tableRows
  }
}
