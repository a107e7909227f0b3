import { ApiProblem, ApiUnreachable, type Client } from '@flamegate/client'
import type { OutputOf, RawInputOf } from '@flamegate/contract'
import { declareBenchActions } from '@flamegate/contract/bench-runs/declare-bench-actions'
import { reportShard } from '@flamegate/contract/bench-runs/report-shard'
import { encodeTickBatch, type Tick } from '@flamegate/series'
import type { ShardLog } from './shard-log.ts'

type Report = RawInputOf<typeof reportShard>
export type Order = OutputOf<typeof reportShard>
export type Sample = NonNullable<Report['samples']>[number]
export type PageLoad = NonNullable<Report['page_loads']>[number]

const batchesAtOnce = 30
/** Seldom more than one: where seconds had to wait for something. */
const ticksAtOnce = 60
const samplesAtOnce = 100
const pageLoadsAtOnce = 500
const linesAtOnce = 200
/** Of batches and samples in one report: with the rest, it is well below the largest body of a call. */
const reportBytesMax = 2_000_000
/** What takes less than this takes no report at all. */
const reportBytesMin = 50_000
/** Half an hour of seconds that could not be told yet. */
const batchesMax = 1800

/** With how much room it takes in a report. */
interface Sized<Item> {
  item: Item
  bytes: number
}

interface LeasedShard {
  id: string
  benchResultId: string
  slot: number
  /** Who makes it: this agent, as the platform knows it. */
  loadGeneratorId: string
}

/** What an agent tells of a shard: everything once, in order, and again until the platform has it. */
export class ShardLink {
  readonly #client: Client
  readonly #shard: LeasedShard
  readonly #log: ShardLog
  #linesTold = 0
  #batches: Sized<{ sequence: number; ticks: string }>[] = []
  #samples: Sized<Sample>[] = []
  #bytesMax = reportBytesMax
  #namesGenerator = true
  #pageLoads: PageLoad[] = []
  #pageLoadsAdded = 0
  #sequence = 0
  /** Of the platform's clock, ahead of ours; of the quickest answer so far. */
  #offset: { ms: number; roundTripMs: number } | undefined

  constructor(client: Client, shard: LeasedShard, log: ShardLog) {
    this.#client = client
    this.#shard = shard
    this.#log = log
  }

  /** Seconds that the platform does not have yet. */
  get waiting(): number {
    return this.#batches.length + this.#samples.length + this.#pageLoads.length
  }

  addTicks(ticks: readonly Tick[]): void {
    for (let at = 0; at < ticks.length; at += ticksAtOnce) this.#addBatch(ticks.slice(at, at + ticksAtOnce))
  }

  #addBatch(ticks: readonly Tick[]): void {
    const { benchResultId, slot } = this.#shard
    const sequence = this.#sequence++
    const bytes = encodeTickBatch({ benchResultId, agent: slot, sequence, ticks })
    this.#batches.push(sized({ sequence, ticks: Buffer.from(bytes).toString('base64') }))
    if (this.#batches.length > batchesMax)
      throw new Error('The platform could not be told for half an hour what was measured.')
  }

  addSample(sample: Sample): void {
    this.#samples.push(this.#small(sized(sample)))
  }

  addPageLoad(load: Omit<PageLoad, 'sequence'>): void {
    this.#pageLoads.push({ sequence: this.#pageLoadsAdded++, ...load })
  }

  /** Gives actions that were found on the way their places in the run. @returns undefined when there was no answer */
  async declare(actions: RawInputOf<typeof declareBenchActions>['actions']): Promise<number[] | undefined> {
    try {
      const { places } = await this.#client.call(declareBenchActions, {
        shard_id: this.#shard.id,
        actions,
      })
      return places
    } catch (error) {
      if (isUnanswered(error)) return undefined
      throw error
    }
  }

  /** @returns undefined when there was no answer: what was to be told is told the next time */
  async report(state: Report['state'], message = ''): Promise<Order | undefined> {
    const batches = firstOf(this.#batches, batchesAtOnce, this.#bytesMax)
    // Seconds come first; one of them is told however large it is.
    if (batches.length === 0) batches.push(...this.#batches.slice(0, 1))
    const left = this.#bytesMax - batches.reduce((sum, { bytes }) => sum + bytes, 0)
    const samples = firstOf(this.#samples, samplesAtOnce, left)
    const pageLoads = this.#pageLoads.slice(0, pageLoadsAtOnce)
    const told = batches.length + samples.length + pageLoads.length
    const lines = this.#log.linesFrom(this.#linesTold, linesAtOnce)
    const askedAt = Date.now()
    try {
      const order = await this.#client.call(reportShard, {
        shard_id: this.#shard.id,
        ...(this.#namesGenerator ? { load_generator_id: this.#shard.loadGeneratorId } : {}),
        // Nobody is done who has something to tell.
        state: state === 'DONE' && this.waiting > told ? 'RUNNING' : state,
        message: message.slice(0, 2000),
        batches: batches.map(({ item }) => item),
        samples: samples.map(({ item }) => item),
        page_loads: pageLoads,
        ...(lines.length === 0 ? {} : { log: { from: this.#linesTold, lines } }),
      })
      this.#linesTold += lines.length
      this.#noteClock(askedAt, order.now)
      const accepted = new Set(order.accepted)
      this.#batches =
        order.order === 'gone' ? [] : this.#batches.filter(({ item }) => !accepted.has(item.sequence))
      this.#samples = this.#samples.slice(samples.length)
      this.#pageLoads = this.#pageLoads.slice(pageLoads.length)
      return order
    } catch (error) {
      if (this.#leavesOutGenerator(error)) return this.report(state, message)
      if (isUnanswered(error) || this.#tellsLess(error)) return undefined
      throw error
    }
  }

  /** Whether less is told the next time: a proxy on the way may take less than the platform does. */
  #tellsLess(error: unknown): boolean {
    if (!(error instanceof ApiProblem) || error.status !== 413 || this.#bytesMax < reportBytesMin)
      return false
    this.#bytesMax /= 2
    this.#samples = this.#samples.map((sample) => this.#small(sample))
    return true
  }

  /** Whether it is told without what an older platform does not know. */
  #leavesOutGenerator(error: unknown): boolean {
    if (!(error instanceof ApiProblem) || !error.errors.some(({ field }) => field === 'load_generator_id'))
      return false
    this.#namesGenerator = false
    return true
  }

  /** One that fits into no report is told without what was sent and what came. */
  #small(sample: Sized<Sample>): Sized<Sample> {
    return sample.bytes <= this.#bytesMax ? sample : sized({ ...sample.item, exchange: null })
  }

  /** A moment of the platform's clock, on ours. */
  onOurClock(iso: string): number {
    return Date.parse(iso) - (this.#offset?.ms ?? 0)
  }

  /** Of all answers the quickest one says best what time it was. */
  #noteClock(askedAt: number, theirs: string): void {
    const now = Date.now()
    const roundTripMs = now - askedAt
    if (this.#offset !== undefined && this.#offset.roundTripMs <= roundTripMs) return
    this.#offset = { ms: Date.parse(theirs) - (askedAt + now) / 2, roundTripMs }
  }
}

function sized<Item>(item: Item): Sized<Item> {
  return { item, bytes: Buffer.byteLength(JSON.stringify(item)) }
}

/** So many, and no more than there is room for. */
function firstOf<Item>(items: readonly Sized<Item>[], most: number, bytesMax: number): Sized<Item>[] {
  let left = bytesMax
  const end = items.findIndex(({ bytes }, place) => place === most || (left -= bytes) < 0)
  return items.slice(0, end === -1 ? most : end)
}

/** Whether the same can be asked again. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof ApiUnreachable ||
    (error instanceof ApiProblem && (error.status === 429 || error.status >= 500))
  )
}
