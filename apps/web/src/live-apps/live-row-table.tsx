import { formatMeasure, orderedMeasures, type LiveRowShape } from '@flamegate/contract'
import { type Column, DataTable } from '../components/data-table.tsx'
import { columnTitle } from './column-title.ts'
import { LiveTrend } from './live-trend.tsx'

interface Props {
  label: string
  /** Id of the section, which says in what order its measures are told. */
  section: string
  rows: readonly LiveRowShape[]
  /** How a row went, by one measure; without it rows have no such column. */
  trendOf?:
    | ((row: LiveRowShape) => Readonly<Record<string, readonly (number | null)[]>> | undefined)
    | undefined
  /** Shows all that is known of a row. */
  onOpen: (row: LiveRowShape) => void
  whenEmpty: string
}

/** Rows of a section of a live app, with a column for each measure that any of them has. */
export function LiveRowTable({ label, section, rows, trendOf, onOpen, whenEmpty }: Props) {
  const measures = orderedMeasures([...new Set(rows.flatMap((row) => Object.keys(row.measures)))], section)
  const word = (key: 'kind' | 'state', title: string): Column<LiveRowShape>[] =>
    rows.some((row) => row[key] !== null)
      ? [{ key, title, sortBy: (row) => row[key], render: (row) => row[key] }]
      : []
  const texts = [...new Set(rows.flatMap((row) => Object.keys(row.texts)))]
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={({ id, session }) => `${session} ${id}`}
      whenEmpty={whenEmpty}
      columns={[
        {
          key: 'name',
          title: 'Name',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: (row) => <NameOf row={row} onOpen={onOpen} />,
        },
        ...(trendOf === undefined ? [] : [trendColumn(trendOf)]),
        ...word('kind', 'Kind'),
        ...word('state', 'State'),
        ...texts.map((name): Column<LiveRowShape> => ({
          key: `text ${name}`,
          title: columnTitle(name),
          render: (row) => <span className="block max-w-60 truncate">{row.texts[name]}</span>,
        })),
        ...(rows.some(({ share_percent: share }) => share !== null)
          ? [
              {
                key: 'share',
                title: 'Share',
                align: 'right',
                sortBy: (row: LiveRowShape) => row.share_percent,
                render: ({ share_percent: share }: LiveRowShape) =>
                  share === null ? '' : `${share.toFixed(1)} %`,
              } as const,
            ]
          : []),
        ...measures.map((name): Column<LiveRowShape> => ({
          key: name,
          title: columnTitle(name),
          align: 'right',
          sortBy: (row) => row.measures[name] ?? null,
          render: (row) => formatMeasure(name, row.measures[name]) ?? <span className="text-muted">–</span>,
        })),
      ]}
    />
  )
}

function trendColumn(trendOf: NonNullable<Props['trendOf']>): Column<LiveRowShape> {
  return {
    key: 'trend',
    title: 'Trend',
    render: (row) => (
      <div className="h-6 w-24">
        {Object.entries(trendOf(row) ?? {}).map(([measure, values]) => (
          <LiveTrend key={measure} measure={measure} values={values} />
        ))}
      </div>
    ),
  }
}

function NameOf({ row, onOpen }: { row: LiveRowShape; onOpen: Props['onOpen'] }) {
  return (
    <button
      type="button"
      className="row-link block w-full min-w-40 rounded-sm text-left hover:underline"
      onClick={() => onOpen(row)}
    >
      <span className="block truncate font-medium">{row.name}</span>
      {row.place === null ? null : <span className="block truncate text-sm text-muted">{row.place}</span>}
    </button>
  )
}
