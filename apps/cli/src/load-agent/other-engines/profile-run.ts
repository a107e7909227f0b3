import { engineTitle } from '@flamegate/loadtest/scenario'
import type { KeptFailure } from '@flamegate/loadtest/results'
import type { Tick } from '@flamegate/series'
import { untilOver } from '../../capture/until-over.ts'
import type { Share } from '../load-plan.ts'
import type { ProjectFiles } from '../project-files.ts'
import type { EngineTask } from './engine-command.ts'
import type { EngineRequests } from './engine-requests.ts'
import { EngineRun } from './engine-run.ts'
import type { EngineSurroundings } from './other-engines.ts'
import { ResultTicks } from './result-ticks.ts'

const declaredAtOnce = 500

/** A profile that an engine runs, and what it tells, by the places that its actions have in the run. */
export class ProfileRun {
  readonly #task: EngineTask
  readonly #surroundings: EngineSurroundings
  readonly #run: EngineRun
  readonly #requestsOf: (startAt: number) => EngineRequests | undefined
  #requests: EngineRequests | undefined
  #ticks: ResultTicks | undefined
  /** Of the actions that were found, as far as they are known. */
  readonly #places: number[] = []
  #failures: KeptFailure[] = []

  /**
   * @param requestsOf Where its requests are kept of a run that starts then, if anybody asks for them
   * @throws Error when the engine may not run here
   */
  constructor(
    task: EngineTask,
    surroundings: EngineSurroundings,
    requestsOf: (startAt: number) => EngineRequests | undefined,
  ) {
    this.#requestsOf = requestsOf
    const { type } = task.engine
    const installed = surroundings.installed.find((each) => each.type === type && each.isAllowed)
    if (installed === undefined)
      throw new Error(
        `The owner of this agent does not allow ${engineTitle(type)}: --allow-engine ${type} would.`,
      )
    this.#task = task
    this.#surroundings = surroundings
    this.#run = new EngineRun(task, installed, surroundings.log)
  }

  prepare(files: ProjectFiles): Promise<void> {
    return this.#run.prepare(files)
  }

  /**
   * From its delay to its end.
   * @param startAt Of the run, in milliseconds since 1970
   */
  async run(startAt: number, share: Share, stopping: AbortSignal): Promise<string[]> {
    this.#requests = this.#requestsOf(startAt)
    const ticks = new ResultTicks(startAt, (failure) => this.#failures.push(failure), this.#requests)
    this.#ticks = ticks
    const beginsAt = startAt + this.#task.profile.start_delay_ms
    await untilOver(Math.max(0, beginsAt - Date.now()) / 1000, stopping)
    if (stopping.aborted) return []
    const stop = () => this.#run.stop()
    stopping.addEventListener('abort', stop)
    try {
      return await this.#run.run(ticks, share)
    } finally {
      stopping.removeEventListener('abort', stop)
      ticks.end(Date.now())
    }
  }

  /** Has the platform know all actions that were found. @returns false where it could not be asked */
  async declare(): Promise<boolean> {
    const found = this.#ticks?.found ?? []
    while (this.#places.length < found.length) {
      const actions = found.slice(this.#places.length, this.#places.length + declaredAtOnce)
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      const places = await this.#surroundings.declare(
        actions.map((action) => ({ ...action, profile: this.#task.place })),
      )
      if (places === undefined) return false
      this.#places.push(...places)
    }
    return true
  }

  /** Seconds up to before this one, once all actions in them are known. */
  take(before: number, profilesCount: number): Tick[] {
    const { place } = this.#task
    const placeOf = (action: number) => this.#places[action] ?? 0
    for (const failure of this.#failures.splice(0))
      this.#surroundings.onFailure({ ...failure, action: placeOf(failure.action), profile: place })
    this.#requests?.tell(placeOf)
    return this.#ticks?.take(before, placeOf, { place, count: profilesCount }) ?? []
  }

  end(): Promise<void> {
    return this.#run.end()
  }
}
