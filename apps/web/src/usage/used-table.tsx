import { DataTable } from '../components/data-table.tsx'
import type { UsedRow } from './used-rows.ts'

/** What is used of a plan, each with how full it is. */
export function UsedTable({ rows }: { rows: readonly UsedRow[] }) {
  return (
    <DataTable
      label="Used of the plan"
      rows={rows}
      rowKey={({ what }) => what}
      whenEmpty="Nothing is limited."
      columns={[
        { key: 'what', title: 'What', grow: true, render: ({ what }) => what },
        {
          key: 'share',
          title: 'Full',
          hideBelow: 'sm',
          render: ({ used, most }) =>
            most === null ? null : <Fullness share={most === 0 ? 1 : used / most} />,
        },
        { key: 'used', title: 'Used', align: 'right', render: ({ used, inWords }) => inWords(used) },
        {
          key: 'most',
          title: 'Plan has',
          align: 'right',
          render: ({ most, inWords }) => (most === null ? 'no limit' : inWords(most)),
        },
      ]}
    />
  )
}

/** The words beside it say the same. */
function Fullness({ share }: { share: number }) {
  const percent = Math.min(100, share * 100)
  return (
    <span className="flex w-56 items-center gap-2">
      <span aria-hidden className="block h-2 min-w-0 grow overflow-hidden rounded-full bg-hover">
        <span className="block h-full rounded-full bg-accent-fill" style={{ width: `${percent}%` }} />
      </span>
      <span className="text-sm whitespace-nowrap text-muted tabular-nums">
        {percent > 0 && percent < 1 ? '< 1' : Math.floor(percent)} %
      </span>
    </span>
  )
}
