import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { actionsColumn } from '../components/actions-column.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import { useRestore } from '../design/use-restore.ts'

type Row = AnswerOf<typeof operations.listBenchReports>['bench_reports'][number]

interface Props {
  rows: readonly Row[]
  mayChange: boolean
  whenEmpty: string
}

/** Reports of a project, newest first. */
export function ReportTable({ rows, mayChange, whenEmpty }: Props) {
  const [deleted, setDeleted] = useState<Row>()
  const restore = useRestore(operations.restoreBenchReport, [operations.listBenchReports])
  return (
    <>
      <DataTable
        label="Reports"
        rows={rows}
        rowKey={({ id }) => id}
        stacks
        whenEmpty={whenEmpty}
        columns={[
          {
            key: 'name',
            title: 'Report',
            grow: true,
            render: ({ id, name, description }) => (
              <Link to="/reports/$reportId" params={{ reportId: id }} className="row-link block truncate">
                <span className="font-medium">{name}</span> <span className="text-muted">{description}</span>
              </Link>
            ),
          },
          {
            key: 'kind',
            title: 'Of',
            render: (row) => <span className="whitespace-nowrap">{kindWords(row)}</span>,
          },
          {
            key: 'items',
            title: 'Items',
            align: 'right',
            render: ({ item_count: count }) => (
              <span>
                {count}
                <span className="text-muted sm:hidden"> items</span>
              </span>
            ),
          },
          {
            key: 'changed',
            title: 'Changed',
            align: 'right',
            render: ({ updated_at }) => <When at={updated_at} />,
          },
          ...(mayChange
            ? [
                actionsColumn((row: Row) => ({
                  of: row.name,
                  actions: [{ label: 'Delete', onAction: () => setDeleted(row) }],
                })),
              ]
            : []),
        ]}
      />
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete ${deleted.name}?`}
          action="Delete"
          operation={operations.deleteBenchReport}
          input={{ bench_report_id: deleted.id }}
          outdates={[operations.listBenchReports]}
          onDone={({ bench_report_id }) => restore.offer({ bench_report_id }, deleted.name)}
          onClose={() => setDeleted(undefined)}
        >
          Its runs and what was measured in them stay.
        </ConfirmCall>
      )}
    </>
  )
}

function kindWords({ is_trend: isTrend, bench_result_ids: ids }: Row): string {
  if (isTrend) return 'trend'
  return ids.length === 1 ? 'one run' : `${ids.length} runs`
}
