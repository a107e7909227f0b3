import { generatorLimits } from '@flamegate/loadtest/running'
import {
  actionCounters,
  errorClasses,
  generatorGauges,
  profileCounters,
  type ErrorClass,
  type GeneratorGauge,
  type Tick,
} from '@flamegate/series'

const linesMax = 2000
const lineCharactersMax = 500
/** How often it says how far it is. */
const everySeconds = 30

const countAt = actionCounters.indexOf('count')
const usersAt = profileCounters.indexOf('users')
const errorsAt = errorClasses.map((name) => actionCounters.indexOf(`error_${name}`))

/** What an agent says of its part of a run, line by line, for whoever reads of the run. */
export class ShardLog {
  readonly #holders: ReadonlySet<number>
  readonly #lines: string[] = []
  readonly #seen = new Set<ErrorClass>()
  #count = 0
  #failed = 0
  #isLimited = false

  /** `holders`: places of actions that hold others, which fail by what is in them. */
  constructor(holders: ReadonlySet<number>) {
    this.#holders = holders
  }

  /** Those from a place on, up to so many. */
  linesFrom(from: number, max: number): string[] {
    return this.#lines.slice(from, from + max)
  }

  note(words: string): void {
    if (this.#lines.length === linesMax) return
    const isLast = this.#lines.length === linesMax - 1
    const line = isLast ? 'what came after is left out' : words.replaceAll(/\s+/g, ' ')
    this.#lines.push(`${new Date().toISOString()} ${line}`.slice(0, lineCharactersMax))
  }

  /** Says what is new in seconds: how far it is, the first failures of each class, and when the agent itself is too slow. */
  addTicks(ticks: readonly Tick[]): void {
    for (const tick of ticks) this.#addTick(tick)
  }

  get totals(): string {
    return `${this.#count} requests, ${this.#failed} failed`
  }

  #addTick({ second, actions: all, profiles, generator }: Tick): void {
    const actions = all.filter(({ action }) => !this.#holders.has(action))
    for (const { counters } of actions) this.#count += counters[countAt] ?? 0
    for (const [place, name] of errorClasses.entries()) {
      const failed = actions.reduce((sum, { counters }) => sum + (counters[errorsAt[place] ?? 0] ?? 0), 0)
      this.#failed += failed
      if (failed === 0 || this.#seen.has(name)) continue
      this.#seen.add(name)
      this.note(`second ${second}: the first failures of class ${name}: ${failed}`)
    }
    const users = profiles.reduce((sum, counters) => sum + (counters[usersAt] ?? 0), 0)
    if (second % everySeconds === 0) this.note(`second ${second}: ${users} users, ${this.totals}`)
    this.#noteLimits(second, (gauge) => generator[generatorGauges.indexOf(gauge)] ?? 0)
  }

  #noteLimits(second: number, of: (gauge: GeneratorGauge) => number): void {
    const isLimited =
      of('cpu_permille') / 1000 > generatorLimits.cpu_share ||
      of('send_lag_max_us') / 1000 > generatorLimits.send_lag_max
    if (isLimited === this.#isLimited) return
    this.#isLimited = isLimited
    const sent = `processor ${of('cpu_permille') / 10} %, sent ${of('send_lag_max_us') / 1000} ms late`
    this.note(
      isLimited
        ? `second ${second}: this machine limits the load (${sent})`
        : `second ${second}: this machine keeps up again (${sent})`,
    )
  }
}
