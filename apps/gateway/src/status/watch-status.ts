import {
  statusComponents,
  type Incident,
  type StatusComponent,
  type StatusStore,
} from '@flamegate/operations/ports'

export type ComponentState = 'operational' | 'down' | 'unknown'

/** How the installation does, as one gateway sees it. */
export interface InstallationStatus {
  checkedAt: Date
  components: readonly { component: StatusComponent; state: ComponentState }[]
  incidents: readonly Incident[]
}

export interface StatusWatchOptions {
  /** Where incidents are kept, and what workers tell; of an installation without one only `checks` are known. */
  store?: StatusStore | undefined
  /** What is asked directly. A check that rejects or takes too long is of something that is down; what has none here works. */
  checks: Partial<Record<'database' | 'api', () => Promise<unknown>>>
  log: { error(fields: { err: unknown }, message: string): void }
  /** Milliseconds; the clock's when left out. */
  now?: () => number
}

const lookEveryMs = 10_000
const checkWithinMs = 3_000
/** Workers tell every ten seconds. Who misses a few of them is not there. */
const quietForMs = 45_000
/** What is over sooner is told by the page as it is, and makes no incident. */
const shortMs = 30_000
const incidentsMax = 20

const incidentTitles: Record<StatusComponent, string> = {
  gateway: 'The gateway could not be reached',
  api: 'Tools and REST calls were not answered',
  database: 'The database could not be reached',
  jobs: 'Imports, reports and other jobs were not done',
  files: 'Files could not be reached',
}

/** Looks every few seconds, so that it costs the same however many ask; keeps what was down for longer as an incident. */
export class StatusWatch {
  readonly #options: StatusWatchOptions
  readonly #now: () => number
  readonly #startedAt: number
  readonly #downSince = new Map<StatusComponent, number>()
  #incidents: readonly Incident[] = []
  #last: Promise<InstallationStatus> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: StatusWatchOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#startedAt = this.#now()
  }

  start(): void {
    this.#last = this.look()
    this.#timer = setInterval(() => {
      this.#last = this.look()
    }, lookEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** What was seen last. */
  seen(): Promise<InstallationStatus> {
    this.#last ??= this.look()
    return this.#last
  }

  /** Looks, and notes what began and what ended. Never rejects. */
  async look(): Promise<InstallationStatus> {
    const states = await this.#states()
    try {
      await this.#note(states)
    } catch (error) {
      this.#options.log.error({ err: error }, 'the status was not noted')
    }
    return {
      checkedAt: new Date(this.#now()),
      components: statusComponents.map((component) => ({ component, state: states[component] })),
      incidents: this.#incidents,
    }
  }

  async #states(): Promise<Record<StatusComponent, ComponentState>> {
    const { checks, store } = this.#options
    const [database, api] = await Promise.all([stateOf(checks.database), stateOf(checks.api)])
    const ages = database === 'down' ? undefined : await store?.agesMs().catch(() => undefined)
    return {
      gateway: 'operational',
      api,
      database,
      jobs: this.#told(ages?.jobs),
      files: this.#told(ages?.files),
    }
  }

  /** Nobody told while the whole installation was stopped, which is no news. */
  #told(ageMs: number | undefined): ComponentState {
    if (ageMs === undefined) return 'unknown'
    return Math.min(ageMs, this.#now() - this.#startedAt) < quietForMs ? 'operational' : 'down'
  }

  async #note(states: Readonly<Record<StatusComponent, ComponentState>>): Promise<void> {
    const { store } = this.#options
    const now = this.#now()
    for (const component of statusComponents) {
      if (states[component] !== 'down' || this.#downSince.has(component)) continue
      const isTold = component === 'jobs' || component === 'files'
      this.#downSince.set(component, now - (isTold ? quietForMs : 0))
    }
    // What cannot be written now is written when the database is back.
    if (store === undefined || states.database === 'down') return
    const incidents = await store.listIncidents({ limit: incidentsMax })
    let hasChanged = false
    // oxlint-disable no-await-in-loop -- a few, and rarely any
    for (const component of statusComponents) {
      const isNoted = incidents.some((each) => each.component === component && isLasting(each))
      const since = this.#downSince.get(component)
      const isLong = since !== undefined && now - since >= shortMs
      if (isLong && !isNoted) {
        const title = incidentTitles[component]
        await store.beginObserved({ component, title, beganAt: new Date(since) })
        hasChanged = true
      }
      if (states[component] !== 'operational') continue
      this.#downSince.delete(component)
      if (!isLong && !isNoted) continue
      await store.endObserved(component)
      hasChanged = true
    }
    // oxlint-enable no-await-in-loop
    this.#incidents = hasChanged ? await store.listIncidents({ limit: incidentsMax }) : incidents
  }
}

function isLasting({ isObserved, endedAt }: Incident): boolean {
  return isObserved && endedAt === null
}

async function stateOf(check: (() => Promise<unknown>) | undefined): Promise<ComponentState> {
  if (check === undefined) return 'operational'
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(resolve, checkWithinMs, 'down')
  })
  try {
    return await Promise.race([check().then(() => 'operational' as const), late])
  } catch {
    return 'down'
  } finally {
    clearTimeout(timer)
  }
}
