import { formatChangePercent } from '@flamegate/contract'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { ArrowDown, ArrowUp, EqualIcon } from '../components/icons.tsx'
import { formatValue } from './format-value.ts'
import { rowMetricLabel } from './metric-labels.ts'
import type { ValuesOf } from './report-source.ts'
import { RunLink } from './run-link.tsx'

type Metric = ValuesOf<'comparison'>['rows'][number]['metrics'][number]
type Change = NonNullable<Metric['changes'][number]>

const looks: Record<Change['verdict'], { tone: Tone; words: string }> = {
  better: { tone: 'better', words: 'better' },
  worse: { tone: 'worse', words: 'worse' },
  same: { tone: 'plain', words: 'same' },
  unknown: { tone: 'plain', words: 'cannot be told' },
}

interface Props {
  title: string
  values: ValuesOf<'comparison'>
}

/** All runs beside the first: values, how much they differ, between which bounds, and whether that is more than chance. */
export function ComparisonItem({ title, values: { runs, rows } }: Props) {
  const lines = rows.flatMap(({ name, metrics }) => metrics.map((metric) => ({ name, metric })))
  return (
    <div className="flex flex-col gap-2">
      <p className="break-after-avoid text-sm text-muted">
        Against{' '}
        {runs[0] === undefined ? 'the first run' : <RunLink runId={runs[0].id}>{runs[0].name}</RunLink>}. In
        brackets: where the difference lies, with 95 % certainty.
      </p>
      <DataTable
        label={title}
        rows={lines}
        rowKey={({ name, metric }) => `${name} ${metric.metric}`}
        whenEmpty="Nothing was measured yet."
        columns={[
          {
            key: 'name',
            title: 'Action',
            render: ({ name, metric }) => (
              <span className="block min-w-32 break-words">
                <span className="font-medium">{name}</span>{' '}
                <span className="text-muted">{rowMetricLabel(metric.metric)}</span>
              </span>
            ),
          },
          ...runs.map((run, index) => ({
            key: run.id,
            title: run.name,
            align: 'right' as const,
            render: ({ metric }: { metric: Metric }) => (
              <Cell value={metric.values[index] ?? null} unit={metric.unit} change={metric.changes[index]} />
            ),
          })),
        ]}
      />
    </div>
  )
}

/** Up is more, whether that is better or not. */
function iconOf(verdict: Change['verdict'], share: number | null): ReactNode {
  if (verdict === 'same') return <EqualIcon />
  if (share === null || verdict === 'unknown') return null
  return share > 0 ? <ArrowUp /> : <ArrowDown />
}

interface CellProps {
  value: number | null
  unit: string
  change: Change | null | undefined
}

function Cell({ value, unit, change }: CellProps) {
  const words = <span className="font-medium">{formatValue(value, unit)}</span>
  if (change === null || change === undefined) return words
  const { share, low, high, verdict } = change
  return (
    <span className="inline-flex flex-col items-end gap-0.5">
      {words}
      <span className="inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-0.5">
        {share === null ? null : (
          <span className="text-sm text-muted">
            {percent(share)}
            {low === null || high === null || high >= shareTold
              ? null
              : ` (${percent(low)} to ${percent(high)})`}
          </span>
        )}
        <Badge tone={looks[verdict].tone} icon={iconOf(verdict, share)}>
          {looks[verdict].words}
        </Badge>
      </span>
    </span>
  )
}

/** An interval that goes beyond a hundred times as much says nothing. */
const shareTold = 100

function percent(share: number): string {
  return formatChangePercent(share * 100)
}
