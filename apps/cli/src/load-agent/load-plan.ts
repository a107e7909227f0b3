import type { operations, OutputOf } from '@flamegate/contract'
import { coversTarget, readTargetHost } from '@flamegate/contract/target-host'
import type { ClosedLoad, OpenLoad, Scenario, UserProfile, Variable } from '@flamegate/loadtest'
import { hasPages, parseDocument } from '@flamegate/loadtest/running'
import {
  ArrivalSchedule,
  isOpen,
  loadDurationMs,
  loadPeak,
  scenario as scenarioSchema,
  scenarioExtent,
  shareOfUsers,
  wantedUsers,
  wholeUsers,
} from '@flamegate/loadtest/scenario'
import {
  type DealtShare,
  Random,
  sharedPlaces,
  sharedVariables,
  type LoadModel,
  type LoadPlan,
  type LoadProfile,
  type SharedPlaces,
} from '@flamegate/loadtest-engine'
import { targetRules } from '@flamegate/runtime/target-rules'
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
  /** Place among all threads of the agent. */
  thread: number
  /** Users with a browser have a thread of their own, so that what it takes delays nobody else. */
  users: 'all' | 'with_pages' | 'without_pages'
  /** Place among the threads with such users. */
  index: number
  threads: number
  /** How far users got in the values of variables; those of a whole run where there is one part. */
  places: SharedPlaces | undefined
  files: ProjectFiles
}

const wholeShare: ThreadPart = {
  thread: 0,
  users: 'all',
  index: 0,
  threads: 1,
  places: undefined,
  files: new Map(),
}

/** Parts for so many threads, but for no more than there are users at once; and one for users with a browser. */
export function threadParts(shard: ShardPlan, threadsMax: number, files: ProjectFiles): ThreadPart[] {
  const scenario = scenarioSchema.parse(shard.scenario)
  const profilesOf = (users: ThreadPart['users']) =>
    ownProfiles(shard, scenario, users).map(([, profile]) => profile)
  const hasBrowser = profilesOf('with_pages').length > 0
  const others = profilesOf('without_pages')
  const { usersMax } = scenarioExtent({ profiles: others })
  const threads =
    hasBrowser && others.length === 0 ? 0 : Math.max(1, Math.min(threadsMax, Math.ceil(usersMax)))
  const places = sharedPlaces(shard.variables.length)
  const common = { places, files }
  const parts = Array.from({ length: threads }, (_, index): ThreadPart => ({
    ...common,
    thread: index,
    users: 'without_pages',
    index,
    threads,
  }))
  return hasBrowser
    ? [...parts, { ...common, thread: threads, users: 'with_pages', index: 0, threads: 1 }]
    : parts
}

/** A part of a run, as the engine takes it. */
export interface LoadedShard {
  plan: Omit<LoadPlan, 'startAt' | 'signal'>
  /** Places in the scenario of the profiles of the plan. */
  places: readonly number[]
  profilesCount: number
  /** Whether a row of each request is asked for. */
  logsRequests: boolean
  /** Whether page actions are to be traced. */
  tracesPages: boolean
  /** Another share, from a moment of the run on: what each profile of the plan wants then. */
  wantedUsers: (profile: number, share: Share) => (elapsedMs: number) => number
  /** At once, of such a share; of open loads, too. */
  usersMax: (profile: number, share: Share) => number
  /** The same for open loads, which ask for their arrivals one by one. */
  setShare: (share: Share, elapsedMs: number) => void
}

/** Whether a row of each request is asked for. */
export function logsRequests({ result_files: files }: Scenario): boolean {
  return files.some((file) => file !== 'page_traces')
}

/**
 * @param part What one of its threads makes; all of it when left out
 * @param dealt The shares by which values of each variable are dealt out to agents, which stay when others take over
 */
export function loadShard(
  shard: ShardPlan,
  share: Share,
  part: ThreadPart = wholeShare,
  dealt: readonly DealtShare[] = [],
): LoadedShard {
  const scenario = scenarioSchema.parse(shard.scenario)
  const compilable = compilableOf(shard)
  const secrets = new Map(Object.entries(shard.secrets))
  const own = ownProfiles(shard, scenario, part.users)
  const arrivals: ShiftingArrivals[] = []
  const profiles = own.map(([place, profile]): LoadProfile => {
    return {
      ...compilable(profile),
      secrets,
      thinkTimeFactor: profile.think_time_factor,
      model: modelOf(profile, place),
      firstAction: shard.actions.findIndex((action) => action.profile === place),
      places: part.places === undefined ? undefined : { ...part.places, shares: dealt },
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
    logsRequests: logsRequests(scenario),
    tracesPages: scenario.result_files.includes('page_traces'),
    wantedUsers: (profile, to) => {
      const [place, of] = own[profile] ?? []
      return place === undefined || of === undefined ? () => 0 : usersWanted(of, place, to, part)
    },
    usersMax: (profile, to) => {
      const [place, { load }] = own[profile] ?? [0, { load: null }]
      if (load === null) return 0
      return isOpen(load) ? openUsersAtMost(load, place, to, part) : usersAtMost(load, place, to, part)
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
        mayTakeOver: scenario.on_agent_lost === 'redistribute' && share.agents > 1,
        iterationsMax: load.iterations_per_user,
        pacing: profile.pacing,
      }
    // The same numbers on all agents: each goes through all arrivals, and takes its own.
    const schedule = new ShiftingArrivals(load, profile.start_delay_ms, shard.seed + place, share, part)
    arrivals.push(schedule)
    return {
      type: 'open',
      nextArrivalMs: () => schedule.next(),
      usersMax: openUsersAtMost(load, place, share, part),
    }
  }
}

/**
 * Names of the groups of which users take values of each variable that is shared, in the order of the scenario: agents of all of them take
 * turns in it. Every agent of a run finds the same; of a run of one group it is not looked for.
 */
export async function groupsOfVariables(
  shard: ShardPlan,
  files: ProjectFiles,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const profiles = scenarioSchema
    .parse(shard.scenario)
    .profiles.filter(({ enabled, engine }) => enabled && engine.type === 'flamegate')
  const groups = new Map<string, Set<string>>()
  if (profiles.every((profile) => profile.agent_group === shard.agent_group)) return new Map()
  const compilable = compilableOf(shard)
  for (const profile of profiles) {
    // oxlint-disable-next-line no-await-in-loop -- a few
    for (const name of await sharedVariables(compilable(profile), async (path) => files.get(path)))
      groups.set(name, (groups.get(name) ?? new Set()).add(profile.agent_group))
  }
  return new Map([...groups].map(([name, of]) => [name, [...of]]))
}

/** Gives the documents of a profile. @throws Error where its virtual user did not come */
function compilableOf(
  shard: ShardPlan,
): (profile: UserProfile) => Pick<LoadProfile, 'document' | 'servers' | 'variables' | 'access'> {
  const documents = new Map(
    shard.virtual_users.map(({ id, document }) => [id, parseDocument('virtual_user', document)]),
  )
  const servers = new Map(
    shard.servers.map(({ id, document }) => [id, parseDocument('http_server', document)]),
  )
  const variables = shard.variables.map((document) => parseDocument('variable', document))
  return (profile) => {
    const document = documents.get(profile.virtual_user_id ?? '')
    if (document === undefined)
      throw new Error(`The virtual user of the profile ${profile.name} did not come.`)
    return {
      document,
      servers,
      variables: withOwnVariables(variables, profile.variables),
      access: profile,
    }
  }
}

/** Profiles of such users that agents of the group make, with their places. */
function ownProfiles(
  shard: ShardPlan,
  { profiles }: Scenario,
  users: ThreadPart['users'],
): [number, UserProfile][] {
  const withPages = new Set(
    shard.virtual_users.flatMap(({ id, document }) =>
      hasPages(parseDocument('virtual_user', document)) ? [id] : [],
    ),
  )
  return [...profiles.entries()].filter(
    ([, { enabled, agent_group: group, virtual_user_id: id, engine }]) =>
      enabled &&
      engine.type === 'flamegate' &&
      group === shard.agent_group &&
      (users === 'all' || withPages.has(id ?? '') === (users === 'with_pages')),
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

/** Arrivals without any user would wait for ever. */
function openUsersAtMost(load: OpenLoad, place: number, share: Share, part: ThreadPart): number {
  return Math.max(1, ofThread(shareOfUsers(load.users_max, share, place), part, place))
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

/** Variables with those in place of them that the profile gives: all profiles have the others at the same places. */
function withOwnVariables(
  variables: readonly Variable[],
  own: UserProfile['variables'],
): readonly Variable[] {
  const constant = (name: string) => parseDocument('variable', { type: 'constant', name, value: own[name] })
  const known = new Set(variables.map(({ name }) => name))
  return [
    ...variables.map((variable) => (Object.hasOwn(own, variable.name) ? constant(variable.name) : variable)),
    ...Object.keys(own)
      .filter((name) => !known.has(name))
      .map(constant),
  ]
}

function verifiedBy(hosts: readonly string[]): (host: string) => boolean {
  const verified = new Set(hosts)
  return (text) => {
    const host = readTargetHost(text)
    return host !== undefined && coversTarget(verified, host)
  }
}
