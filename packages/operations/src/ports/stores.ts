import type { Caller, Role } from '@flamegate/contract'
import type { AdministrationStore } from './administration.ts'
import type { BenchImportStore } from './bench-imports.ts'
import type { BenchRunStore, LoadGeneratorStore } from './bench-runs.ts'
import type { CollectorStore } from './collectors.ts'
import type { DesignStore } from './designs.ts'
import type { ImportStore, RecordingStore } from './imports.ts'
import type {
  BadgeStore,
  DeliveryStore,
  GithubReportStore,
  NotificationStore,
  WebhookStore,
} from './notifications.ts'
import type { OAuthClientStore } from './oauth-clients.ts'
import type { PageLoadStore } from './page-loads.ts'
import type { PlanStore, UsageStore } from './plans.ts'
import type { ProjectFileStore } from './project-files.ts'
import type { SeriesStore } from './series.ts'
import type {
  ApiToken,
  AuditEvent,
  Benchmark,
  BenchmarkHistory,
  BenchmarkSeries,
  ConnectedApp,
  FileRecord,
  Invitation,
  Member,
  NewResult,
  Profile,
  ProfileStatus,
  Project,
  ProjectWithCounts,
  Result,
  ResultMetric,
  Run,
  SearchHit,
  StoredAuditEvent,
  Task,
  Workspace,
} from './records.ts'
import type { LiveRecordingStore } from './live-recordings.ts'
import type { LiveAlertStore } from './live-alerts.ts'
import type { McpStore } from './mcp.ts'
import type { LiveStore } from './live.ts'
import type { MonitorStore } from './monitors.ts'
import type { ResultFileStore } from './result-files.ts'
import type { ScheduleStore } from './schedules.ts'
import type { ShareLinkStore } from './share-links.ts'
import type { ScimStore } from './scim.ts'
import type { SsoSettingsStore } from './sso.ts'
import type { TargetStore } from './targets.ts'
import type { ValidationStore } from './validations.ts'
import type { AlertStore, ThresholdStore } from './watching.ts'

/**
 * What operations need from storage. The caller comes first in every method, so that no query can forget its
 * workspace; rows of workspaces that the caller may not read do not exist for them. `find` gives undefined for
 * a missing row. Writing without the right to throws `NotPermitted`; a broken uniqueness throws `Conflict`, and a row
 * that would belong to nothing `OwnerGone`.
 */
export class NotPermitted extends Error {}

/**
 * The database cannot be reached, is so busy that it gives no connection, or undid what was begun because others changed the same.
 * Nothing was done.
 */
export class DatabaseUnavailable extends Error {}

/** The database broke off what had begun: it went away, or has no room. Nobody knows whether it was done. */
export class DatabaseInterrupted extends Error {}

/** A unique name is taken. `field` is the camelCase name of the field that must differ. */
export class Conflict extends Error {
  readonly field: string
  constructor(field: string) {
    super(`${field} is taken`)
    this.field = field
  }
}

/** What a new row belongs to was deleted meanwhile. */
export class OwnerGone extends Error {}

/** Where a page starts: the sort key of the last row of the page before. Newest first; ids break ties. */
export interface After {
  createdAt: Date
  id: string
}
export interface PageRequest {
  /** How many rows at most. Stores return up to `limit + 1`, so that the caller sees whether there is more. */
  limit: number
  after?: After
}

export interface WorkspaceStore {
  /** Every workspace of the caller with their role, by name. */
  list(caller: Caller): Promise<(Workspace & { role: Role })[]>
  find(caller: Caller, id: string): Promise<Workspace | undefined>
  /** By e-mail. */
  listMembers(caller: Caller, workspaceId: string): Promise<Member[]>
  listInvitations(caller: Caller, workspaceId: string): Promise<Invitation[]>
  /** Changes a member's role; undefined when no such member. The last owner cannot be changed (`Conflict('role')`). */
  setRole(caller: Caller, workspaceId: string, userId: string, role: Role): Promise<Member | undefined>
  /** Removes a member with their API tokens and an invitation that they have; false when there is no such member. */
  removeMember(caller: Caller, workspaceId: string, userId: string): Promise<boolean>
  /** Adds an invitation or renews the one for that e-mail. `tokenHash` is hex SHA-256. */
  invite(
    caller: Caller,
    workspaceId: string,
    invitation: { id: string; email: string; role: Role; tokenHash: string; expiresAt: Date },
  ): Promise<Invitation>
  removeInvitation(caller: Caller, workspaceId: string, email: string): Promise<boolean>
  /** Makes a workspace in which the caller is owner. Throws `Conflict('slug')`. */
  create(caller: Caller, workspace: Pick<Workspace, 'id' | 'slug' | 'name'>): Promise<Workspace>
  /** Throws `Conflict('slug')`. */
  rename(caller: Caller, workspaceId: string, names: Pick<Workspace, 'name' | 'slug'>): Promise<void>
  /** Makes a member owner, and the caller, who is one, an admin. */
  transfer(caller: Caller, workspaceId: string, toUserId: string): Promise<void>
  /** Ends the caller's own membership and their API tokens there. The last owner stays (`Conflict('role')`). */
  leave(caller: Caller, workspaceId: string): Promise<void>
  /**
   * Says when a workspace goes; null: it stays. For its owners, and for administrators of the installation: the database
   * asks whether the caller is one.
   */
  setDeletion(caller: Caller, workspaceId: string, deletesAt: Date | null): Promise<void>
  /** Counts for `get_usage`. */
  usage(
    caller: Caller,
    workspaceId: string,
  ): Promise<{
    projects: number
    runs: number
    results: number
    profiles: number
    storageBytes: number
    members: number
  }>
}

export interface ProjectStore {
  list(
    caller: Caller,
    workspaceId: string,
    page: PageRequest,
    filter?: { search?: string },
  ): Promise<ProjectWithCounts[]>
  find(caller: Caller, id: string): Promise<Project | undefined>
  findWithCounts(caller: Caller, id: string): Promise<ProjectWithCounts | undefined>
  /** By repository `owner/name`, over all the caller's workspaces. */
  findByRepository(caller: Caller, repository: string): Promise<Project | undefined>
  /** Of every workspace of the caller. */
  listOfAllWorkspaces(caller: Caller, page: PageRequest): Promise<ProjectWithCounts[]>
  create(
    caller: Caller,
    project: Pick<Project, 'id' | 'workspaceId' | 'slug' | 'name' | 'description' | 'tags' | 'repository'>,
  ): Promise<Project>
  /** Changes what is given and raises the version; undefined when the row is gone or `ifVersion` does not match. */
  update(
    caller: Caller,
    id: string,
    change: Partial<
      Pick<
        Project,
        | 'name'
        | 'description'
        | 'tags'
        | 'repository'
        | 'defaultBranch'
        | 'baselineRunId'
        | 'keylessUploadsBy'
        | 'alertsOffSince'
        | 'alertsOffBy'
        | 'originRules'
        | 'forge'
        | 'forgeUrl'
      >
    >,
    ifVersion?: number,
  ): Promise<Project | undefined>
  /** Removes the project and everything in it; tells the storage keys of its files, to be removed after. */
  remove(caller: Caller, id: string): Promise<{ storageKeys: string[] } | undefined>
}

export interface RunFilter {
  branch?: string
  event?: string
  pullRequest?: number
  status?: string
}

export interface RunStore {
  list(caller: Caller, projectId: string, page: PageRequest, filter: RunFilter): Promise<Run[]>
  find(caller: Caller, id: string): Promise<Run | undefined>
  /** With its results and alerts; false when there is none. Its profiles and files stay. */
  remove(caller: Caller, id: string): Promise<boolean>
  /**
   * Newest completed run: of a project (else of all the caller may read), of a branch, of a commit (by its whole hash or
   * the beginning of it), or not of that one, of a measurement, and before a time when given. With `measuringLike`, of the
   * newest hundred of these the first that has one of its hundred oldest benchmarks.
   */
  findLatest(
    caller: Caller,
    filter: {
      projectId?: string | undefined
      branch?: string | undefined
      commitHash?: string | undefined
      notCommitHash?: string | undefined
      measurementId?: string | undefined
      before?: Date | undefined
      measuringLike?: Run | undefined
    },
  ): Promise<Run | undefined>
  /** The run of the same `ciRun` and commit, when the project has one already: what several jobs upload is one run. */
  create(
    caller: Caller,
    run: Omit<Run, 'createdAt' | 'resultCount' | 'warnings' | 'adapter' | 'unjudgedSince'>,
    ciRun?: string,
  ): Promise<Run>
  /**
   * Adds the results of one file to a run and completes it, in one transaction: benchmarks that are not yet known
   * are created. The same file again changes nothing (so that a job may run twice); another file adds to the run,
   * and where both have a result of one benchmark, the later one counts.
   */
  complete(
    caller: Caller,
    runId: string,
    outcome: {
      adapter: string
      warnings: string[]
      environment: Record<string, string>
      results: NewResult[]
    },
  ): Promise<Run>
  fail(caller: Caller, runId: string, warnings: string[]): Promise<void>
  /** Notes that the run was judged as it is since then; with results that came later, it is not. */
  markJudged(caller: Caller, runId: string, since: Date): Promise<void>
  /** Every result of a run, by uri, without its rounds. `metrics` are empty when they are not asked for. */
  listResults(caller: Caller, runId: string, options?: { withMetrics?: boolean }): Promise<Result[]>
  /** The same of several runs, without `metrics`; what they share is read once. */
  listResultsOf(caller: Caller, runIds: readonly string[]): Promise<Result[][]>
  /** The rounds of some results of a run, by benchmark; of those that have any. */
  readRounds(
    caller: Caller,
    runId: string,
    benchmarkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number[]>>
  /** One result by the benchmark's id (`ben_…`), or by a uri that it has or had, with its rounds; wall time first. */
  findResult(caller: Caller, runId: string, benchmark: string): Promise<Result | undefined>
}

export interface BenchmarkStore {
  /** By the id that it has, or that one had which was merged into it. */
  find(caller: Caller, id: string): Promise<Benchmark | undefined>
  /** By the uri it has, else by one it had. */
  findByUri(caller: Caller, projectId: string, uri: string): Promise<Benchmark | undefined>
  /** All that have this uri now: several instruments may have measured it. Wall time first. */
  listByUri(caller: Caller, projectId: string, uri: string): Promise<Benchmark[]>
  list(
    caller: Caller,
    projectId: string,
    page: PageRequest,
    filter?: { search?: string; state?: Benchmark['state'] },
  ): Promise<
    (Benchmark & {
      lastValue: number
      lastUnit: string
      lastRunId: string
      lastRunAt: Date
      runCount: number
      openAlertCount: number
      /** Its last values, at most 20, oldest first. */
      trend: number[]
    })[]
  >
  /** Of a further metric only the runs that have it. */
  history(
    caller: Caller,
    benchmarkId: string,
    options: { branch?: string; metric?: string; limit: number },
  ): Promise<BenchmarkHistory>
  /** The further metrics of its newest result. */
  metricsOf(caller: Caller, benchmarkId: string): Promise<ResultMetric[]>
  /** What many benchmarks measured in the runs of a branch up to one of them, to judge that one by. */
  series(
    caller: Caller,
    benchmarkIds: readonly string[],
    window: { upTo: Run; branch: string; runs: number; metric?: string },
  ): Promise<BenchmarkSeries>
  /** Undefined when it is gone. */
  update(
    caller: Caller,
    id: string,
    change: Partial<Pick<Benchmark, 'name' | 'state' | 'isCritical' | 'thresholdPercent'>>,
  ): Promise<Benchmark | undefined>
  /** Remembers the former uri. @throws Conflict `uri` when another benchmark has it, or had it before */
  rename(caller: Caller, id: string, uri: string): Promise<Benchmark | undefined>
  /**
   * Moves results, profiles, alerts, thresholds and uris of the other one of the same project here, and removes it; of runs
   * that have both, the result of this one stays. Tells how many results came.
   */
  merge(caller: Caller, id: string, fromId: string): Promise<number>
  /** Stores what the histories say of the noise. */
  noteNoise(
    caller: Caller,
    workspaceId: string,
    noise: readonly { benchmarkId: string; percent: number; runs: number }[],
  ): Promise<void>
}

/** What was read from a profile's file, encoded. */
export interface ProfileParts {
  /** `encodeProfile` */
  tree: Uint8Array
  /** `encodeDetail` */
  detail?: Uint8Array
  /** Of heap snapshots. */
  heap_graph?: Uint8Array
}

/** All of what is given must fit. */
export interface ProfileFilter {
  type?: string | undefined
  runId?: string | undefined
  benchmarkId?: string | undefined
  status?: ProfileStatus | undefined
  service?: string | undefined
  /** `name=value`: that samples have, or that it was pushed with. */
  label?: string | undefined
  tag?: string | undefined
  /** By when they were stored; ISO 8601. */
  since?: string | undefined
  until?: string | undefined
}

export interface ProfileStore {
  list(caller: Caller, projectId: string, page: PageRequest, filter: ProfileFilter): Promise<Profile[]>
  /** Which benchmarks of these runs have a profile that can be looked into. */
  listProfiled(
    caller: Caller,
    runs: readonly Pick<Run, 'id' | 'workspaceId'>[],
  ): Promise<{ runId: string; benchmarkId: string }[]>
  find(caller: Caller, id: string): Promise<Profile | undefined>
  create(
    caller: Caller,
    profile: Pick<
      Profile,
      'id' | 'workspaceId' | 'projectId' | 'runId' | 'benchmarkId' | 'fileId' | 'name' | 'type' | 'tags'
    > &
      Partial<Pick<Profile, 'service' | 'expiresAt'>>,
  ): Promise<Profile>
  /**
   * Stores the parts of a profile and what was read from the file, in one transaction. `type` replaces `unknown` only,
   * and `service` null; what the uploader said stays.
   */
  complete(
    caller: Caller,
    id: string,
    outcome: Pick<
      Profile,
      | 'format'
      | 'type'
      | 'sampleTypes'
      | 'defaultSampleTypeIndex'
      | 'durationMs'
      | 'startedAt'
      | 'sampleCount'
      | 'nodeCount'
      | 'labels'
      | 'warnings'
    > & { service?: string | null; parts: ProfileParts },
  ): Promise<void>
  fail(caller: Caller, id: string, problem: { code: string; detail: string }): Promise<void>
  readPart(caller: Caller, id: string, part: keyof ProfileParts): Promise<Uint8Array | undefined>
  /** False when there was none. */
  remove(caller: Caller, id: string): Promise<boolean>
}

export interface FileStore {
  create(
    caller: Caller,
    file: Pick<
      FileRecord,
      | 'id'
      | 'workspaceId'
      | 'projectId'
      | 'runId'
      | 'purpose'
      | 'name'
      | 'contentType'
      | 'sizeBytes'
      | 'storageKey'
      | 'expiresAt'
    > & { benchReportId?: string },
  ): Promise<FileRecord>
  find(caller: Caller, id: string): Promise<FileRecord | undefined>
  /** Of a project, a run, a profile, a bench report, or all reports of a bench result; newest first. */
  list(
    caller: Caller,
    owner:
      | { projectId: string }
      | { runId: string }
      | { profileId: string }
      | { benchReportId: string }
      | { benchResultId: string },
    page: PageRequest,
  ): Promise<FileRecord[]>
  /** It stays from then on, or until `expiresAt`. */
  markReady(
    caller: Caller,
    id: string,
    content: { sizeBytes: number; sha256: string | null; expiresAt?: Date },
  ): Promise<void>
  /** Forgets a file whose bytes are gone. Nothing happens when there is none. */
  remove(caller: Caller, id: string): Promise<void>
}

export interface SearchStore {
  /**
   * What has every word of the query, or a word that begins with it: best first, then newest. Gives one more than
   * `limit` when there are more.
   */
  search(
    caller: Caller,
    query: string,
    page: { limit: number; after?: Pick<SearchHit, 'score' | 'id'> },
    filter?: { projectId?: string },
  ): Promise<SearchHit[]>
}

export interface TaskStore {
  create(
    caller: Caller,
    task: Pick<Task, 'id' | 'workspaceId' | 'projectId' | 'kind' | 'message' | 'result'>,
  ): Promise<Task>
  find(caller: Caller, id: string): Promise<Task | undefined>
  /** For how long it has been there, in milliseconds by the clock of the database: clocks of processes may be wrong. */
  ageMs(caller: Caller, id: string): Promise<number | undefined>
  /** False when the work has to stop: the task has ended, or somebody asked for it. */
  progress(caller: Caller, id: string, progress: { percent: number; message: string }): Promise<boolean>
  /** Ends a task that waits; one that runs is told at its next `progress`. Gives it as it is then. */
  requestCancel(caller: Caller, id: string): Promise<Task | undefined>
  /** Ends a task; a task that has ended stays as it is. */
  finish(
    caller: Caller,
    id: string,
    outcome:
      | { result: Record<string, unknown> }
      | { problem: { code: string; detail: string } }
      | { isCancelled: true },
  ): Promise<void>
  /** A task that was given up because of a defect waits again; any other stays as it is. */
  reopen(caller: Caller, id: string): Promise<void>
  /** Nothing happens when there is none. */
  remove(caller: Caller, id: string): Promise<void>
}

export interface ApiTokenStore {
  /** Of one workspace: the caller's own, and everybody's for an admin. Newest first. */
  list(caller: Caller, workspaceId: string): Promise<ApiToken[]>
  find(caller: Caller, id: string): Promise<ApiToken | undefined>
  /** `tokenHash` is the hex SHA-256 of the secret, which is stored nowhere. */
  create(
    caller: Caller,
    token: Pick<ApiToken, 'id' | 'workspaceId' | 'name' | 'prefix' | 'scopes' | 'expiresAt'> & {
      tokenHash: string
      /** The only one that it can push to. */
      liveApp?: { id: string; projectId: string }
    },
  ): Promise<ApiToken>
  revoke(caller: Caller, id: string): Promise<boolean>
}

export interface ConnectedAppStore {
  /** Grants of the caller, newest first. */
  list(caller: Caller): Promise<ConnectedApp[]>
  /** Ends a grant of the caller and tells every process within a second; false when it is not theirs. */
  revoke(caller: Caller, id: string): Promise<boolean>
}

/** What an audit search looks for. */
export interface AuditFilter {
  operation?: string
  userId?: string
  clientId?: string
  decision?: AuditEvent['decision']
  outcome?: string
  /** Text that the target's id holds. */
  target?: string
  since?: Date
  until?: Date
}

/** An event could not be stored in time. It is kept and tried again. */
export class NotRecorded extends Error {}

export interface AuditStore {
  /**
   * True while so many events wait for the database that no call may begin: nothing goes unrecorded, and memory has
   * an end. A database that hiccups for a few seconds does not come to that.
   */
  isFull(): boolean
  /**
   * Records what was done. Writes are stored before this resolves; reads (`effect: 'read'`) are gathered and
   * stored within a second. Nothing that was given here is dropped while the process lives.
   * @throws NotRecorded for a write that is not stored within five seconds
   */
  record(event: AuditEvent): Promise<void>
  /** Newest first. */
  search(
    caller: Caller,
    workspaceId: string,
    page: PageRequest,
    filter: AuditFilter,
  ): Promise<StoredAuditEvent[]>
}

/** What of the audit log belongs to people, and not to a workspace. */
export interface SecurityEventStore {
  /**
   * What is no operation, and what was changed that belongs to no workspace, newest first. Of one person, by id or
   * e-mail; of everybody when undefined, for whom the operation found to be an administrator.
   */
  search(
    user: string | undefined,
    page: PageRequest,
    filter: Pick<AuditFilter, 'operation' | 'outcome' | 'since' | 'until'>,
  ): Promise<(StoredAuditEvent & { userEmail: string | null })[]>
}

/** A stored answer to a creating call that may be sent again. */
export interface IdempotencyStore {
  /**
   * Claims a key: `new` when nobody used it, `done` with the answer as it was sealed, `busy` while the first call is
   * still running, `mismatch` when it was used for another request. Keys live for 24 hours.
   */
  claim(
    caller: Caller,
    key: string,
    request: { operation: string; requestHash: string },
  ): Promise<
    { state: 'new' } | { state: 'done'; sealedAnswer: string } | { state: 'busy' } | { state: 'mismatch' }
  >
  complete(caller: Caller, key: string, sealedAnswer: string): Promise<void>
  /** Forgets a claim whose call failed, so that it can be tried again. */
  release(caller: Caller, key: string): Promise<void>
}

/** Finds roles; the only store that works before there is a caller. */
export interface MembershipStore {
  rolesOf(userId: string): Promise<ReadonlyMap<string, Role>>
}

/** Details of a person, for answers about themselves. */
export interface UserDirectory {
  findUser(
    userId: string,
  ): Promise<{ id: string; email: string; name: string; emailVerifiedAt: Date | null } | undefined>
}

export interface Stores {
  workspaces: WorkspaceStore
  plans: PlanStore
  usage: UsageStore
  projects: ProjectStore
  runs: RunStore
  benchmarks: BenchmarkStore
  profiles: ProfileStore
  files: FileStore
  projectFiles: ProjectFileStore
  search: SearchStore
  tasks: TaskStore
  collectors: CollectorStore
  shareLinks: ShareLinkStore
  designs: DesignStore
  imports: ImportStore
  recordings: RecordingStore
  targets: TargetStore
  sso: SsoSettingsStore
  scim: ScimStore
  validations: ValidationStore
  benchRuns: BenchRunStore
  benchImports: BenchImportStore
  resultFiles: ResultFileStore
  pageLoads: PageLoadStore
  loadGenerators: LoadGeneratorStore
  monitors: MonitorStore
  live: LiveStore
  liveAlerts: LiveAlertStore
  liveRecordings: LiveRecordingStore
  mcp: McpStore
  schedules: ScheduleStore
  thresholds: ThresholdStore
  alerts: AlertStore
  webhooks: WebhookStore
  notifications: NotificationStore
  githubReports: GithubReportStore
  deliveries: DeliveryStore
  badges: BadgeStore
  apiTokens: ApiTokenStore
  connectedApps: ConnectedAppStore
  oauthClients: OAuthClientStore
  audit: AuditStore
  securityEvents: SecurityEventStore
  series: SeriesStore
  idempotency: IdempotencyStore
  memberships: MembershipStore
  users: UserDirectory
  administration: AdministrationStore
}
