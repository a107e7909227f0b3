import { HistogramSum } from './histogram-sum.ts'
import { columnsOf, SeriesTable, type SeriesKind } from './table.ts'

export interface Grouping {
  /** Whether rows that become one are of several seconds, or of several agents in the same second. */
  over: 'time' | 'agents'
  /** Which agent the row is of that a row goes into. Tables by their places in the list. */
  agentOf: (agent: number, table: number) => number
  /** The second from which that row counts; negative: the row is left out. */
  secondOf: (second: number, agent: number, table: number) => number
  /** How often what a table has is counted: -1 takes it off. Without it, all are counted once. */
  timesOf?: (table: number) => number
  /** Response times are wanted, and nothing of service times: they are put where these would be, and nothing is late. */
  isOfResponse?: boolean
}

/** Rows of the same agent and second become one. */
export const asTheyAre = {
  over: 'agents',
  agentOf: (agent: number) => agent,
  secondOf: (second: number) => second,
} as const

/** As many as agents and seconds together have numbers. */
const secondsEnd = 2 ** 21
const sums = { service: new HistogramSum(), late: new HistogramSum() }

/**
 * Makes one row of all rows that go into the same: in the order of agents and seconds. Rows of an agent are given in the
 * order of their seconds, or of what is counted last another may be taken.
 * @param made a table of that kind of which nothing is needed any more
 */
export function regroup(
  kind: SeriesKind,
  tables: readonly SeriesTable[],
  grouping: Grouping,
  made = new SeriesTable(kind),
): SeriesTable {
  made.clear()
  addRegrouped(made, tables, grouping)
  return made
}

/** The same, after the rows that the table has. */
export function addRegrouped(made: SeriesTable, tables: readonly SeriesTable[], grouping: Grouping): void {
  const { kind } = made
  const { over, isOfResponse = false, timesOf = () => 1 } = grouping
  const rows = new GroupedRows(tables, grouping)
  // As many as there are, if no rows become one; and fewer as more of them do, but more than in a row of the others.
  const slots = tables.reduce(
    (sum, { service, late }) => sum + service.slotLength + (isOfResponse ? late.slotLength : 0),
    0,
  )
  const share = Math.min(1, (3 * rows.keys.length) / Math.max(1, rows.length))
  made.reserve(rows.keys.length, Math.ceil(share * slots))
  const into = isOfResponse ? { service: sums.service, late: sums.service } : sums
  for (const group of rows.inOrder()) {
    const key = rows.keys[group] ?? 0
    const at = made.add(Math.floor(key / secondsEnd) - 1, key % secondsEnd)
    const first = rows.firsts[group] ?? none
    const isCopied = rows.nexts[first] === none && timesOf(rows.tables[first] ?? 0) === 1
    for (let row = first, next = none; row !== none; row = next) {
      const number = rows.tables[row] ?? 0
      const table = tables[number]
      const place = rows.places[row] ?? 0
      // Those that follow one another there have their slots one after the other: they are added as one.
      let end = place
      for (next = row; next !== none && rows.places[next] === end && rows.tables[next] === number; end++)
        next = rows.nexts[next] ?? none
      if (table === undefined) continue
      const times = timesOf(number)
      for (let each = place; each < end; each++) {
        if (kind === 'requests') addColumns(made, at, table, each, times)
        else joinColumns(made, at, table, each, over)
      }
      if (!isCopied) addHistograms(table, place, end, times, into)
      else if (isOfResponse) made.service.pushSum(table.service, place, table.late, place)
      else copyHistograms(made, table, place)
    }
    if (!isCopied) into.service.drainInto(made.service)
    if (isOfResponse) made.late.endOne()
    else if (!isCopied) into.late.drainInto(made.late)
  }
}

const none = -1

/** Of each row that is not left out the group, as chains: a list of objects for each would cost more than the sums. */
class GroupedRows {
  /** Of each group agent and second in one number, and its first row. */
  readonly keys: number[] = []
  readonly firsts: number[] = []
  /** Of each row the table, the place there, and the next row of its group. */
  readonly tables: Int32Array
  readonly places: Int32Array
  readonly nexts: Int32Array
  /** How many rows are in groups. */
  readonly length: number

  constructor(tables: readonly SeriesTable[], { agentOf, secondOf }: Grouping) {
    const length = tables.reduce((sum, table) => sum + table.length, 0)
    this.tables = new Int32Array(length)
    this.places = new Int32Array(length)
    this.nexts = new Int32Array(length).fill(none)
    const groups = new Map<number, number>()
    const lasts: number[] = []
    let row = 0
    for (let number = 0; number < tables.length; number++) {
      const { agents, seconds, length: count } = tables[number] ?? new SeriesTable('requests')
      for (let place = 0; place < count; place++) {
        const agent = agents[place] ?? 0
        const second = secondOf(seconds[place] ?? 0, agent, number)
        if (second < 0) continue
        const key = (agentOf(agent, number) + 1) * secondsEnd + second
        let group = groups.get(key)
        if (group === undefined) {
          group = this.keys.length
          groups.set(key, group)
          this.keys.push(key)
          this.firsts.push(row)
        } else this.nexts[lasts[group] ?? 0] = row
        lasts[group] = row
        this.tables[row] = number
        this.places[row++] = place
      }
    }
    this.length = row
  }

  /** The groups by agent and second. */
  inOrder(): number[] {
    return Array.from(this.keys.keys()).toSorted((a, b) => (this.keys[a] ?? 0) - (this.keys[b] ?? 0))
  }
}

/** What is counted of requests are all sums. */
function addColumns(
  made: SeriesTable,
  at: number,
  { columns, width }: SeriesTable,
  place: number,
  times: number,
): void {
  const into = made.columns
  const from = place * width
  for (let column = 0; column < width; column++) {
    const value = columns[from + column] ?? 0
    // Most of them are zero.
    if (value !== 0) into[at + column] = (into[at + column] ?? 0) + times * value
  }
}

function joinColumns(
  made: SeriesTable,
  at: number,
  table: SeriesTable,
  place: number,
  over: Grouping['over'],
): void {
  for (const [column, { overTime, overAgents }] of columnsOf[made.kind].entries()) {
    const joining = over === 'time' ? overTime : overAgents
    const value = table.columns[place * table.width + column] ?? 0
    const before = made.columns[at + column] ?? 0
    made.columns[at + column] =
      joining === 'sum' ? before + value : joining === 'max' ? Math.max(before, value) : value
  }
}

function copyHistograms(made: SeriesTable, table: SeriesTable, place: number): void {
  for (const name of ['service', 'late'] as const) {
    const from = table[name]
    made[name].pushAll(from.slots, from.counts, from.startOf(place), from.endOf(place))
    made[name].endOne()
  }
}

/** Those of the rows from one place on to before another. */
function addHistograms(
  table: SeriesTable,
  place: number,
  end: number,
  times: number,
  into: typeof sums,
): void {
  for (const name of ['service', 'late'] as const) {
    const from = table[name]
    into[name].add(from.slots, from.counts, from.startOf(place), from.endOf(end - 1), times)
  }
}
