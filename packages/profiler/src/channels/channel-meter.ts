import type { LiveItem } from '@flamegate/live'
import { nsPerMs } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { Distribution } from '../distribution.ts'
import { NumberLog } from '../log.ts'
import type { LogColumns } from '../log.ts'
import { TimeQueue } from './time-queue.ts'

const sent = 0
const received = 1

/** What of a channel can only be seen by looking at it. */
export interface ChannelLevels {
  queued?: number
  queued_bytes?: number
  capacity?: number
  instances?: number
  closed_instances?: number
  state: 'active' | 'full' | 'closed'
}

/** What goes in and comes out of channels of one name. */
export class ChannelMeter {
  readonly id: string
  readonly #name: string
  readonly #now: Clock
  readonly #log: NumberLog
  readonly #delay = new Distribution()
  readonly #processing = new Distribution()
  readonly #waiting = new TimeQueue()
  #kind = 'channel'
  #look: () => ChannelLevels = () => ({ state: 'active' })
  #sent = 0
  #received = 0
  #queuedMax = 0
  #hasDelay = false
  #hasProcessing = false

  constructor(id: string, name: string, now: Clock, logEntries: number) {
    this.id = id
    this.#name = name
    this.#now = now
    this.#log = new NumberLog(logEntries, ['sent', 'received'])
  }

  /** @param look at the channel, for each push */
  describe(kind: string, look: () => ChannelLevels): void {
    this.#kind = kind
    this.#look = look
  }

  sent(): void {
    this.#sent++
    this.#log.add(this.#now(), NaN, sent)
  }

  received(): void {
    this.#received++
    this.#log.add(this.#now(), NaN, received)
  }

  /** An item went into a queue whose items come out in the order in which they went in. */
  put(): void {
    const at = this.#now()
    this.#sent++
    this.#log.add(at, NaN, sent)
    this.#waiting.put(at)
    this.#queuedMax = Math.max(this.#queuedMax, this.#waiting.size)
  }

  /** The oldest item came out. */
  taken(): void {
    const at = this.#now()
    const since = this.#waiting.take()
    const ns = (at - since) * nsPerMs
    if (!Number.isNaN(ns)) {
      this.#hasDelay = true
      this.#delay.add(ns)
    }
    this.#received++
    this.#log.add(at, ns, received)
  }

  /** An item was worked at since then. */
  processed(from: number): void {
    this.#hasProcessing = true
    this.#processing.add((this.#now() - from) * nsPerMs)
  }

  read(): LiveItem {
    const { state, ...levels } = this.#look()
    const queued = levels.queued ?? 0
    this.#queuedMax = Math.max(this.#queuedMax, queued)
    return {
      id: this.id,
      name: this.#name,
      kind: this.#kind,
      state,
      counters: { sent: this.#sent, received: this.#received },
      levels: { ...levels, ...(levels.queued !== undefined && { queued_max: this.#queuedMax }) },
      distributions: {
        ...(this.#hasDelay && { delay: this.#delay.read() }),
        ...(this.#hasProcessing && { processing: this.#processing.read() }),
      },
    }
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    return this.#log.drain(epochOffsetMs)
  }
}
