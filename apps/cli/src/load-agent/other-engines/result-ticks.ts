import {
  FailureSamples,
  type KeptFailure,
  type ResultSample,
  type ResultSink,
  withoutSecrets,
} from '@flamegate/loadtest/results'
import { generatorGauges, profileCounters, SecondRecord, type Tick } from '@flamegate/series'
import { mergeActions } from '../merge-ticks.ts'
import type { EngineRequests } from './engine-requests.ts'

/** An action that an engine tells of, by its names. */
export interface FoundAction {
  type: 'http_request' | 'container'
  name: string
  path: string[]
}

/** Names that are told apart; what has more of them has ids in its names. */
const actionsMax = 2000
const nameCharactersMax = 300
const pathMax = 20
const notesMax = 10

const usersAt = profileCounters.indexOf('users')
const iterationsAt = profileCounters.indexOf('iterations')

/** What is known of a second. */
interface Second {
  /** By the place of the action in `found`. */
  actions: Map<number, SecondRecord>
  iterations: number
  /** Undefined: as in the second before. */
  users: number | undefined
}

/**
 * Sums up what an engine tells, second by second of the run. What comes for a second that was taken counts in the next one: nothing is
 * left out.
 */
export class ResultTicks implements ResultSink {
  /** Milliseconds since 1970. */
  readonly #startAt: number
  readonly #failures: FailureSamples
  readonly #requests: EngineRequests | undefined
  readonly #places = new Map<string, number>()
  readonly #found: FoundAction[] = []
  readonly #seconds = new Map<number, Second>()
  readonly #notes = new Set<string>()
  readonly #usersBySource = new Map<string, number>()
  /** The first second that was not taken yet. */
  #next = 0
  /** Of the last second that was taken, and of what was told last. */
  #users = 0
  #allUsers = 0
  #skipped = 0
  #firstSkipped = ''
  #count = 0
  #firstAt: number | undefined

  /**
   * @param onFailure Of the first few of each kind; its action by the place in `found`
   * @param requests Where each request is kept, if anybody asks for that
   */
  constructor(startAt: number, onFailure: (failure: KeptFailure) => void, requests?: EngineRequests) {
    this.#startAt = startAt
    this.#requests = requests
    this.#failures = new FailureSamples(onFailure)
  }

  /** Actions in the order in which they were found. */
  get found(): readonly FoundAction[] {
    return this.#found
  }

  /** When anything was told first, in milliseconds since 1970. */
  get firstAt(): number | undefined {
    return this.#firstAt
  }

  /** Requests so far. */
  get count(): number {
    return this.#count
  }

  sample = (sample: ResultSample): void => {
    const action = this.#actionOf(sample)
    this.#count++
    const { actions } = this.#secondAt(sample.endMs)
    let record = actions.get(action)
    if (record === undefined) actions.set(action, (record = new SecondRecord()))
    record.add(sample)
    this.#failures.keep(action, sample)
    this.#requests?.add(action, sample, this.#allUsers)
  }

  band = (): void => {
    throw new TypeError('Engines tell each request by itself')
  }

  users = (source: string, atMs: number, users: number): void => {
    this.#usersBySource.set(source, users)
    this.#allUsers = this.#usersBySource.values().reduce((sum, each) => sum + each, 0)
    this.#secondAt(atMs).users = this.#allUsers
  }

  iterations = (endMs: number, count: number): void => {
    this.#secondAt(endMs).iterations += count
  }

  skip = (place: string, why: string): void => {
    if (this.#skipped++ === 0) this.#firstSkipped = `${place}: ${why}`
  }

  note = (words: string): void => {
    if (this.#notes.size < notesMax) this.#notes.add(words)
  }

  /** What has to be known of the numbers. */
  words(): string[] {
    return [
      ...this.#notes,
      ...(this.#skipped === 0
        ? []
        : [`${this.#skipped} of its results could not be read. ${this.#firstSkipped}.`]),
    ]
  }

  /** Nobody is there any more. */
  end(atMs: number): void {
    this.#usersBySource.clear()
    this.#secondAt(atMs).users = 0
  }

  /**
   * Seconds up to before this one, each once.
   * @param placeOf Place of an action of `found` in the run
   */
  take(
    before: number,
    placeOf: (action: number) => number,
    { place, count }: { place: number; count: number },
  ): Tick[] {
    const ticks: Tick[] = []
    for (; this.#next < before; this.#next++) {
      const second = this.#seconds.get(this.#next)
      this.#seconds.delete(this.#next)
      this.#users = second?.users ?? this.#users
      const profiles = Array.from(
        { length: count },
        (): Float64Array => new Float64Array(profileCounters.length),
      )
      profiles[place]?.set([this.#users], usersAt)
      profiles[place]?.set([second?.iterations ?? 0], iterationsAt)
      ticks.push({
        second: this.#next,
        // Names that are too many for the run have one place together.
        actions: mergeActions(
          Array.from(second?.actions ?? [], ([action, record]) => record.toTick(placeOf(action), place)),
        ),
        profiles,
        generator: new Float64Array(generatorGauges.length),
      })
    }
    return ticks
  }

  #secondAt(atMs: number): Second {
    this.#firstAt ??= atMs
    // Whatever a script says of its clock: nothing has happened yet that is still to come.
    const number = Math.max(this.#next, Math.floor((Math.min(atMs, Date.now()) - this.#startAt) / 1000))
    let second = this.#seconds.get(number)
    if (second === undefined)
      this.#seconds.set(number, (second = { actions: new Map(), iterations: 0, users: undefined }))
    return second
  }

  #actionOf({ type, path, name }: ResultSample): number {
    const key = `${type} ${path.join('\0')}\0${name}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const isOther = this.#found.length >= actionsMax
    const otherKey = `${type} other`
    const other = isOther ? this.#places.get(otherKey) : undefined
    if (other !== undefined) return other
    const added = this.#found.push(
      isOther
        ? { type, name: '(other names)', path: [] }
        : { type, name: shown(name), path: path.slice(0, pathMax).map(shown) },
    )
    this.#places.set(isOther ? otherKey : key, added - 1)
    return added - 1
  }
}

/** k6 calls a request by its address where nobody gave it a name. */
function shown(name: string): string {
  const clean = withoutSecrets(name.slice(0, 10 * nameCharactersMax))
  return clean.length > nameCharactersMax ? `${clean.slice(0, nameCharactersMax - 1)}…` : clean
}
