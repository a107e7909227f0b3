import { actionCounters, errorClasses, slotCount, slotOf, valueMax } from '@flamegate/series'
import type { ActionCounter, ActionTick, ErrorClass, Histogram } from '@flamegate/series'

/** What is known of an action that ended. Moments and durations in milliseconds. */
export interface Ended {
  status: number
  errorClass: ErrorClass | null
  /** -1 where it did not get to its end. */
  serviceMs: number
  responseMs: number
  sentBytes: number
  receivedBytes: number
  connectionsOpened: number
  dnsMs: number
  connectMs: number
  tlsMs: number
  waitMs: number
  downloadMs: number
}

const placeOf = (counter: ActionCounter) => actionCounters.indexOf(counter)
const countAt = placeOf('count')
const statusAt = placeOf('status_1xx')
const sentAt = placeOf('sent_bytes')
const receivedAt = placeOf('received_bytes')
const openedAt = placeOf('connections_opened')
const dnsAt = placeOf('dns_us')
const connectAt = placeOf('connect_us')
const tlsAt = placeOf('tls_us')
const waitAt = placeOf('wait_us')
const downloadAt = placeOf('download_us')
const errorAt = new Map(errorClasses.map((name) => [name, placeOf(`error_${name}`)]))

/** Counts what one user profile does, and gives it away each second. */
export class Recorder {
  readonly #actions: (ActionRecord | undefined)[] = []
  readonly #profile: number
  readonly #firstAction: number

  /** `firstAction`: place of the first action of the profile among those of the run. */
  constructor(profile: number, firstAction: number) {
    this.#profile = profile
    this.#firstAction = firstAction
  }

  /** The action by its index in the program. */
  record(action: number, ended: Ended): void {
    ;(this.#actions[action] ??= new ActionRecord()).add(ended)
  }

  /** What was counted since the last time. */
  take(): ActionTick[] {
    const ticks: ActionTick[] = []
    for (const [index, record] of this.#actions.entries())
      if (record !== undefined && record.hasCounted)
        ticks.push({ profile: this.#profile, action: this.#firstAction + index, ...record.take() })
    return ticks
  }
}

class ActionRecord {
  #counters = new Float64Array(actionCounters.length)
  readonly #service = new Counts()
  readonly #response = new Counts()

  get hasCounted(): boolean {
    return this.#counters[countAt] !== 0
  }

  add(ended: Ended): void {
    const counters = this.#counters
    counters[countAt]!++
    if (ended.errorClass !== null) counters[errorAt.get(ended.errorClass) ?? 0]!++
    if (ended.status >= 100 && ended.status < 600) counters[statusAt + ((ended.status / 100) | 0) - 1]!++
    counters[sentAt]! += ended.sentBytes
    counters[receivedAt]! += ended.receivedBytes
    if (ended.connectionsOpened > 0) {
      counters[openedAt]! += ended.connectionsOpened
      counters[dnsAt]! += microseconds(ended.dnsMs)
      counters[connectAt]! += microseconds(ended.connectMs)
      counters[tlsAt]! += microseconds(ended.tlsMs)
    }
    counters[waitAt]! += microseconds(ended.waitMs)
    if (ended.downloadMs > 0) counters[downloadAt]! += microseconds(ended.downloadMs)
    if (ended.serviceMs < 0) return
    this.#service.add(microseconds(ended.serviceMs))
    this.#response.add(microseconds(ended.responseMs))
  }

  take(): Pick<ActionTick, 'counters' | 'serviceTime' | 'responseTime'> {
    const counters = this.#counters
    this.#counters = new Float64Array(actionCounters.length)
    return { counters, serviceTime: this.#service.take(), responseTime: this.#response.take() }
  }
}

/** Whole ones, and none below 0, which two readings of a clock may give. */
function microseconds(ms: number): number {
  return ms <= 0 ? 0 : ms >= valueMax / 1000 ? valueMax : (ms * 1000 + 0.5) | 0
}

/** Counts by slot, and which slots have counted: a second touches few of them. */
class Counts {
  #counts = new Uint32Array(4096)
  #touched = new Uint16Array(64)
  #touchedCount = 0

  add(value: number): void {
    const slot = slotOf(value)
    if (slot >= this.#counts.length) this.#grow(slot)
    if (this.#counts[slot]!++ === 0) this.#touch(slot)
  }

  take(): Histogram {
    const slots = this.#touched.subarray(0, this.#touchedCount).toSorted()
    const counts = new Uint32Array(slots.length)
    for (const [place, slot] of slots.entries()) {
      counts[place] = this.#counts[slot]!
      this.#counts[slot] = 0
    }
    this.#touchedCount = 0
    return { slots, counts }
  }

  #touch(slot: number): void {
    if (this.#touchedCount === this.#touched.length) {
      const larger = new Uint16Array(this.#touched.length * 2)
      larger.set(this.#touched)
      this.#touched = larger
    }
    this.#touched[this.#touchedCount++] = slot
  }

  #grow(slot: number): void {
    const larger = new Uint32Array(Math.min(slotCount, Math.max(slot + 1, this.#counts.length * 2)))
    larger.set(this.#counts)
    this.#counts = larger
  }
}
