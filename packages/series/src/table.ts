import { HistogramList } from './histogram-list.ts'
import { actionCounters, generatorGauges, profileCounters } from './tick.ts'

/** What a series is of: an action's requests, users of a profile, or the generator itself. */
export const seriesKinds = ['requests', 'users', 'generator'] as const
export type SeriesKind = (typeof seriesKinds)[number]

/** How values of a column become one: of several seconds, or of several agents in the same second. */
type Joining = 'sum' | 'max' | 'last'

interface Column {
  overTime: Joining
  overAgents: 'sum' | 'max'
}

const summed: Column = { overTime: 'sum', overAgents: 'sum' }

/**
 * The columns of a series. Of users the last and the highest number come first, then what is counted; of a generator the
 * highest value of each gauge, then their sums, then over how many seconds.
 */
export const columnsOf: Record<SeriesKind, readonly Column[]> = {
  requests: actionCounters.map(() => summed),
  users: [
    { overTime: 'last', overAgents: 'sum' },
    { overTime: 'max', overAgents: 'sum' },
    ...profileCounters.slice(1).map(() => summed),
  ],
  generator: [
    ...generatorGauges.map((): Column => ({ overTime: 'max', overAgents: 'max' })),
    ...generatorGauges.map(() => summed),
    summed,
  ],
}

/** In place of the number of an agent: all of them together. */
export const allAgents = -1

/** Rows of one series: each of an agent, or of all, and of the seconds from one on. */
export class SeriesTable {
  readonly kind: SeriesKind
  readonly width: number
  agents: Int32Array
  seconds: Int32Array
  /** All columns of one row after those of the other. */
  columns: Float64Array
  /** Of requests only: of other series they are empty. */
  service: HistogramList
  /** What must be added to the service time to have the response time. */
  late: HistogramList
  length = 0

  /** With room for as many rows, and for as many slots of each kind of times; there can be more. */
  constructor(kind: SeriesKind, rows = 16, slots = 64) {
    this.kind = kind
    this.width = columnsOf[kind].length
    this.agents = new Int32Array(rows)
    this.seconds = new Int32Array(rows)
    this.columns = new Float64Array(rows * this.width)
    this.service = new HistogramList(rows, slots)
    this.late = new HistogramList(rows, slots)
  }

  /** Another row, of zeros; gives where its columns begin. Its histograms are the next that are ended. */
  add(agent: number, second: number): number {
    if (this.length === this.agents.length) this.#grow()
    this.agents[this.length] = agent
    this.seconds[this.length] = second
    const start = this.length++ * this.width
    this.columns.fill(0, start, start + this.width)
    return start
  }

  /** Whether a row counts anything. */
  isAnything(row: number): boolean {
    const start = row * this.width
    if (this.service.startOf(row) < this.service.endOf(row)) return true
    return this.columns.subarray(start, start + this.width).some((value) => value !== 0)
  }

  /** Begins anew, in the same memory. */
  clear(): void {
    this.length = 0
    this.service.clear()
    this.late.clear()
  }

  /** Makes room for as many more rows, and slots of their service times. */
  reserve(rows: number, slots: number): void {
    if (this.length + rows > this.agents.length) this.#grow(this.length + rows)
    this.service.reserve(slots)
  }

  #grow(length = Math.max(16, 2 * this.length)): void {
    const [agents, seconds] = [new Int32Array(length), new Int32Array(length)]
    agents.set(this.agents)
    seconds.set(this.seconds)
    const columns = new Float64Array(length * this.width)
    columns.set(this.columns)
    Object.assign(this, { agents, seconds, columns })
  }
}

/** What holds a table that nobody else uses, to be handed over to another thread. */
export function buffersOf({ agents, seconds, columns, service, late }: SeriesTable): ArrayBuffer[] {
  const lists = [service, late].flatMap(({ slots, counts, ends }) => [slots, counts, ends])
  return [agents, seconds, columns, ...lists].flatMap(({ buffer }) =>
    buffer instanceof ArrayBuffer ? [buffer] : [],
  )
}

/** A table that another thread handed over: of what comes so only the data is left. */
export function receivedTable({ service, late, ...data }: SeriesTable): SeriesTable {
  const table = Object.assign(new SeriesTable(data.kind, 0, 0), data)
  Object.assign(table.service, service)
  Object.assign(table.late, late)
  return table
}
