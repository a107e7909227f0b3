import {
  FailureSamples,
  SourceError,
  type ResultBand,
  type ResultSample,
  type ResultSink,
} from '@flamegate/loadtest/results'
import {
  encodeTick,
  generatorGauges,
  microseconds,
  profileCounters,
  SecondRecord,
  tickLimits,
} from '@flamegate/series'
import type { BenchAction, MeasuredResults } from '../ports/index.ts'
import { encodeFrame } from './tick-frames.ts'

/** What is held at once: seconds of actions, of which some hundred bytes each. */
const recordsMax = 10_000
/** Names that are told apart; what has more of them has ids in its names. */
const actionsMax = 2000
const nameCharactersMax = 300
const pathMax = 20
/** Machines whose users are counted apart. */
const sourcesMax = 100
const notesMax = 30
/** Who was there is taken to be there still for so long; each second that is told of takes time to store, and a week has many. */
const silenceMaxSeconds = 3600
/** Parts that cannot be read and yet are passed over: so many, or this share of all. */
const skippedMax = 10
const skippedShareMax = 0.01

const earliestMs = Date.UTC(2000, 0, 1)
const latestMs = Date.UTC(2100, 0, 1)
const longestMs = tickLimits.second * 1000

const usersAt = profileCounters.indexOf('users')
const iterationsAt = profileCounters.indexOf('iterations')
const noGauges = new Float64Array(generatorGauges.length)

/** Sums up what readers tell, second by second. Seconds are given away as soon as there are many; one may be given in parts. */
export class ResultSums implements ResultSink {
  readonly #write: (frame: Uint8Array) => void
  readonly #actions = new Map<string, number>()
  readonly #listed: BenchAction[] = []
  #records = new Map<number, Map<number, SecondRecord>>()
  #recordCount = 0
  readonly #users = new Map<string, Map<number, number>>()
  readonly #iterations = new Map<number, number>()
  /** Those in which something ended. */
  readonly #busySeconds = new Set<number>()
  readonly #samples: MeasuredResults['samples'] = []
  readonly #failures = new FailureSamples((failure) => this.#samples.push({ profile: 0, ...failure }))
  readonly #notes = new Set<string>()
  #firstMs = Infinity
  #lastMs = -Infinity
  #count = 0
  #requestCount = 0
  #skipped = 0
  #firstSkipped = ''

  constructor(write: (frame: Uint8Array) => void) {
    this.#write = write
  }

  sample = (sample: ResultSample): void => {
    const { type, path, name, endMs, elapsedMs } = sample
    this.#see(endMs - elapsedMs, endMs)
    const action = this.#actionOf(type, path, name)
    this.#count++
    if (type !== 'container') this.#requestCount++
    this.#recordOf(action, endMs).add(sample)
    this.#failures.keep(action, sample)
  }

  band = ({ name, endMs, count, failed, percentiles }: ResultBand): void => {
    this.#see(endMs, endMs)
    const record = this.#recordOf(this.#actionOf('http_request', [], name), endMs)
    this.#count += count
    this.#requestCount += count
    record.count('count', count)
    if (failed > 0) record.countError('other', failed)
    let counted = 0
    for (const [index, { percent, ms }] of percentiles.entries()) {
      // The last one is for all that is left.
      const upTo =
        index === percentiles.length - 1 ? count : Math.min(count, Math.round((percent / 100) * count))
      if (upTo > counted) record.time(microseconds(ms), upTo - counted)
      counted = Math.max(counted, upTo)
    }
  }

  users = (source: string, atMs: number, users: number): void => {
    this.#see(atMs, atMs)
    const name = this.#users.has(source) || this.#users.size < sourcesMax ? source : ''
    const bySecond = this.#users.get(name) ?? new Map<number, number>()
    this.#users.set(name, bySecond)
    bySecond.set(Math.floor(atMs / 1000), Math.min(users, 1e9))
  }

  iterations = (endMs: number, count: number): void => {
    this.#see(endMs, endMs)
    const second = Math.floor(endMs / 1000)
    this.#iterations.set(second, Math.min(1e12, (this.#iterations.get(second) ?? 0) + count))
  }

  skip = (place: string, why: string): void => {
    if (this.#skipped++ === 0) this.#firstSkipped = `${place}: ${why}`
    // Not to go on to the end of what is something else.
    if (this.#skipped > 1000 && this.#skipped > this.#count) this.#refuseSkipped()
  }

  note = (words: string): void => {
    if (this.#notes.size < notesMax) this.#notes.add(words)
  }

  /** All of it. @throws SourceError when it is no test */
  end(): MeasuredResults {
    if (this.#skipped > Math.max(skippedMax, skippedShareMax * this.#count)) this.#refuseSkipped()
    if (this.#count === 0 && this.#skipped > 0) this.#refuseSkipped()
    if (this.#count === 0) throw new SourceError('There is no request in it.')
    if (this.#skipped > 0)
      this.#notes.add(
        `${this.#skipped} of ${this.#count + this.#skipped} parts could not be read. ${this.#firstSkipped}.`,
      )
    if (this.#requestCount === 0) this.#takeTransactionsForRequests()
    this.#giveAway()
    const first = Math.floor(this.#firstMs / 1000)
    const last = Math.floor(this.#lastMs / 1000)
    if (this.#users.size === 0) this.#notes.add('How many users there were is not told.')
    return {
      startedAtMs: first * 1000,
      durationMs: (last + 1 - first) * 1000,
      actions: this.#listed,
      samples: this.#samples,
      requestCount: this.#requestCount,
      usersMax: this.#users.size === 0 ? 0 : this.#giveUsers(first, last),
      notes: [...this.#notes],
    }
  }

  #see(startMs: number, endMs: number): void {
    if (!(startMs >= earliestMs) || !(endMs <= latestMs))
      throw new SourceError(
        `Something in it ${startMs >= earliestMs ? 'ended' : 'began'} at ${shownTime(startMs >= earliestMs ? endMs : startMs)}. Times have to be in milliseconds since 1970, as the tool writes them.`,
      )
    this.#firstMs = Math.min(this.#firstMs, startMs)
    this.#lastMs = Math.max(this.#lastMs, endMs)
    if (this.#lastMs - this.#firstMs > longestMs - 1000)
      throw new SourceError(
        `It goes from ${shownTime(this.#firstMs)} to ${shownTime(this.#lastMs)}, and a test lasts 7 days at most. Import one test at a time.`,
      )
  }

  #actionOf(type: ResultSample['type'], path: readonly string[], name: string): number {
    const key = `${type} ${path.length === 0 ? '' : path.join('\0')}\0${name}`
    const known = this.#actions.get(key)
    if (known !== undefined) return known
    if (this.#listed.length >= actionsMax) return this.#other(type)
    const place = this.#list(
      type,
      path.slice(0, pathMax).map((each) => cut(each)),
      cut(name),
    )
    this.#actions.set(key, place)
    return place
  }

  /** Where all go whose names are too many. */
  #other(type: ResultSample['type']): number {
    this.note(`There are more than ${actionsMax} names in it; what came after those is told of together.`)
    const key = `${type} other`
    const known = this.#actions.get(key)
    const place = known ?? this.#list(type, [], '(other names)')
    this.#actions.set(key, place)
    return place
  }

  #list(type: ResultSample['type'], path: string[], name: string): number {
    const place = this.#listed.length
    this.#listed.push({ profile: 0, action_id: `imported_${place}`, type, name, path })
    return place
  }

  #recordOf(action: number, endMs: number): SecondRecord {
    const second = Math.floor(endMs / 1000)
    const ofSecond = this.#records.get(second)
    const known = ofSecond?.get(action)
    if (known !== undefined) return known
    if (this.#recordCount === recordsMax) {
      this.#giveAway()
      return this.#recordOf(action, endMs)
    }
    const record = new SecondRecord()
    this.#recordCount++
    this.#busySeconds.add(second)
    if (ofSecond === undefined) this.#records.set(second, new Map([[action, record]]))
    else ofSecond.set(action, record)
    return record
  }

  /** In the order of their seconds, so that many fit into a batch. */
  #giveAway(): void {
    for (const [unixSecond, records] of [...this.#records].toSorted(([a], [b]) => a - b)) {
      const actions = Array.from(records, ([action, record]) => record.toTick(action))
      const tick = encodeTick({ second: 0, actions, profiles: [], generator: noGauges })
      this.#write(encodeFrame({ unixSecond, tick }))
    }
    this.#records = new Map()
    this.#recordCount = 0
  }

  /**
   * Of every second, because nothing said of one would mean that there were none; but not on and on where nothing is told at all. The
   * most is what it gives back.
   */
  #giveUsers(first: number, last: number): number {
    let usersMax = 0
    let heardAt = first
    let silentSeconds = 0
    let before: { users: number; tick: Uint8Array } | undefined
    const sources = Array.from(this.#users.values(), (bySecond) => ({ bySecond, users: 0 }))
    for (let unixSecond = first; unixSecond <= last; unixSecond++) {
      let users = 0
      let isHeard = this.#busySeconds.has(unixSecond) || this.#iterations.has(unixSecond)
      for (const source of sources) {
        const told = source.bySecond.get(unixSecond)
        isHeard ||= told !== undefined
        source.users = told ?? source.users
        users += source.users
      }
      if (isHeard) heardAt = unixSecond
      if (unixSecond - heardAt > silenceMaxSeconds) {
        silentSeconds++
        continue
      }
      usersMax = Math.max(usersMax, users)
      const iterations = this.#iterations.get(unixSecond) ?? 0
      // Most seconds of a long run are like the one before.
      if (before?.users !== users || iterations > 0) before = { users, tick: userTick(users, iterations) }
      this.#write(encodeFrame({ unixSecond, tick: before.tick }))
      if (iterations > 0) before = undefined
    }
    if (silentSeconds > 0)
      this.#notes.add(
        `Nothing is told for more than an hour, ${Math.ceil(silentSeconds / 3600)} hours in all: users are not known there, and drawn as none.`,
      )
    return usersMax
  }

  /** Totals would have nothing in them. */
  #takeTransactionsForRequests(): void {
    for (const action of this.#listed) action.type = 'http_request'
    this.#requestCount = this.#count
    this.#notes.add('It tells of transactions only, so these count as requests.')
  }

  #refuseSkipped(): never {
    throw new SourceError(
      `${this.#skipped} of ${this.#count + this.#skipped} parts cannot be read. ${this.#firstSkipped}.`,
    )
  }
}

function userTick(users: number, iterations: number): Uint8Array {
  const counters = new Float64Array(profileCounters.length)
  counters[usersAt] = users
  counters[iterationsAt] = iterations
  return encodeTick({ second: 0, actions: [], profiles: [counters], generator: noGauges })
}

function cut(name: string): string {
  return name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax - 1)}…` : name
}

function shownTime(ms: number): string {
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : String(ms)
}
