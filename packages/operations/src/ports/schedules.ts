import type { Caller } from '@flamegate/contract'
import type { Schedule } from '@flamegate/loadtest'

/**
 * STARTING: its run is being started; STARTED: there is a run; SKIPPED: the run before still ran; MISSED: nothing was there to start
 * it in time; FAILED: it could not be started.
 */
export type FiringOutcome = 'STARTING' | 'STARTED' | 'SKIPPED' | 'MISSED' | 'FAILED'

/** What became of a moment at which a schedule was to run, or of several in a row. As on the wire and as it is stored. */
export interface Firing {
  /** When it was to be, UTC, ISO 8601; of several the first. */
  due_at: string
  /** When this was decided. */
  at: string
  outcome: FiringOutcome
  /** Why. */
  message: string
  /** How many in a row it tells of. */
  count: number
  /** Of STARTING the run that there will be. */
  bench_result_id: string | null
}

/** When a scenario runs by itself. */
export interface StoredSchedule {
  id: string
  workspaceId: string
  projectId: string
  scenarioId: string
  name: string
  document: Schedule
  agentsMax: number
  isEnabled: boolean
  /** When it is looked at next; null: not any more. */
  nextRunAt: Date | null
  /** The firing that waits until the run before has ended. */
  waitingSince: Date | null
  /** When the run that is being started was decided on. */
  startingSince: Date | null
  /** The last ones, newest first. */
  firings: Firing[]
  /** Runs begin in the name of this person. */
  createdBy: string
  createdAt: Date
}

/** What can change; the rest stays. */
export type ScheduleChange = Partial<
  Pick<StoredSchedule, 'isEnabled' | 'nextRunAt' | 'waitingSince' | 'startingSince' | 'firings'>
>

/** Where to find a schedule that something is to be done about now. */
export interface DueSchedule {
  workspaceId: string
  id: string
}

export interface ScheduleStore {
  /** Undefined when the project has as many as it may have. */
  create(
    caller: Caller,
    schedule: Pick<
      StoredSchedule,
      'id' | 'workspaceId' | 'projectId' | 'scenarioId' | 'name' | 'document' | 'agentsMax' | 'nextRunAt'
    >,
  ): Promise<StoredSchedule | undefined>
  find(caller: Caller, id: string): Promise<StoredSchedule | undefined>
  /** All of a project, or of a scenario in it, newest first. */
  list(
    caller: Caller,
    filter: { projectId: string; scenarioId?: string | undefined },
  ): Promise<StoredSchedule[]>
  /** Changes one as `decide` says, of it as it is: nobody else changes it meanwhile. Undefined when there is none. */
  change(
    caller: Caller,
    id: string,
    decide: (schedule: StoredSchedule) => ScheduleChange,
  ): Promise<StoredSchedule | undefined>
  /** False when there is none. */
  remove(caller: Caller, id: string): Promise<boolean>
}
