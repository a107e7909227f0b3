/** What a job carries: small, ids only, never bytes. */
export interface JobPayload {
  taskId: string
  workspaceId: string
  /** Of the request that asked for it, so that one id leads through gateway, API and worker. */
  requestId: string
  /** The trace that it was asked for in, as W3C Trace Context; the queue puts it there. */
  trace?: Readonly<Record<string, string>>
  /** It was given up, and somebody wants it done again: what giving up ended begins anew. */
  isRetried?: true
}

/** Work that outlives a request, by name, with what the worker needs to find it again. */
export interface JobPayloads {
  /** Read an uploaded benchmark result file into the run of the task. */
  import_results: JobPayload
  /** Decode an uploaded profile into its call tree. */
  import_profile: JobPayload
  /** Make virtual users of an uploaded source. */
  import_virtual_user: JobPayload
  /** Make a bench result of uploaded results of another tool. */
  import_bench_result: JobPayload
  /** Let the path of an uploaded project file mean it. */
  store_project_file: JobPayload
  /** Judge a run that was completed. Nobody waits for it: `taskId` is no task, but tells one completion from the next. */
  watch_run: JobPayload & { runId: string }
  /** Remove a file that was made to be downloaded once: `taskId` is its id, and nobody waits. */
  remove_export: JobPayload
  /** Run a virtual user once or a few times, as the validation of the task says. */
  validate_virtual_user: JobPayload
  /** Print a bench report, as the task says. */
  print_bench_report: JobPayload
  /** Write everything of a workspace into one file, as the task says. */
  export_workspace: JobPayload
  /** Make the files of a bench run that has ended. Nobody waits for it: `taskId` is the run. */
  make_result_files: JobPayload
  /** End the task of a capture that no collector ended in time. */
  end_capture: JobPayload & {
    /** From when the task was made; jobs of the release before say nothing. */
    waitMs?: number
  }
  /** Do what a schedule that is due says: `taskId` is the schedule. */
  start_scheduled_run: JobPayload & { scheduleId: string }
  /** See to a part of a bench run until its generator is done with it, or lost: `taskId` is the shard. */
  run_bench_shard: BenchJobPayload
  /** When all of its shards are over: put the series of a bench run away, and say how it ended. `taskId` is the run. */
  end_bench_run: BenchJobPayload
}

export interface BenchJobPayload extends JobPayload {
  benchResultId: string
}

export type JobName = keyof JobPayloads
/** Jobs that end a task of the same kind, when what was uploaded for it is there. */
export const importJobNames = [
  'import_results',
  'import_profile',
  'import_virtual_user',
  'import_bench_result',
  'store_project_file',
] as const
export type ImportJobName = (typeof importJobNames)[number]

/** Those whose file is removed when it was read: it may hold passwords, and what is to be kept of it is kept elsewhere. */
export const sourceJobNames: readonly string[] = [
  'import_virtual_user',
  'import_bench_result',
] satisfies ImportJobName[]

export function isImportJobName(name: string): name is ImportJobName {
  return importJobNames.some((each) => each === name)
}

/** A task that has not ended, and of whose job nothing was heard for too long. */
export interface ForgottenTask {
  workspaceId: string
  id: string
  /** What does it, or ends it. */
  job: ImportJobName | 'validate_virtual_user' | 'print_bench_report' | 'export_workspace' | 'end_capture'
}

/** Where operations hand work over. A job is delivered at least once; handlers are idempotent by task id. */
export interface JobQueue {
  /**
   * Adds a job; the same name and `taskId` twice is one job while the first has not ended. With `delayMs` it is
   * a second, separate job that runs that much later (to look after uploads that never came). Rejects when the
   * queue cannot be reached.
   */
  add<N extends JobName>(name: N, payload: JobPayloads[N], options?: { delayMs?: number }): Promise<void>
  /**
   * Adds a job that comes after others: when all of these have ended, also where some could not be done. The same
   * name and `taskId` twice is one job.
   */
  addAfter<N extends JobName, C extends JobName>(
    last: { name: N; payload: JobPayloads[N] },
    first: readonly { name: C; payload: JobPayloads[C] }[],
  ): Promise<void>
  /** Takes back a job that waits; one that is being worked on, or was delayed, stays. */
  remove(name: JobName, taskId: string): Promise<void>
}

/** What waits in a queue at a moment. */
export interface QueueState {
  queue: string
  /** Jobs by state: `waiting`, `active`, `delayed`, `failed` (of the last week) and so on. */
  jobs: Readonly<Record<string, number>>
  /** How long the job that is next has been waiting; 0 when none is. */
  oldestWaitingMs: number
}

/** A job of the last week that will not be tried again. */
export interface FailedJob {
  /** Says its queue, too. */
  id: string
  name: JobName
  taskId: string
  workspaceId: string
  requestId: string
  /** What the last attempt was refused with, in its own words. */
  reason: string
  attempts: number
  createdAt: Date
  failedAt: Date
}

/** Looking after queues, for administrators of the installation. All reject when the queue cannot be reached. */
export interface QueueDesk {
  /** How much waits. */
  look(): Promise<QueueState[]>
  /** Newest first, one more than `limit` when there are more. */
  listFailed(page: {
    limit: number
    after?: Pick<FailedJob, 'failedAt' | 'id'> | undefined
    name?: JobName | undefined
  }): Promise<FailedJob[]>
  findFailed(id: string): Promise<FailedJob | undefined>
  /** Adds a failed job anew, with all its attempts; false when there is none. */
  retry(id: string): Promise<boolean>
  /** Forgets a failed job; false when there is none. */
  removeFailed(id: string): Promise<boolean>
}
