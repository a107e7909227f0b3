import {
  type AnswerOf,
  formatChangePercent,
  formatDifference,
  formatMeasure,
  liveAppLink,
  measureTitle,
  type operations,
  spanText,
} from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { SparklineDrawing } from '../charts/sparkline.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { columnTitle } from './column-title.ts'
import { sectionTitle } from './live-sections.ts'

type Comparison = AnswerOf<typeof operations.compareLiveMoments>
type TimeChange = Comparison['times'][number]
type AmountChange = Comparison['amounts'][number]
type Growth = Comparison['growing'][number]

interface Props<Row> {
  /** Id of the live app or the recording that is the head: rows lead to its page. */
  sourceId: string
  rows: readonly Row[]
  sort: string | undefined
  onSort: (sort: string) => void
  whenEmpty: string
}

/** What slowed and what became faster, as it comes: what costs most first. */
export function TimesTable({ sourceId, ...props }: Props<TimeChange>) {
  return (
    <DataTable
      label="Slower and faster"
      {...props}
      rowKey={({ section, name, measured }) => `${section} ${measured} ${name}`}
      columns={[
        nameColumn<TimeChange>(sourceId, ({ measured }) =>
          measured === 'duration' ? undefined : measured.replaceAll('_', ' '),
        ),
        sectionColumn(),
        {
          key: 'calls',
          title: 'Calls',
          align: 'right',
          hideBelow: 'lg',
          sortBy: ({ calls }) => calls.head,
          render: ({ calls }) => fromTo('calls', calls),
        },
        {
          key: 'mean',
          title: 'Mean',
          align: 'right',
          sortBy: ({ mean_ns: mean }) => mean.head,
          render: ({ mean_ns: mean }) => fromTo('mean_ns', mean),
        },
        percentileColumn('p95_ns'),
        percentileColumn('p99_ns'),
        {
          key: 'change',
          title: 'Change',
          align: 'right',
          sortBy: ({ change_percent: change }) => change,
          render: ({ change_percent: change }) => <Change percent={change} isTime />,
        },
        {
          key: 'cost',
          title: 'Cost per second',
          align: 'right',
          sortBy: ({ extra_ns_per_second: extra }) => extra,
          render: ({ extra_ns_per_second: extra }) => formatDifference(extra, 'ns'),
        },
      ]}
    />
  )
}

/** Rates and levels that are not what they were, as they come: those first that are most of the whole. */
export function AmountsTable({ sourceId, ...props }: Props<AmountChange>) {
  return (
    <DataTable
      label="Amounts"
      {...props}
      rowKey={({ section, name, measure }) => `${section} ${measure} ${name}`}
      columns={[
        nameColumn(sourceId),
        sectionColumn(),
        measureColumn(),
        {
          key: 'amount',
          title: 'Amount',
          align: 'right',
          sortBy: ({ head }) => head,
          render: ({ measure, base, head }) => fromTo(measure, { base, head }),
        },
        {
          key: 'change',
          title: 'Change',
          align: 'right',
          sortBy: ({ change_percent: change }) => change ?? Infinity,
          render: ({ change_percent: change }) => (change === null ? 'new' : <Change percent={change} />),
        },
        {
          key: 'share',
          title: 'Of all',
          align: 'right',
          hideBelow: 'sm',
          sortBy: ({ share_percent: share }) => share,
          render: ({ share_percent: share }) => `${share.toFixed(1)} %`,
        },
      ]}
    />
  )
}

/** What rose nearly all the time, as it comes: what grew most first. */
export function GrowingTable({ sourceId, ...props }: Props<Growth>) {
  return (
    <DataTable
      label="Growing steadily"
      {...props}
      rowKey={({ section, session, id, measure }) => `${section} ${session} ${id} ${measure}`}
      columns={[
        nameColumn(sourceId),
        sectionColumn(),
        measureColumn(),
        {
          key: 'lows',
          title: 'Lowest values',
          render: ({ measure, lows, rising_steps: rising, steps }) => (
            <span className="block w-24">
              <SparklineDrawing
                values={lows}
                label={`from ${formatMeasure(measure, lows[0])} to ${formatMeasure(measure, lows.at(-1))}, rising in ${rising} of ${steps} steps`}
              />
            </span>
          ),
        },
        {
          key: 'amount',
          title: 'Amount',
          align: 'right',
          sortBy: ({ to }) => to,
          render: ({ measure, from, to }) => fromTo(measure, { base: from, head: to }),
        },
        {
          key: 'pace',
          title: 'Per second',
          align: 'right',
          sortBy: ({ per_second: pace }) => pace,
          render: ({ measure, per_second: pace }) => `+${formatMeasure(measure, pace)}`,
        },
        {
          key: 'full',
          title: 'Full in',
          align: 'right',
          sortBy: ({ full_in_seconds: seconds }) => seconds,
          render: ({ full_in_seconds: seconds }) =>
            seconds === null ? '' : <span className="font-medium text-worse">{spanText(seconds)}</span>,
        },
      ]}
    />
  )
}

interface Named {
  section: string
  name: string
}

function nameColumn<Row extends Named>(
  sourceId: string,
  detail?: (row: Row) => string | undefined,
): Column<Row> {
  return {
    key: 'name',
    title: 'Name',
    grow: true,
    sortBy: ({ name }) => name.toLowerCase(),
    render: (row) => (
      <Link
        to={liveAppLink(sourceId)}
        search={{ section: row.section, filter: row.name }}
        title={row.name}
        className="row-link block min-w-40 truncate"
      >
        <span className="font-medium">{row.name}</span> <span className="text-muted">{detail?.(row)}</span>
      </Link>
    ),
  }
}

function sectionColumn<Row extends Named>(): Column<Row> {
  return {
    key: 'section',
    title: 'Section',
    hideBelow: 'sm',
    sortBy: ({ section }) => sectionTitle(section),
    render: ({ section }) => <span className="whitespace-nowrap">{sectionTitle(section)}</span>,
  }
}

function percentileColumn(name: 'p95_ns' | 'p99_ns'): Column<TimeChange> {
  return {
    key: name,
    title: columnTitle(name),
    align: 'right',
    hideBelow: 'lg',
    sortBy: ({ percentiles }) => percentiles[name]?.head ?? null,
    render: ({ percentiles }) => fromTo(name, percentiles[name]),
  }
}

function measureColumn<Row extends { measure: string }>(): Column<Row> {
  return {
    key: 'measure',
    title: 'Measure',
    sortBy: ({ measure }) => measure,
    render: ({ measure }) => <span className="whitespace-nowrap">{measureTitle(measure)}</span>,
  }
}

function fromTo(measure: string, both: { base: number; head: number } | undefined): string {
  return both === undefined
    ? '–'
    : `${formatMeasure(measure, both.base)} → ${formatMeasure(measure, both.head)}`
}

/** More time is worse; of amounts nobody knows. */
function Change({ percent, isTime = false }: { percent: number; isTime?: boolean }) {
  const tone = !isTime ? '' : percent > 0 ? 'text-worse' : 'text-better'
  return <span className={`font-medium ${tone}`}>{formatChangePercent(percent)}</span>
}
