import { type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import { PrintedContext } from '../shell/printed.ts'
import { ArrowDown, ArrowUp } from './icons.tsx'
import { RowPages } from './row-pages.tsx'
import { parseSorting, type Sorting, stringifySorting } from './sorting.ts'

export interface Column<Row> {
  key: string
  title: string
  /** Numbers go right. */
  align?: 'right'
  /** Left out on narrow screens; `lg` goes first. */
  hideBelow?: 'sm' | 'lg'
  /** Takes the room that is left, and is cut before others are. */
  grow?: boolean
  /** Makes the column sortable by this. */
  sortBy?: (row: Row) => number | string | null
  render: (row: Row) => ReactNode
}

interface Props<Row> {
  /** What the rows are: the accessible name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** On narrow screens a row is a card, its first cell above the others: for rows that have something to press. */
  stacks?: boolean
  /** The order, where the address keeps it: `change` or `-change`. Without `onSort` the table keeps it itself. */
  sort?: string | undefined
  onSort?: (sort: string) => void
  /** Stays at the end in every order, for sums. */
  footer?: Row | undefined
  /** Rows at a time; on paper there are all of them. */
  rowsPerPage?: number
  /** Said in place of rows. */
  whenEmpty: ReactNode
}

const hidden = { sm: 'max-sm:hidden', lg: 'max-lg:hidden' } as const

const stacked = {
  table: 'max-sm:block',
  head: 'max-sm:hidden',
  body: 'max-sm:block',
  row: 'max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:px-4 max-sm:py-2',
  cell: 'max-sm:h-auto max-sm:px-0 max-sm:first:max-w-none max-sm:first:basis-full max-sm:first:pl-0 max-sm:last:ml-auto max-sm:last:pr-0 max-sm:empty:hidden',
} as const
const flat = { table: '', head: '', body: '', row: '', cell: '' } as const

/**
 * A table with sortable columns in a box that scrolls sideways. A cell's link with the class `row-link` takes
 * presses anywhere in its row. Shows some rows at a time, because a run may have thousands.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, stacks = false, sort, onSort, footer, whenEmpty } = props
  const isPrinted = useContext(PrintedContext)
  const pageRows = isPrinted ? Math.max(1, rows.length) : (props.rowsPerPage ?? 200)
  const [ownSort, setOwnSort] = useState<string>()
  const sorting = parseSorting(onSort === undefined ? ownSort : sort)
  const setSorting = (next: Sorting) => (onSort ?? setOwnSort)(stringifySorting(next))
  const sorted = useMemo(
    () => sortRows(rows, columns, sorting?.key, sorting?.direction),
    [rows, columns, sorting?.key, sorting?.direction],
  )
  const box = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState(0)
  // Other rows, or another order, begin at their first page; rows that are added behind leave it as it is.
  const order = sorting === undefined ? '' : stringifySorting(sorting)
  const begin = sorted[0] === undefined ? order : `${order} ${rowKey(sorted[0])}`
  const [seenBegin, setSeenBegin] = useState(begin)
  if (begin !== seenBegin) {
    setSeenBegin(begin)
    setPage(0)
  }
  const start = Math.min(page, Math.max(0, Math.ceil(sorted.length / pageRows) - 1)) * pageRows
  const turnTo = (next: number) => {
    setPage(next)
    box.current?.scrollIntoView()
  }
  const narrow = stacks ? stacked : flat
  // What is laid out as blocks is a table to nobody unless it says so.
  const role = (name: string) => (stacks ? name : undefined)
  return (
    <div ref={box} className="flex scroll-mt-4 flex-col gap-3">
      <div
        // What scrolls has to be reached by keys, through its buttons or by itself.
        {...(columns.some(({ sortBy }) => sortBy !== undefined) ? {} : { tabIndex: 0 })}
        className="overflow-x-auto rounded-lg border border-line bg-surface"
      >
        <table
          role={role('table')}
          aria-label={label}
          className={`w-full border-collapse text-left ${narrow.table}`}
        >
          <thead className={narrow.head}>
            <tr className="border-b border-line">
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sorting={sorting} onSort={setSorting} />
              ))}
            </tr>
          </thead>
          <tbody role={role('rowgroup')} className={narrow.body}>
            {sorted.slice(start, start + pageRows).map((row) => (
              <tr
                key={rowKey(row)}
                role={role('row')}
                className={`relative border-b border-line last:border-b-0 hover:bg-hover/60 has-[.row-link:focus-visible]:bg-accent-soft ${narrow.row}`}
              >
                {columns.map((column) => (
                  <td key={column.key} role={role('cell')} className={`${cellClass(column)} ${narrow.cell}`}>
                    {column.render(row)}
                  </td>
                ))}
              </tr>
            ))}
            {sorted.length === 0 ? (
              <tr>
                <td colSpan={columns.length} className="px-4 py-6 text-muted">
                  {whenEmpty}
                </td>
              </tr>
            ) : null}
          </tbody>
          {footer === undefined || sorted.length === 0 ? null : (
            <tfoot role={role('rowgroup')} className={narrow.body}>
              <tr role={role('row')} className={`border-t border-line-strong font-medium ${narrow.row}`}>
                {columns.map((column) => (
                  <td key={column.key} role={role('cell')} className={`${cellClass(column)} ${narrow.cell}`}>
                    {column.render(footer)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {sorted.length > pageRows ? (
        <RowPages
          label={label}
          start={start}
          end={Math.min(start + pageRows, sorted.length)}
          count={sorted.length}
          onBack={() => turnTo(start / pageRows - 1)}
          onOn={() => turnTo(start / pageRows + 1)}
        />
      ) : null}
    </div>
  )
}

function cellClass<Row>(column: Column<Row>): string {
  return [
    'h-[2.625rem] px-2.5 py-1.5 first:pl-4 last:pr-4',
    column.align === 'right' ? 'text-right whitespace-nowrap' : '',
    // A long name leaves room for the other columns.
    column.grow === true ? 'w-full max-w-0 min-w-32 sm:min-w-56' : 'max-w-96 min-w-0',
    column.hideBelow === undefined ? '' : hidden[column.hideBelow],
  ].join(' ')
}

interface HeaderProps<Row> {
  column: Column<Row>
  sorting: Sorting | undefined
  onSort: (sorting: Sorting) => void
}

function HeaderCell<Row>({ column, sorting, onSort }: HeaderProps<Row>) {
  const isPrinted = useContext(PrintedContext)
  const direction = sorting?.key === column.key ? sorting.direction : undefined
  const className = `${cellClass(column)} text-sm font-medium whitespace-nowrap text-muted`
  if (column.sortBy === undefined || isPrinted) {
    return (
      <th scope="col" className={className}>
        {column.title}
      </th>
    )
  }
  const next = direction === 'descending' ? 'ascending' : 'descending'
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={className}>
      <button
        type="button"
        onClick={() => onSort({ key: column.key, direction: next })}
        className={`group inline-flex items-center gap-1 align-middle rounded-sm hover:text-text ${column.align === 'right' ? 'flex-row-reverse' : ''}`}
      >
        {column.title}
        <span className={direction === undefined ? 'opacity-0 group-hover:opacity-50' : ''}>
          {direction === 'ascending' ? <ArrowUp /> : <ArrowDown />}
        </span>
      </button>
    </th>
  )
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  key: string | undefined,
  direction: Sorting['direction'] | undefined,
): readonly Row[] {
  const sortBy = columns.find((column) => column.key === key)?.sortBy
  if (sortBy === undefined) return rows
  const sign = direction === 'ascending' ? 1 : -1
  return rows
    .map((row) => ({ row, by: sortBy(row) }))
    .toSorted(({ by: left }, { by: right }) => {
      // What has no value stays at the end in either direction.
      if (left === null || right === null) return Number(left === null) - Number(right === null)
      return sign * (left < right ? -1 : left > right ? 1 : 0)
    })
    .map(({ row }) => row)
}
