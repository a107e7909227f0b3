import { coversTarget, readTargetHost, type operations } from '@flamegate/contract'
import type { OutputOf } from '@flamegate/contract'
import {
  ArrivalSchedule,
  isOpen,
  loadDurationMs,
  type OpenLoad,
  parseDocument,
  scenario as scenarioSchema,
  shareOfUsers,
  wantedUsers,
  type UserProfile,
  type Variable,
} from '@flamegate/loadtest'
import { Random, type LoadModel, type LoadPlan, type LoadProfile } from '@flamegate/loadtest-engine'
import { targetRules } from '@flamegate/runtime'

export type ShardPlan = OutputOf<typeof operations.getShardPlan>

/** Users get to the end of what they do within this time. */
const drainMs = 5_000
const fileBytesMax = 500_000_000

/** Which part of the load of its group an agent makes. */
export interface Share {
  index: number
  agents: number
}

/** A part of a run, as the engine takes it. */
export interface LoadedShard {
  plan: Omit<LoadPlan, 'startAt' | 'signal'>
  /** Places in the scenario of the profiles of the plan. */
  places: readonly number[]
  profilesCount: number
  /** Another share, from a moment of the run on: what each profile of the plan wants then. */
  wantedUsers: (profile: number, share: Share) => (elapsedMs: number) => number
  /** The same for open loads, which ask for their arrivals one by one. */
  setShare: (share: Share, elapsedMs: number) => void
}

export function loadShard(shard: ShardPlan, share: Share): LoadedShard {
  const scenario = scenarioSchema.parse(shard.scenario)
  const documents = new Map(
    shard.virtual_users.map(({ id, document }) => [id, parseDocument('virtual_user', document)]),
  )
  const servers = new Map(
    shard.servers.map(({ id, document }) => [id, parseDocument('http_server', document)]),
  )
  const variables = shard.variables.map((document) => parseDocument('variable', document))
  const secrets = new Map(Object.entries(shard.secrets))
  const own = [...scenario.profiles.entries()].filter(
    ([, { enabled, agent_group: group }]) => enabled && group === shard.agent_group,
  )
  const arrivals: ShiftingArrivals[] = []
  const profiles = own.map(([place, profile]): LoadProfile => {
    const document = documents.get(profile.virtual_user_id ?? '')
    if (document === undefined)
      throw new Error(`The virtual user of the profile ${profile.name} did not come.`)
    return {
      document,
      servers,
      variables: withOwnVariables(variables, profile.variables),
      secrets,
      thinkTimeFactor: profile.think_time_factor,
      model: modelOf(profile, place),
      firstAction: shard.actions.findIndex((action) => action.profile === place),
      // Users of different agents do different things.
      seed: (shard.seed + place * 7919 + shard.slot * 104_729) % 2 ** 32,
    }
  })
  return {
    plan: {
      profiles,
      gate: targetRules(shard.allowed_targets).gate(verifiedBy(shard.hosts)),
      openFile: fileOpener(shard.files),
      durationMs: Math.max(
        0,
        ...own.map(([, { load, start_delay_ms: delayMs }]) => delayMs + loadDurationMs(load)),
      ),
      drainMs,
    },
    places: own.map(([place]) => place),
    profilesCount: scenario.profiles.length,
    wantedUsers: (profile, to) => {
      const [place, of] = own[profile] ?? []
      return place === undefined || of === undefined ? () => 0 : usersWanted(of, place, to)
    },
    setShare: (to, elapsedMs) => {
      for (const each of arrivals) each.setShare(to, elapsedMs)
    },
  }

  function modelOf(profile: UserProfile, place: number): LoadModel {
    const { load } = profile
    if (!isOpen(load))
      return {
        type: 'closed',
        wantedUsers: usersWanted(profile, place, share),
        iterationsMax: load.iterations_per_user,
      }
    // The same numbers on all agents: each goes through all arrivals, and takes its own.
    const schedule = new ShiftingArrivals(load, profile.start_delay_ms, shard.seed + place, share)
    arrivals.push(schedule)
    return {
      type: 'open',
      nextArrivalMs: () => schedule.next(),
      usersMax: Math.max(1, Math.ceil(load.users_max / share.agents)),
    }
  }
}

/** How many users of a closed load an agent is to have, by milliseconds since the run began. */
function usersWanted(
  { load, start_delay_ms: delayMs }: UserProfile,
  place: number,
  share: Share,
): (elapsedMs: number) => number {
  return (elapsedMs) => shareOfUsers(wantedUsers(load, elapsedMs - delayMs), share, place)
}

/** Arrivals of an open load, of which another share can be taken on the way. Milliseconds since the run began. */
class ShiftingArrivals {
  readonly #load: OpenLoad
  readonly #delayMs: number
  readonly #seed: number
  #schedule: ArrivalSchedule
  #fromMs = 0

  constructor(load: OpenLoad, delayMs: number, seed: number, share: Share) {
    this.#load = load
    this.#delayMs = delayMs
    this.#seed = seed
    this.#schedule = this.#scheduleOf(share)
  }

  next(): number {
    for (;;) {
      const at = this.#schedule.next() + this.#delayMs
      if (at >= this.#fromMs) return at
    }
  }

  /** From a moment on: what was due before it was somebody's already. */
  setShare(share: Share, elapsedMs: number): void {
    this.#schedule = this.#scheduleOf(share)
    this.#fromMs = elapsedMs
  }

  #scheduleOf(share: Share): ArrivalSchedule {
    const random = new Random(this.#seed)
    return new ArrivalSchedule(this.#load, () => random.fraction(), share)
  }
}

/** Variables with those in place of them that the profile gives. */
function withOwnVariables(
  variables: readonly Variable[],
  own: UserProfile['variables'],
): readonly Variable[] {
  return [
    ...variables.filter(({ name }) => !Object.hasOwn(own, name)),
    ...Object.entries(own).map(([name, value]) =>
      parseDocument('variable', { type: 'constant', name, value }),
    ),
  ]
}

function verifiedBy(hosts: readonly string[]): (host: string) => boolean {
  const verified = new Set(hosts)
  return (text) => {
    const host = readTargetHost(text)
    return host !== undefined && coversTarget(verified, host)
  }
}

/** Gives project files by their paths, each of which is fetched once. */
function fileOpener(files: ShardPlan['files']): LoadPlan['openFile'] {
  const urls = new Map(files.map(({ path, url }) => [path, url]))
  const fetched = new Map<string, Promise<Uint8Array>>()
  return async (path) => {
    const url = urls.get(path)
    if (url === undefined) return undefined
    const content = fetched.get(path) ?? fetchFile(path, url)
    fetched.set(path, content)
    return content
  }
}

async function fetchFile(path: string, url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The project file ${path} could not be fetched: ${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length > fileBytesMax)
    throw new RangeError(`The project file ${path} is larger than ${fileBytesMax} bytes.`)
  return bytes
}
