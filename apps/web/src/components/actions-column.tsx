import type { ComponentProps } from 'react'
import type { Column } from './data-table.tsx'
import { MoreActions } from './more-actions.tsx'

/** A column with what can be done with each row, behind a button with three dots. */
export function actionsColumn<Row>(actionsOf: (row: Row) => ComponentProps<typeof MoreActions>): Column<Row> {
  return {
    key: 'actions',
    title: 'Actions',
    align: 'right',
    render: (row) => (
      // Above a link that takes presses anywhere in the row.
      <span className="relative z-10 inline-flex">
        <MoreActions {...actionsOf(row)} />
      </span>
    ),
  }
}
