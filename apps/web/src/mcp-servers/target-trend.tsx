import { formatMs, formatShare, operations, type McpFigures } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { SparklineDrawing } from '../charts/sparkline.tsx'

/** How the key figures of a server went over its sessions of the same kind as the latest; nothing before there are two. */
export function TargetTrend({ mcpTargetId }: { mcpTargetId: string }) {
  const { data } = useAnswer(operations.getMcpMetrics, { mcp_target_id: mcpTargetId, trend: 50 })
  if (data === undefined || data.session === null) return null
  const { command } = data.session
  const figures = data.trend
    .filter((each) => each.command === command)
    .map((each) => each.figures)
    .toReversed()
  if (figures.length < 2) return null
  return (
    <section aria-label={`Trend of ${command}`} className="flex flex-wrap gap-4">
      {measures.map(({ title, of, words }) => (
        <Tile key={title} title={title} values={figures.map(of)} words={words} />
      ))}
    </section>
  )
}

interface Measure {
  title: string
  of: (figures: McpFigures) => number | null
  words: (value: number) => string
}

const measures: readonly Measure[] = [
  { title: 'p95', of: ({ p95_ms: ms }) => ms, words: (ms) => formatMs(ms) ?? '' },
  {
    title: 'Per second',
    of: ({ requests_per_second: rate }) => rate,
    words: (rate) => rate.toFixed(1),
  },
  { title: 'Failed', of: ({ error_rate: share }) => share, words: formatShare },
  { title: 'Score', of: ({ score }) => score, words: String },
]

function Tile({
  title,
  values,
  words,
}: {
  title: string
  values: (number | null)[]
  words: Measure['words']
}) {
  const known = values.filter((value) => value !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return null
  return (
    <div className="flex min-w-48 flex-col gap-1 rounded-lg border border-line bg-surface p-4">
      <span className="text-sm text-muted">{title}</span>
      <span className="text-xl font-semibold">{words(last)}</span>
      <SparklineDrawing
        values={values}
        label={`${title} of the last ${known.length} sessions: from ${words(first)} to ${words(last)}`}
      />
    </div>
  )
}
