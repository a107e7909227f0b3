import { coversTarget, readTargetHost, type operations } from '@flamegate/contract'
import type { OutputOf } from '@flamegate/contract'
import {
  ArrivalSchedule,
  type ClosedLoad,
  isOpen,
  loadDurationMs,
  loadPeak,
  type OpenLoad,
  parseDocument,
  type Scenario,
  scenario as scenarioSchema,
  scenarioExtent,
  shareOfUsers,
  wantedUsers,
  wholeUsers,
  type UserProfile,
  type Variable,
} from '@flamegate/loadtest'
import {
  Random,
  sharedPlaces,
  type LoadModel,
  type LoadPlan,
  type LoadProfile,
  type SharedPlaces,
} from '@flamegate/loadtest-engine'
import { targetRules } from '@flamegate/runtime'
import type { ProjectFiles } from './project-files.ts'

export type ShardPlan = OutputOf<typeof operations.getShardPlan>

/** Users get to the end of what they do within this time. */
const drainMs = 5_000

/** Which part of the load of its group an agent makes. */
export interface Share {
  index: number
  agents: number
}

/** Which part of the share of an agent a thread makes, and what it has in common with the others. */
export interface ThreadPart {
  index: number
  threads: number
  /** How far users got in the values of variables, by the place of the profile in the scenario. */
  places: readonly SharedPlaces[]
  files: ProjectFiles
}

const wholeShare: ThreadPart = { index: 0, threads: 1, places: [], files: new Map() }

/** Parts for so many threads, but for no more than there are users at once. */
export function threadParts(shard: ShardPlan, threadsMax: number, files: ProjectFiles): ThreadPart[] {
  const scenario = scenarioSchema.parse(shard.scenario)
  const { usersMax } = scenarioExtent({
    profiles: ownProfiles(shard, scenario).map(([, profile]) => profile),
  })
  const threads = Math.max(1, Math.min(threadsMax, Math.ceil(usersMax)))
  // As many as a profile may have, with those of its own.
  const places = scenario.profiles.map(({ variables }) =>
    sharedPlaces(shard.variables.length + Object.keys(variables).length),
  )
  return Array.from({ length: threads }, (_, index) => ({ index, threads, places, files }))
}

/** A part of a run, as the engine takes it. */
export interface LoadedShard {
  plan: Omit<LoadPlan, 'startAt' | 'signal'>
  /** Places in the scenario of the profiles of the plan. */
  places: readonly number[]
  profilesCount: number
  /** Another share, from a moment of the run on: what each profile of the plan wants then. */
  wantedUsers: (profile: number, share: Share) => (elapsedMs: number) => number
  /** At once, of such a share. */
  usersMax: (profile: number, share: Share) => number
  /** The same for open loads, which ask for their arrivals one by one. */
  setShare: (share: Share, elapsedMs: number) => void
}

/** @param part What one of its threads makes; all of it when left out */
export function loadShard(shard: ShardPlan, share: Share, part: ThreadPart = wholeShare): LoadedShard {
  const scenario = scenarioSchema.parse(shard.scenario)
  const documents = new Map(
    shard.virtual_users.map(({ id, document }) => [id, parseDocument('virtual_user', document)]),
  )
  const servers = new Map(
    shard.servers.map(({ id, document }) => [id, parseDocument('http_server', document)]),
  )
  const variables = shard.variables.map((document) => parseDocument('variable', document))
  const secrets = new Map(Object.entries(shard.secrets))
  const own = ownProfiles(shard, scenario)
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
      places: part.places[place],
      // Users of different agents, and of different threads, do different things.
      seed: (shard.seed + place * 7919 + shard.slot * 104_729 + part.index * 1_299_709) % 2 ** 32,
    }
  })
  return {
    plan: {
      profiles,
      gate: targetRules(shard.allowed_targets).gate(verifiedBy(shard.hosts)),
      openFile: async (path) => part.files.get(path),
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
      return place === undefined || of === undefined ? () => 0 : usersWanted(of, place, to, part)
    },
    usersMax: (profile, to) => {
      const [place, { load }] = own[profile] ?? [0, { load: null }]
      return load === null || isOpen(load) ? 0 : usersAtMost(load, place, to, part)
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
        wantedUsers: usersWanted(profile, place, share, part),
        usersMax: usersAtMost(load, place, share, part),
        iterationsMax: load.iterations_per_user,
      }
    // The same numbers on all agents: each goes through all arrivals, and takes its own.
    const schedule = new ShiftingArrivals(load, profile.start_delay_ms, shard.seed + place, share, part)
    arrivals.push(schedule)
    return {
      type: 'open',
      nextArrivalMs: () => schedule.next(),
      // Arrivals without any user would wait for ever.
      usersMax: Math.max(1, ofThread(shareOfUsers(load.users_max, share, place), part, place)),
    }
  }
}

/** Profiles that agents of the group make, with their places. */
function ownProfiles(shard: ShardPlan, { profiles }: Scenario): [number, UserProfile][] {
  return [...profiles.entries()].filter(
    ([, { enabled, agent_group: group }]) => enabled && group === shard.agent_group,
  )
}

/** How many users of a closed load a thread of an agent is to have, by milliseconds since the run began. */
function usersWanted(
  { load, start_delay_ms: delayMs }: UserProfile,
  place: number,
  share: Share,
  part: ThreadPart,
): (elapsedMs: number) => number {
  return (elapsedMs) => {
    const ofAgent = shareOfUsers(wantedUsers(load, elapsedMs - delayMs), share, place)
    return ofThread(ofAgent, part, place)
  }
}

function usersAtMost(load: ClosedLoad, place: number, share: Share, part: ThreadPart): number {
  return ofThread(shareOfUsers(wholeUsers(loadPeak(load)), share, place), part, place)
}

/** Of the users of an agent. */
function ofThread(users: number, { index, threads }: ThreadPart, place: number): number {
  return shareOfUsers(users, { index, agents: threads }, place)
}

/**
 * Arrivals of an open load, of which another share can be taken on the way. Milliseconds since the run began. All threads of an agent
 * go through its arrivals, and take turns.
 */
class ShiftingArrivals {
  readonly #load: OpenLoad
  readonly #delayMs: number
  readonly #seed: number
  readonly #part: ThreadPart
  #schedule: ArrivalSchedule
  /** Of the agent. */
  #arrivals = 0
  #fromMs = 0

  constructor(load: OpenLoad, delayMs: number, seed: number, share: Share, part: ThreadPart) {
    this.#part = part
    this.#load = load
    this.#delayMs = delayMs
    this.#seed = seed
    this.#schedule = this.#scheduleOf(share)
  }

  next(): number {
    for (;;) {
      const at = this.#schedule.next() + this.#delayMs
      if (at === Infinity) return at
      const isOwn = this.#arrivals++ % this.#part.threads === this.#part.index
      if (isOwn && at >= this.#fromMs) return at
    }
  }

  /** From a moment on: what was due before it was somebody's already. */
  setShare(share: Share, elapsedMs: number): void {
    this.#schedule = this.#scheduleOf(share)
    this.#arrivals = 0
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
