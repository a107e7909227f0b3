import type { auditDecisions, Role, Scope, SearchKind } from '@flamegate/contract'
import type { OriginRule } from '@flamegate/profiles'
import type { GrantChoices } from './grants.ts'

/** Rows as operations see them: camelCase, `Date` for times, ids with their prefix. */

export interface Workspace {
  id: string
  slug: string
  name: string
  plan: string
  createdAt: Date
  /** When it goes with all that is in it; null: it stays. */
  deletesAt: Date | null
}

export interface Member {
  userId: string
  email: string
  name: string
  role: Role
  joinedAt: Date
}

export interface Invitation {
  id: string
  email: string
  role: Role
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

export interface Project {
  id: string
  workspaceId: string
  slug: string
  name: string
  description: string
  tags: string[]
  /** `owner/name` on the forge. */
  repository: string | null
  /** Null: main, or master where there is no main. */
  defaultBranch: string | null
  /** The run that all others are held against, when one is pinned. */
  baselineRunId: string | null
  /** Id of the person in whose name it takes uploads from CI without a token; null: it takes none. */
  keylessUploadsBy: string | null
  /** Since when its runs raise no alerts; null: they do. */
  alertsOffSince: Date | null
  /** Id of who wanted it so; null when that person is gone. */
  alertsOffBy: string | null
  /** Whose code functions of its profiles are, before the built-in rules. */
  originRules: OriginRule[]
  /** Which kind of site has its repository; null: GitHub. */
  forge: Forge | null
  /** Where that site is, such as `https://git.example.com`; null: the public one of its kind. */
  forgeUrl: string | null
  /** Grows with every change; the ETag of the document. */
  version: number
  createdAt: Date
  updatedAt: Date
}

export type Forge = 'github' | 'gitlab' | 'bitbucket' | 'gitea'

export interface ProjectWithCounts extends Project {
  runCount: number
  benchmarkCount: number
  profileCount: number
  /** E-mail of `alertsOffBy`. */
  alertsOffByEmail: string | null
}

export type RunStatus = 'PENDING' | 'COMPLETED' | 'FAILURE'

export interface Run {
  id: string
  workspaceId: string
  projectId: string
  branch: string
  commitHash: string
  commitMessage: string
  pullRequest: number | null
  /** What a pull request's run was branched off, when the upload said it. */
  baseBranch: string | null
  baseCommitHash: string | null
  /** The same for runs whose processes ran in turns: that of base, and that of head. */
  measurementId: string | null
  event: string
  status: RunStatus
  adapter: string | null
  tags: string[]
  resultCount: number
  warnings: string[]
  /** Facts about the machine and toolchain, by name; empty when nothing is known. */
  environment: Record<string, string>
  committedAt: Date | null
  createdAt: Date
  /** Since when it has results that `watch_run` has not judged; null: it is judged. */
  unjudgedSince: Date | null
}

/** A run that waits to be judged, by anybody. */
export interface UnjudgedRun {
  workspaceId: string
  runId: string
  /** When its last results were stored. */
  since: Date
}

/** How the rounds of one benchmark in one run spread, in the unit of the result. */
export interface ResultStats {
  /** Which statistic the result's value is. */
  statistic?: 'median' | 'mean' | 'single'
  min?: number
  max?: number
  mean?: number
  median?: number
  q1?: number
  q3?: number
  stdev?: number
  /** Bounds that the tool itself states. */
  low?: number
  high?: number
  rounds?: number
  iterationsPerRound?: number
  warmupIterations?: number
  outlierRounds?: number
  totalTimeMs?: number
}

export interface ResultMetric {
  name: string
  value: number
  unit: string
  /** Absent where neither the tool nor the unit tells. */
  betterWhen?: 'lower' | 'higher'
  stdev?: number
  /** Bounds that the tool itself states. */
  low?: number
  high?: number
}

export type Instrument = 'walltime' | 'simulation' | 'memory' | 'custom'

export interface NewResult {
  uri: string
  name: string
  instrument: Instrument
  /** What `value` is: `time`, `instructions`, `peak_memory`, … */
  metric: string
  betterWhen: 'lower' | 'higher'
  value: number
  unit: string
  stats: ResultStats
  metrics: ResultMetric[]
  /** The value of each round, in `unit`, in the order they were taken. */
  roundValues?: number[]
  /**
   * The value of each process, in the order in which they ran, null for one that did not measure it; null where there
   * was but one.
   */
  processValues?: (number | null)[] | null
}

/** How a benchmark is to be judged. */
export interface BenchmarkTraits {
  /** `ignored`: measured, but never fails a check; `archived`: hidden, because it is measured no more. */
  state: 'active' | 'ignored' | 'archived'
  isCritical: boolean
  /** From which change on it counts; null: as everywhere in the project. */
  thresholdPercent: number | null
  /** How far its runs on the default branch differ without a change, and how many of them told so. */
  noisePercent: number | null
  noiseRuns: number
}

export interface Result extends NewResult, BenchmarkTraits {
  benchmarkId: string
}

export interface Benchmark extends BenchmarkTraits {
  id: string
  workspaceId: string
  projectId: string
  uri: string
  name: string
  instrument: Instrument
  metric: string
  betterWhen: 'lower' | 'higher'
  /** Runs that come with one of these go on with its history. */
  formerUris: string[]
  createdAt: Date
}

/** One point of a benchmark's history. */
export interface HistoryPoint {
  runId: string
  branch: string
  commitHash: string
  commitMessage: string
  /** When it was committed, or else uploaded. */
  at: Date
  /** Null when nothing is known of it. */
  environmentId: string | null
  value: number
  unit: string
  /** Of the rounds within the run. Null when not known, and for further metrics. */
  stdev: number | null
}

/** What one benchmark measured. */
export interface BenchmarkHistory {
  /** Newest first. */
  points: HistoryPoint[]
  /** Facts by id: many runs share one. */
  environments: Record<string, Record<string, string>>
}

/** Values of many benchmarks over the same runs. */
export interface BenchmarkSeries {
  /** Ids of the branch's newest runs, oldest first. */
  runIds: string[]
  /** By benchmark: what it measured, oldest first, and with which of the runs. Only what is in the unit of the newest. */
  ofBenchmark: Map<string, { values: number[]; places: number[]; unit: string }>
}

export type ProfileStatus = 'PENDING' | 'READY' | 'FAILED'

export interface StoredProblem {
  code: string
  detail: string
}

export interface Profile {
  id: string
  workspaceId: string
  projectId: string
  runId: string | null
  benchmarkId: string | null
  fileId: string
  name: string
  /** What was measured: `cpu`, `heap`, … as the uploader or the file says. */
  type: string
  format: string | null
  status: ProfileStatus
  sampleTypes: { type: string; unit: string; total: number }[]
  defaultSampleTypeIndex: number
  durationMs: number | null
  startedAt: Date | null
  sampleCount: number
  nodeCount: number
  labels: Record<string, { value: string; weight: number }[]>
  tags: string[]
  /** What was profiled, where an agent pushed it, or the file says so. */
  service: string | null
  /** When it is swept; never when null. */
  expiresAt: Date | null
  warnings: string[]
  problem: StoredProblem | null
  createdAt: Date
  /** What its project, and its run where it has one, say of the source of its functions; null for who does not see these. */
  source:
    | (Pick<Project, 'originRules' | 'repository' | 'forge' | 'forgeUrl'> & { commitHash: string | null })
    | null
}

export interface FileRecord {
  id: string
  workspaceId: string
  projectId: string | null
  /** The run that the file was uploaded for. */
  runId: string | null
  /** The bench report that it is a print of. */
  benchReportId: string | null
  /** The bench run that it tells of. */
  benchResultId: string | null
  /** The job that reads or writes it: `import_results`, `import_profile`, `store_project_file`, `print_bench_report`, `export_workspace`. */
  purpose: string
  name: string
  contentType: string
  sizeBytes: number
  sha256: string | null
  storageKey: string
  status: 'PENDING' | 'READY'
  createdBy: string
  createdAt: Date
  expiresAt: Date | null
}

/** Something that a search found. */
export interface SearchHit {
  id: string
  kind: SearchKind
  projectId: string
  projectName: string
  title: string
  snippet: string
  /** How well it fits; compares only within one search. */
  score: number
}

export type TaskStatus = 'PENDING' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED'

export interface Task {
  id: string
  workspaceId: string
  projectId: string | null
  kind: string
  status: TaskStatus
  progressPercent: number
  message: string
  result: Record<string, unknown> | null
  problem: StoredProblem | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
  finishedAt: Date | null
}

/** A task that has ended stays as it is. */
export function hasEnded({ status }: Task): boolean {
  return status !== 'PENDING' && status !== 'RUNNING'
}

export interface ApiToken {
  id: string
  workspaceId: string
  userId: string
  name: string
  /** The first characters of the secret, to tell tokens apart. */
  prefix: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

export interface ConnectedApp {
  /** The OAuth grant. */
  id: string
  clientId: string
  clientName: string
  /** Host that vouches for the name. */
  verifiedDomain: string | null
  scopes: Scope[]
  choices: GrantChoices
  createdAt: Date
  lastUsedAt: Date | null
  callCount: number
}

export type AuditDecision = (typeof auditDecisions)[number]

export interface AuditEvent {
  id: string
  workspaceId: string | null
  /** Empty for nobody that we know. */
  userId: string
  /** How they proved who they are; `call_tool` for what that called. */
  via: string
  clientId: string
  clientName: string
  /** Its id; for what is no operation, a `SecurityAction`. */
  operation: string
  /** Of the operation; `security` for what is none. */
  effect: string
  /** Id of the thing it was about. */
  target: string | null
  /** Tells calls with the same arguments, see `createArgumentsDigest`; null for what came too deep, or before there were any. */
  argumentsDigest: string | null
  /** Whether the caller might do it at all, and whether they had to say so twice; what refused it is the outcome. */
  decision: AuditDecision
  /** `ok`, or the code of the problem. */
  outcome: string
  status: number
  durationMs: number
  /** Of the answer as JSON; 0 for a problem. */
  answerBytes: number
  requestId: string
  /** Of the OpenTelemetry trace, when there is one. */
  traceId: string | null
  ip: string
  /** What the browser calls itself, for what is no operation; null for a call. */
  userAgent: string | null
  at: Date
}

/** Where an event stands in the chain of the process that wrote it, see `audit-chain.ts`. */
export interface ChainLink {
  writerId: string
  /** From 1, without gaps. */
  sequence: number
  /** Hex SHA-256 of the event before; of nothing, 64 zeros, for the first. */
  previousHash: string
  /** Hex SHA-256 of this event with everything above. */
  hash: string
}

/** An event as it is found again. */
export interface StoredAuditEvent extends AuditEvent {
  /** Null for what was recorded before there were chains. */
  link: ChainLink | null
}
