import { type AnswerOf, formatDifference, formatQuantity, type operations } from '@flamegate/contract'
import { DifferenceBar } from '../charts/difference-bar.tsx'
import { largestDifference } from '../charts/diverging-scale.ts'
import { Badge } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { changeTones } from './change-states.ts'

type FunctionDifference = AnswerOf<typeof operations.compareProfiles>['functions'][number]

interface Props {
  rows: readonly FunctionDifference[]
  unit: string
  /** Which difference the bars show. */
  by: 'self' | 'total'
  sort: string | undefined
  onSort: (sort: string) => void
  onChoose: (functionName: string) => void
}

/** Functions with what they take on both sides. */
export function FunctionDifferenceTable({ rows, unit, by, sort, onSort, onChoose }: Props) {
  const largest = largestDifference(rows.map((row) => row[`${by}_difference`]))
  const values = (before: number, after: number) =>
    `${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}`
  return (
    <DataTable
      label="Functions"
      rows={rows}
      rowKey={(row) => `${row.function_name} ${row.file ?? ''} ${row.line ?? ''}`}
      sort={sort}
      onSort={onSort}
      whenEmpty="No function fits."
      columns={[
        {
          key: 'name',
          title: 'Function',
          grow: true,
          sortBy: (row) => row.function_name,
          render: (row) => (
            <>
              <button
                type="button"
                onClick={() => onChoose(row.function_name)}
                className="block max-w-full truncate font-mono font-medium hover:underline"
              >
                {row.function_name}
              </button>
              <span className="block truncate text-sm text-muted">{placeOf(row)}</span>
            </>
          ),
        },
        {
          key: 'state',
          title: 'State',
          sortBy: (row) => row.state,
          render: (row) => (
            <span className="flex flex-col items-start gap-0.5">
              <Badge tone={changeTones[row.state]}>{row.state}</Badge>
              {row.is_sure === false && row.state !== 'same' ? (
                <span className="text-sm whitespace-nowrap text-muted max-lg:hidden">may be chance</span>
              ) : null}
            </span>
          ),
        },
        {
          key: 'difference',
          title: by === 'self' ? 'Self change' : 'Total change',
          align: 'right',
          sortBy: (row) => row[`${by}_difference`],
          render: (row) => (
            <span className="flex items-center justify-end gap-3">
              <DifferenceBar difference={row[`${by}_difference`]} largest={largest} />
              <span className="min-w-22 tabular-nums">{formatDifference(row[`${by}_difference`], unit)}</span>
            </span>
          ),
        },
        {
          key: 'self',
          title: 'Self',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (row) => row.head_self,
          render: (row) => values(row.base_self, row.head_self),
        },
        {
          key: 'total',
          title: 'Total',
          align: 'right',
          hideBelow: 'lg',
          sortBy: (row) => row.head_total,
          render: (row) => values(row.base_total, row.head_total),
        },
      ]}
    />
  )
}

function placeOf({ file, line, origin }: FunctionDifference): string {
  const place = file === null ? '' : ` · ${file.replace('file://', '')}${line === null ? '' : `:${line}`}`
  return `${origin}${place}`
}
