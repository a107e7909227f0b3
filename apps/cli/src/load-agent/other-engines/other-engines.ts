import { setTimeout as pause } from 'node:timers/promises'
import type { Scenario } from '@flamegate/loadtest'
import { scenario as scenarioSchema } from '@flamegate/loadtest/scenario'
import type { KeptFailure } from '@flamegate/loadtest/results'
import type { Tick } from '@flamegate/series'
import { logsRequests, type Share, type ShardPlan } from '../load-plan.ts'
import { mergeTicks } from '../merge-ticks.ts'
import type { ProjectFiles } from '../project-files.ts'
import type { EngineTask } from './engine-command.ts'
import { EngineRequests, type RequestRows } from './engine-requests.ts'
import type { InstalledEngine } from './installed-engines.ts'
import { MachineHealth } from './machine-health.ts'
import { ProfileRun } from './profile-run.ts'
import type { FoundAction } from './result-ticks.ts'

/** What an engine tells comes some time after it happened. */
const behindMs = 3_000
const everyMs = 1_000
/** For so many seconds the platform is waited for, which has to know of all actions. */
const attemptsMax = 600

/** What engines have of their surroundings. */
export interface EngineSurroundings {
  installed: readonly InstalledEngine[]
  /** Gives actions their places in the run; undefined when the platform cannot be asked now. */
  declare: (actions: readonly (FoundAction & { profile: number })[]) => Promise<number[] | undefined>
  onFailure: (failure: KeptFailure & { profile: number }) => void
  log: (words: string) => void
  /** Where rows of requests go, if the scenario asks for them. */
  requests: RequestRows
  /** Engines are counted as threads of the agent, after its own ones. */
  firstThread: number
}

/** Those profiles of a shard that engines run which others made, told as if we had made their load. */
export class OtherEngines {
  /** When their files are laid out; rejects with why they cannot run. */
  readonly ready: Promise<void>
  /** When all have ended, and all was told; rejects where one fails. */
  readonly done: Promise<{ words: readonly string[] }>
  readonly #done = Promise.withResolvers<{ words: readonly string[] }>()
  readonly #runs: readonly ProfileRun[]
  readonly #profilesCount: number
  readonly #health = new MachineHealth()
  readonly #stopping = new AbortController()
  #ticks: Tick[] = []

  /** @throws Error when an engine may not run here */
  constructor(plan: ShardPlan, files: ProjectFiles, surroundings: EngineSurroundings) {
    const scenario = scenarioSchema.parse(plan.scenario)
    this.#profilesCount = scenario.profiles.length
    const rows = logsRequests(scenario) ? surroundings.requests : undefined
    this.#runs = engineTasks(scenario, plan.agent_group).map((task, index) => {
      const requestsOf = (startAt: number) =>
        rows && new EngineRequests(startAt, surroundings.firstThread + index, rows)
      return new ProfileRun(task, surroundings, requestsOf)
    })
    this.ready = Promise.all(this.#runs.map((run) => run.prepare(files))).then(() => undefined)
    this.done = this.#done.promise
    // Whoever waits for one of them hears of it; the other one need not be heard, too.
    for (const promise of [this.ready, this.done]) promise.catch(() => {})
  }

  /** `startAt`: milliseconds since 1970. */
  begin(startAt: number, share: Share): void {
    this.#work(startAt, share).then(this.#done.resolve, this.#done.reject)
  }

  /** They are told to end, and killed after four seconds. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Whole seconds that were not taken yet. */
  takeTicks(): Tick[] {
    return this.#ticks.splice(0)
  }

  /** Also in the middle of it. */
  async end(): Promise<void> {
    this.stop()
    await Promise.all(this.#runs.map((run) => run.end()))
  }

  async #work(startAt: number, share: Share): Promise<{ words: readonly string[] }> {
    let isOver = false
    const running = this.#runs.map(async (run) => {
      try {
        return await run.run(startAt, share, this.#stopping.signal)
      } catch (error) {
        this.stop()
        throw error
      }
    })
    const over = Promise.allSettled(running).then(() => (isOver = true))
    // oxlint-disable-next-line no-unmodified-loop-condition -- it is, when all have settled
    while (!isOver) {
      // oxlint-disable-next-line no-await-in-loop -- one second after the other
      await Promise.race([over, pause(everyMs)])
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#tell(Math.floor((Date.now() - behindMs - startAt) / 1000))
    }
    const end = Math.floor((Date.now() - startAt) / 1000) + 1
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      if (await this.#tell(end)) return { words: (await Promise.all(running)).flat() }
      // oxlint-disable-next-line no-await-in-loop -- see above
      await pause(everyMs)
    }
    throw new Error('The platform could not be told for ten minutes what was found.')
  }

  /** Seconds up to before this one. @returns false where the platform does not know what is in them */
  async #tell(before: number): Promise<boolean> {
    // oxlint-disable-next-line no-await-in-loop -- few, and each seldom finds anything
    for (const run of this.#runs) if (!(await run.declare())) return false
    const bySecond = Map.groupBy(
      this.#runs.flatMap((run) => run.take(before, this.#profilesCount)),
      ({ second }) => second,
    )
    for (const same of bySecond.values())
      this.#ticks.push({ ...mergeTicks(same), generator: this.#health.take() })
    return true
  }
}

/** Profiles of the group of a shard that other engines run. */
function engineTasks({ profiles }: Scenario, ofGroup: string): EngineTask[] {
  return [...profiles.entries()].flatMap(([place, profile]) => {
    const { enabled, agent_group: group, engine } = profile
    return enabled && group === ofGroup && engine.type !== 'flamegate' ? [{ profile, engine, place }] : []
  })
}
