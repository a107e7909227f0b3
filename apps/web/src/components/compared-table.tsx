import { formatChangePercent, formatQuantity } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { intervalScale } from '../charts/interval-scale.ts'
import { Badge } from './badge.tsx'
import { BenchmarkName } from './benchmark-name.tsx'
import { DataTable } from './data-table.tsx'
import { FlameLink } from './flame-link.tsx'
import { IntervalBar } from './interval-bar.tsx'
import { type Compared, VerdictBadge, verdictOrder } from './verdict.tsx'

interface Props {
  rows: readonly Compared[]
  baseRunId: string
  headRunId: string
  sort: string | undefined
  onSort: (sort: string) => void
  whenEmpty: string
}

/** Benchmarks of two runs side by side, worst first. */
export function ComparedTable({ rows, baseRunId, headRunId, sort, onSort, whenEmpty }: Props) {
  const scalePercent = useMemo(() => intervalScale(rows), [rows])
  return (
    <DataTable
      label="Compared benchmarks"
      rows={rows}
      rowKey={(row) => row.uri}
      sort={sort}
      onSort={onSort}
      whenEmpty={whenEmpty}
      columns={[
        {
          key: 'verdict',
          title: 'Verdict',
          sortBy: (row) => -verdictOrder.indexOf(row.verdict),
          render: (row) => (
            <span title={row.reason} className="flex flex-wrap gap-1">
              <VerdictBadge verdict={row.verdict} betterWhen={row.better_when} />
              {row.is_acknowledged ? <Badge>accepted</Badge> : null}
              {row.is_ignored ? <Badge>ignored</Badge> : null}
            </span>
          ),
        },
        {
          key: 'benchmark',
          title: 'Benchmark',
          grow: true,
          sortBy: (row) => row.uri.toLowerCase(),
          render: (row) => (
            <>
              <Link
                to="/compare"
                search={(before) => ({ ...before, benchmark: row.benchmark_id })}
                resetScroll={false}
                className="row-link block"
              >
                <BenchmarkName name={row.name} uri={row.uri} />
              </Link>
              {row.verdict === 'noisy' || row.verdict === 'incomparable' ? (
                <span className="block truncate text-sm text-muted" title={row.reason}>
                  {row.reason}
                </span>
              ) : null}
            </>
          ),
        },
        {
          key: 'base',
          title: 'Base',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (row) => row.base_value,
          render: (row) => (row.base_value === null ? '–' : formatQuantity(row.base_value, row.unit)),
        },
        {
          key: 'head',
          title: 'Head',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (row) => row.head_value,
          render: (row) => (row.head_value === null ? '–' : formatQuantity(row.head_value, row.unit)),
        },
        {
          key: 'change',
          title: 'Change',
          align: 'right',
          sortBy: (row) => row.change_percent,
          render: (row) =>
            row.change_percent === null ? (
              '–'
            ) : (
              <span className={changeColor(row)}>{formatChangePercent(row.change_percent)}</span>
            ),
        },
        {
          key: 'interval',
          title: `Interval, ±${scalePercent.toFixed(0)} %`,
          hideBelow: 'lg',
          render: (row) => <IntervalBar row={row} scalePercent={scalePercent} />,
        },
        {
          key: 'flame',
          title: 'Flame graphs',
          hideBelow: 'sm',
          render: (row) => (
            <span className="flex gap-1">
              {row.has_base_profile ? (
                <FlameLink label="base" runId={baseRunId} benchmark={row.uri} name={row.name} />
              ) : null}
              {row.has_head_profile ? (
                <FlameLink label="head" runId={headRunId} benchmark={row.uri} name={row.name} />
              ) : null}
              {row.has_base_profile && row.has_head_profile ? (
                <Link
                  to="/compare"
                  search={(before) => ({ ...before, benchmark: row.benchmark_id, explain: 'yes' })}
                  resetScroll={false}
                  aria-label={`explain: ${row.name}`}
                  className="relative z-10 rounded-sm px-1.5 py-0.5 text-accent hover:bg-hover"
                >
                  explain
                </Link>
              ) : null}
            </span>
          ),
        },
      ]}
    />
  )
}

function changeColor({ verdict }: Compared): string {
  if (verdict === 'regressed') return 'font-medium text-worse'
  return verdict === 'improved' ? 'font-medium text-better' : ''
}
