import type { Role, Scope } from '@flamegate/contract'
import type { GrantChoices } from './grants.ts'

/** Rows as operations see them: camelCase, `Date` for times, ids with their prefix. */

export interface Workspace {
  id: string
  slug: string
  name: string
  plan: string
  createdAt: Date
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
  /** Grows with every change; the ETag of the document. */
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface ProjectWithCounts extends Project {
  runCount: number
  benchmarkCount: number
  profileCount: number
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
}

/** Time statistics of one benchmark in one run, all in nanoseconds per iteration. */
export interface ResultStats {
  /** Which statistic the result's value is. */
  statistic?: 'median' | 'mean' | 'single'
  minNs?: number
  maxNs?: number
  meanNs?: number
  medianNs?: number
  q1Ns?: number
  q3Ns?: number
  stdevNs?: number
  rounds?: number
  iterationsPerRound?: number
  totalTimeMs?: number
}

export interface ResultMetric {
  name: string
  value: number
  unit: string
  /** Absent where neither the tool nor the unit tells. */
  betterWhen?: 'lower' | 'higher'
}

export interface NewResult {
  uri: string
  name: string
  instrument: string
  value: number
  unit: string
  stats: ResultStats
  metrics: ResultMetric[]
  /** Raw rounds in nanoseconds per iteration, in the order they were taken. */
  roundsNs?: number[]
}

export interface Result extends NewResult {
  runId: string
  benchmarkId: string
  projectId: string
}

export interface Benchmark {
  id: string
  workspaceId: string
  projectId: string
  uri: string
  name: string
  instrument: string
  createdAt: Date
}

/** One point of a benchmark's history. */
export interface HistoryPoint {
  runId: string
  branch: string
  commitHash: string
  commitMessage: string
  committedAt: Date | null
  createdAt: Date
  environment: Record<string, string>
  value: number
  unit: string
  stats: ResultStats
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
  warnings: string[]
  problem: StoredProblem | null
  createdAt: Date
}

export interface FileRecord {
  id: string
  workspaceId: string
  projectId: string | null
  /** The run that the file was uploaded for. */
  runId: string | null
  /** The job that reads it: `import_results`, `import_profile`. */
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
  kind: 'project' | 'run' | 'benchmark' | 'profile'
  projectId: string
  projectName: string
  title: string
  snippet: string
  /** How well it fits; compares only within one search. */
  score: number
}

export type TaskStatus = 'PENDING' | 'RUNNING' | 'SUCCESS' | 'FAILED'

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

export interface AuditEvent {
  id: string
  workspaceId: string | null
  userId: string
  via: string
  clientId: string
  clientName: string
  operation: string
  effect: string
  /** Id of the thing it was about. */
  target: string | null
  /** Tells calls with the same arguments, see `createArgumentsDigest`; null for what came too deep, or before there were any. */
  argumentsDigest: string | null
  /** Whether the caller might do it at all; what refused it is the outcome. */
  decision: 'allowed' | 'refused'
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
