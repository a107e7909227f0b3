import type { Caller } from '@flamegate/contract'
import type { ErrorClass } from '@flamegate/series'
import type { PageRequest } from './stores.ts'

export const benchStates = [
  'PENDING',
  'PREPARING',
  'RUNNING',
  'STOPPING',
  'FINISHED',
  'ABORTED',
  'ERROR',
] as const
export type BenchState = (typeof benchStates)[number]

/** WAITING: for a generator; LOST: nothing was heard of the one that had it. */
export const shardStates = ['WAITING', 'PREPARING', 'READY', 'RUNNING', 'DONE', 'FAILED', 'LOST'] as const
export type ShardState = (typeof shardStates)[number]

/** Something that happened to a run. As on the wire. */
export interface BenchEvent {
  at: string
  kind: 'state' | 'agent' | 'load' | 'warning'
  words: string
}

/** One action of one user profile, of which numbers are kept. As on the wire. */
export interface BenchAction {
  /** Place of the profile in the scenario. */
  profile: number
  action_id: string
  type: string
  name: string
  /** Names of the containers that it is in, from the outermost. */
  path: string[]
}

/** What a run is of, as it was when it was asked for. As it is stored. */
export interface BenchPlan {
  scenario: Record<string, unknown>
  virtual_users: { id: string; version: number; document: Record<string, unknown> }[]
  servers: { id: string; document: Record<string, unknown> }[]
  variables: Record<string, unknown>[]
  /** SLA profiles that are attached to the virtual users; of older runs there are none. */
  sla_profiles?: { id: string; document: Record<string, unknown> }[]
  /** Its place is what ticks call the action. */
  actions: BenchAction[]
}

export interface BenchResult {
  id: string
  workspaceId: string
  projectId: string
  scenarioId: string | null
  scenarioVersion: number | null
  name: string
  state: BenchState
  /** Why it is in its state. */
  message: string
  /** How long its loads last. */
  durationMs: number
  events: BenchEvent[]
  sharesVersion: number
  /** Less load than was asked for. */
  isDegraded: boolean
  stopAskedAt: Date | null
  taskId: string
  /** The report that was made with it. */
  benchReportId: string | null
  /** Format of what its results were imported from; null: they were measured here. */
  importedFrom: string | null
  tags: string[]
  /** What later runs of its scenario are compared with; one of a scenario at most. */
  isBaseline: boolean
  /** How many users it has at once, at most. */
  usersMax: number
  /** How long it waits for its agents. */
  agentWaitMs: number
  createdBy: string
  createdAt: Date
  /** When all generators begin at once. */
  startedAt: Date | null
  endedAt: Date | null
}

export interface BenchShard {
  id: string
  workspaceId: string
  projectId: string
  benchResultId: string
  /** Place among the shards of the run: what ticks of its generator are kept under. */
  slot: number
  agentGroup: string
  state: ShardState
  loadGeneratorId: string | null
  /** Which part of the load of its group it makes; null: none. */
  shareIndex: number | null
  shareCount: number | null
  /** Of those of its group that began: by this, values of files, counters and lists are dealt out. Null until then. */
  firstShareIndex: number | null
  firstShareCount: number | null
  /** Engines that others made, which its profiles ask for. */
  engines: string[]
  message: string
  createdAt: Date
  lastSeenAt: Date | null
  endedAt: Date | null
}

/** What changes; the rest stays. */
export interface BenchChange {
  run: Partial<
    Pick<
      BenchResult,
      'state' | 'message' | 'sharesVersion' | 'isDegraded' | 'stopAskedAt' | 'startedAt' | 'endedAt'
    >
  >
  shards: ({ id: string } & Partial<
    Pick<
      BenchShard,
      'state' | 'message' | 'shareIndex' | 'shareCount' | 'firstShareIndex' | 'firstShareCount'
    >
  >)[]
  events: BenchEvent[]
  /** Of a run that ends: whether it kept to what it was held against. Undefined: nobody can tell. */
  hasPassed?: boolean | undefined
}

/** A run that has not ended, of whichever workspace. */
export interface OpenBenchRun {
  workspaceId: string
  id: string
  /** Since somebody saw to it last, or since it was asked for. */
  unwatchedMs: number
}

/** How a run was seen to before this look. */
export interface Watched {
  /** Since when somebody did without a break; what agents said in a break could not be heard. */
  since: Date
  /** How long it was since the last look; null: this is the first one. */
  pauseMs: number | null
  /** When that was, by the clock of the database. */
  now: Date
}

/** An exchange that failed, as one generator saw it. */
export interface BenchSample {
  id: string
  action: number
  profile: number
  errorClass: ErrorClass
  message: string
  at: Date
  /** As validations keep theirs; null where there was none. */
  exchange: Record<string, unknown> | null
}

/** An engine that an agent found on its machine. As on the wire. */
export interface FoundEngine {
  type: 'k6' | 'jmeter'
  /** Null: whoever may not run it did not ask. */
  version: string | null
  /** Whether the owner of the machine said that scripts may run there. */
  is_allowed: boolean
}

export interface LoadGenerator {
  id: string
  workspaceId: string
  /** Unique in the workspace. */
  name: string
  agentGroup: string
  version: string
  cores: number
  /** What it said of its machine. */
  facts: Record<string, unknown>
  /** Among these facts: engines that others made, and that it found. */
  engines: FoundEngine[]
  createdAt: Date
  lastSeenAt: Date
  /** It said so, and was not heard of since. */
  hasLeft: boolean
  /** The run that it works on. */
  benchResultId: string | null
}

export interface LoadGeneratorStore {
  /** Those that were seen within the last week, by group and name. */
  list(caller: Caller, workspaceId: string): Promise<LoadGenerator[]>
  find(caller: Caller, id: string): Promise<LoadGenerator | undefined>
  /**
   * Notes that one is there; a workspace has one of a name. Those that were not seen for a week are forgotten. Undefined when
   * the workspace has so many that there is no place for another.
   */
  connect(
    caller: Caller,
    generator: Pick<
      LoadGenerator,
      'id' | 'workspaceId' | 'name' | 'agentGroup' | 'version' | 'cores' | 'facts'
    >,
  ): Promise<LoadGenerator | undefined>
  /** Notes that one says that it ends. */
  disconnect(caller: Caller, generator: Pick<LoadGenerator, 'id' | 'workspaceId'>): Promise<void>
}

/** Which runs of a project. */
export interface BenchRunFilter {
  projectId: string
  scenarioId?: string | undefined
  /** What the name is, or has. */
  name?: { match: 'equals' | 'contains' | 'starts_with' | 'ends_with'; text: string } | undefined
  /** Runs that have all of them. */
  tags?: readonly string[] | undefined
  createdAfter?: Date | undefined
  createdBefore?: Date | undefined
  /** Those only that have ended, and that measured something; by when they began, in place of when they were made. */
  areMeasured?: boolean | undefined
}

export interface BenchRunStore {
  create(
    caller: Caller,
    run: Pick<
      BenchResult,
      | 'id'
      | 'workspaceId'
      | 'projectId'
      | 'scenarioId'
      | 'scenarioVersion'
      | 'name'
      | 'durationMs'
      | 'taskId'
      | 'agentWaitMs'
      | 'benchReportId'
    > &
      Partial<Pick<BenchResult, 'usersMax'>> & { plan: BenchPlan },
    shards: readonly Pick<BenchShard, 'id' | 'agentGroup' | 'shareIndex' | 'shareCount' | 'engines'>[],
  ): Promise<BenchResult>
  find(caller: Caller, id: string): Promise<BenchResult | undefined>
  findPlan(caller: Caller, id: string): Promise<BenchPlan | undefined>
  /** Newest first, up to `limit + 1`. */
  list(caller: Caller, filter: BenchRunFilter, page: PageRequest): Promise<BenchResult[]>
  /** What runs of a scenario are compared with; undefined when nobody said. */
  findBaseline(caller: Caller, scenarioId: string): Promise<BenchResult | undefined>
  /** What people say of a run; a new baseline takes the place of the one that its scenario has. */
  update(
    caller: Caller,
    id: string,
    what: Partial<Pick<BenchResult, 'name' | 'tags' | 'isBaseline'>>,
  ): Promise<BenchResult | undefined>
  /** Removes a run that has ended, with all that was measured; false when there is none. */
  remove(caller: Caller, id: string): Promise<boolean>
  /** Ids of the runs of a workspace that have not ended. */
  listOpen(caller: Caller, workspaceId: string): Promise<string[]>
  /** The newest run of each of these scenarios that has one. */
  lastOf(caller: Caller, scenarioIds: readonly string[]): Promise<ReadonlyMap<string, BenchResult>>
  listShards(caller: Caller, benchResultId: string): Promise<BenchShard[]>
  /** Shards of a group of the workspace that have not ended, and those among them that no agent has yet. */
  countShards(
    caller: Caller,
    workspaceId: string,
    agentGroup: string,
  ): Promise<{ open: number; waiting: number }>
  findShard(caller: Caller, id: string): Promise<BenchShard | undefined>
  /**
   * Gives the oldest shard that waits in a group of the workspace to a generator, among those that ask for no engine that it may
   * not run; each to one of them. None to a generator that has said that it leaves since it asked.
   */
  lease(
    caller: Caller,
    generator: Pick<LoadGenerator, 'id' | 'workspaceId' | 'agentGroup' | 'engines'>,
    askedAt: Date,
  ): Promise<BenchShard | undefined>
  /**
   * Notes that a generator was heard of, and how far it is; what has ended stays as it is. One that says who it is gets its shard
   * back that waits for another one since it was silent, and changes nothing of a shard that another one has.
   * @returns when that was, by the clock of the database: that of the run's beginning
   */
  report(
    caller: Caller,
    shardId: string,
    report: {
      state: Exclude<ShardState, 'WAITING' | 'LOST'>
      message: string
      loadGeneratorId?: string | undefined
    },
  ): Promise<Date>
  /**
   * Changes a run as `decide` says, of the run and its shards as they are: nobody else changes them meanwhile. What has ended
   * is not asked about.
   * @param decide is told what time it is by the clock of the database, by which agents are heard of
   */
  change(
    caller: Caller,
    id: string,
    decide: (run: BenchResult, shards: readonly BenchShard[], now: Date) => BenchChange,
  ): Promise<BenchResult | undefined>
  /**
   * Adds actions to the plan of a run, which `missing` picks of those that there are: nobody else adds any meanwhile. The plan's
   * actions after that; undefined when the run is gone.
   */
  addActions(
    caller: Caller,
    id: string,
    missing: (known: readonly BenchAction[]) => readonly BenchAction[],
  ): Promise<BenchAction[] | undefined>
  /** Notes that somebody sees to a run now. Undefined when it has ended or is gone. */
  noteWatched(caller: Caller, id: string): Promise<Watched | undefined>
  /** Keeps samples, up to so many of a run. */
  addSamples(
    caller: Caller,
    shard: Pick<BenchShard, 'id' | 'workspaceId' | 'projectId' | 'benchResultId'>,
    samples: readonly BenchSample[],
  ): Promise<void>
  listSamples(caller: Caller, benchResultId: string, limit: number): Promise<BenchSample[]>
  /** Which there are, oldest first, without what they hold. */
  listSampleIds(
    caller: Caller,
    benchResultId: string,
  ): Promise<Pick<BenchSample, 'id' | 'action' | 'errorClass' | 'at'>[]>
  findSample(caller: Caller, benchResultId: string, id: string): Promise<BenchSample | undefined>
}
