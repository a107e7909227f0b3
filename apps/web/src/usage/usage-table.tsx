import { formatBytes } from '@flamegate/contract'
import { type Column, DataTable } from '../components/data-table.tsx'

/** What was used in a day or a month. */
export interface Used {
  calls: number
  uploads: number
  upload_bytes: number
  agent_seconds: number
  storage_bytes: number
}

interface Props<Row extends Used> {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  whenEmpty: string
  /** Of which day or workspace each row tells. */
  first: readonly Column<Row>[]
}

/** What was used, row by row, with the same columns wherever it is shown. */
export function UsageTable<Row extends Used>({ first, ...table }: Props<Row>) {
  return (
    <DataTable
      {...table}
      columns={[
        ...first,
        { key: 'calls', title: 'Calls', align: 'right', render: ({ calls }) => calls.toLocaleString() },
        {
          key: 'uploads',
          title: 'Uploads',
          align: 'right',
          render: ({ uploads }) => uploads.toLocaleString(),
        },
        {
          key: 'uploaded',
          title: 'Uploaded',
          align: 'right',
          hideBelow: 'lg',
          render: ({ upload_bytes }) => formatBytes(upload_bytes),
        },
        {
          key: 'agents',
          title: 'Agent hours',
          align: 'right',
          hideBelow: 'sm',
          render: ({ agent_seconds }) => (agent_seconds / 3600).toFixed(2),
        },
        {
          key: 'stored',
          title: 'Stored',
          align: 'right',
          render: ({ storage_bytes }) => formatBytes(storage_bytes),
        },
      ]}
    />
  )
}
