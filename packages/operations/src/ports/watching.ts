import type { Caller, operations, OutputOf } from '@flamegate/contract'
import type { PageRequest } from './stores.ts'

/** What is judged when a run comes in, and what came of it. */

type AlertOnWire = OutputOf<typeof operations.getBenchmarkHistory>['alerts'][number]
export type AlertState = AlertOnWire['state']
export type ThresholdKind = AlertOnWire['test']

/** What a threshold is for; null is every one, of metrics the main one. */
export interface ThresholdTarget {
  branch: string | null
  benchmarkId: string | null
  metric: string | null
}

export interface StoredThreshold extends ThresholdTarget {
  id: string
  workspaceId: string
  projectId: string
  test: ThresholdKind
  lowerBound: number | null
  upperBound: number | null
  /** How many runs before the judged one are looked at. */
  windowRuns: number
  /** With fewer of them nothing is judged. */
  sampleMin: number
  updatedAt: Date
}

export interface NewAlert {
  benchmarkId: string
  metric: string
  branch: string
  test: ThresholdKind
  /** The first run that was different. */
  runId: string
  /** The run with which that was noticed. */
  raisedByRunId: string
  verdict: 'regressed' | 'improved'
  unit: string
  baseline: number
  value: number
  /** Null for a change point. */
  crossedLimit: number | null
  changePercent: number
  reason: string
}

export interface Alert extends NewAlert {
  id: string
  workspaceId: string
  projectId: string
  /** Of the benchmark. */
  uri: string
  name: string
  /** Of the first run that was different. */
  commitHash: string
  runCreatedAt: Date
  /** The first run that was back on the old level. */
  backRunId: string | null
  /** `open` again when a muted one's time is over. */
  state: AlertState
  mutedUntil: Date | null
  /** E-mail of who changed the state last; null for nobody, or the platform itself. */
  stateBy: string | null
  stateReason: string
  stateAt: Date | null
  createdAt: Date
}

export interface AlertFilter {
  state?: AlertState
  verdict?: Alert['verdict']
  branch?: string
  benchmarkId?: string
  metric?: string
  /** That raised it, or was the first that was different. */
  runId?: string
}

export interface ThresholdStore {
  /** Of a project, in no order that means anything. */
  list(caller: Caller, projectId: string): Promise<StoredThreshold[]>
  /** Sets the threshold of its target, whether there was one or not; one that was there keeps its id. */
  set(caller: Caller, threshold: Omit<StoredThreshold, 'id' | 'updatedAt'>): Promise<StoredThreshold>
  /** False when there was none. */
  remove(
    caller: Caller,
    place: { workspaceId: string; projectId: string },
    target: ThresholdTarget,
  ): Promise<boolean>
}

export interface AlertStore {
  find(caller: Caller, id: string): Promise<Alert | undefined>
  /** Newest first. */
  list(caller: Caller, projectId: string, page: PageRequest, filter: AlertFilter): Promise<Alert[]>
  /** All of these benchmarks, oldest first. */
  listOfBenchmarks(
    caller: Caller,
    projectId: string,
    benchmarkIds: readonly string[],
    filter?: Pick<AlertFilter, 'state' | 'branch' | 'metric'>,
  ): Promise<Alert[]>
  /** Those of them that are new; one that says what an open one says, or tells of a change once more, is left out. */
  raise(
    caller: Caller,
    place: { workspaceId: string; projectId: string },
    alerts: readonly NewAlert[],
  ): Promise<Alert[]>
  /** @throws Conflict `alert` when it is opened while another one about the same is open */
  changeState(
    caller: Caller,
    id: string,
    change: { state: AlertState; reason: string; mutedUntil?: Date; backRunId?: string },
  ): Promise<Alert | undefined>
}
