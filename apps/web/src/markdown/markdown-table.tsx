import { inOrder } from './in-order.ts'
import { MarkdownLine } from './markdown-line.tsx'
import type { Inline } from './parse-markdown.ts'

interface Props {
  head: readonly Inline[][]
  isRight: readonly boolean[]
  rows: readonly Inline[][][]
}

// What is laid out as blocks is a table to nobody unless it says so.
const roles = { table: 'table', body: 'rowgroup', row: 'row', cell: 'cell' }

/** A table of a report. On narrow screens a row is a card, its first cell above the others. */
export function MarkdownTable({ head, isRight, rows }: Props) {
  const align = (column: number) => (isRight[column] === true ? 'sm:text-right' : '')
  return (
    <table role={roles.table} className="w-full border-collapse text-left max-sm:block">
      <thead className="max-sm:hidden">
        <tr className="border-b border-line">
          {inOrder(head, (cell, column) => (
            <th
              scope="col"
              className={`px-2.5 py-1.5 text-sm font-medium text-muted first:pl-0 ${align(column)}`}
            >
              <MarkdownLine content={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody role={roles.body} className="max-sm:block">
        {inOrder(rows, (row) => (
          <tr
            role={roles.row}
            className="border-b border-line last:border-b-0 max-sm:flex max-sm:flex-wrap max-sm:gap-x-4 max-sm:py-1.5"
          >
            {inOrder(row, (cell, column) => (
              <td
                role={roles.cell}
                className={`px-2.5 py-1.5 wrap-anywhere first:pl-0 max-sm:px-0 max-sm:py-0 max-sm:first:basis-full max-sm:first:font-medium ${align(column)}`}
              >
                <MarkdownLine content={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
