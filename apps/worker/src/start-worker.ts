import {
  deliver,
  beginAgain,
  giveUpJob,
  jobHandlers,
  watchHandlers,
  judgeLater,
  mindBenchRuns,
  queueArrivedUploads,
  queueDueSchedules,
  queueResultFiles,
  requeueForgotten,
  type JobDeps,
  type EarlierLooks,
} from '@flamegate/operations'
import type {
  DueSchedule,
  ForgottenTask,
  JobPayloads,
  OpenBenchRun,
  UnjudgedRun,
  UnmadeFiles,
} from '@flamegate/operations/ports'
import type { EndedJob, JobContext, OpenQueue, Workers } from '@flamegate/queue'
import { withJobSpan, withSpan } from '@flamegate/runtime'
import { startRoutines, type EndedRound, type Routine } from './routines.ts'
import { startDelivering } from './start-delivering.ts'

const sweepEveryMs = 3_600_000
const sweepLiveEveryMs = 60_000
const judgeLiveEveryMs = 5_000
const findUnjudgedEveryMs = 10_000
const findForgottenEveryMs = 60_000
const findSchedulesEveryMs = 1_000
const mindRunsEveryMs = 2_000

interface WorkerParts extends Omit<JobDeps, 'queue'> {
  queue: OpenQueue
  concurrency: number
  /** Removes what has expired; asked for every hour. */
  sweep: () => Promise<unknown>
  /** Looks after live apps; asked every minute. */
  sweepLive: () => Promise<unknown>
  /** Holds live apps against their thresholds; asked every few seconds. */
  judgeLive: () => Promise<unknown>
  /** Finds runs that were never judged, because the queue was away; asked at the start and every few seconds. */
  findUnjudged: () => Promise<readonly UnjudgedRun[]>
  /** Finds tasks whose job may be lost; asked every minute. */
  findForgotten: () => Promise<readonly ForgottenTask[]>
  /** Finds tasks that wait for an upload, or since it came; asked at the start and every minute. */
  findWaitingUploads: () => Promise<readonly { workspaceId: string; id: string }[]>
  /** Finds runs of which files are still to be made; asked every minute. */
  findUnmadeFiles: () => Promise<readonly UnmadeFiles[]>
  /** Finds schedules that are due; asked every second. */
  findSchedules: () => Promise<readonly DueSchedule[]>
  /** Finds bench runs that have not ended; asked every other second. */
  findOpenRuns: () => Promise<readonly OpenBenchRun[]>
  /** Finds messages of the outbox that are due, the first of each workspace first; asked all the time. */
  findDue: () => Promise<readonly { workspaceId: string; id: string }[]>
  /** What else is to be done again and again. */
  moreRoutines?: readonly Routine[]
  /** Whoever counts is told of every job and every round of what is asked again and again. */
  onJobEnded?: (job: EndedJob) => void
  onRound?: (round: EndedRound) => void
  log: { error(fields: { err: unknown; deliveryId?: string }, message: string): void }
}

/** Takes jobs off the queue, and messages out of the outbox, until closed. */
export function startWorker(parts: WorkerParts): Workers {
  const {
    queue,
    concurrency,
    sweep,
    sweepLive,
    judgeLive,
    findUnjudged,
    findForgotten,
    findWaitingUploads,
    findUnmadeFiles,
    findSchedules,
    findOpenRuns,
    findDue,
    moreRoutines = [],
    onJobEnded,
    onRound,
    log,
  } = parts
  const deps: JobDeps = parts
  const earlierLooks: EarlierLooks = { awaySince: undefined }
  const routines = startRoutines(
    [
      { name: 'sweep', everyMs: sweepEveryMs, run: sweep, complaint: 'expired rows were not removed' },
      {
        name: 'sweep_live',
        everyMs: sweepLiveEveryMs,
        run: sweepLive,
        complaint: 'live apps were not looked after',
      },
      {
        name: 'judge_live',
        everyMs: judgeLiveEveryMs,
        run: judgeLive,
        complaint: 'live apps were not judged',
      },
      {
        name: 'queue_unjudged',
        everyMs: findUnjudgedEveryMs,
        run: async () => judgeLater(queue, await findUnjudged()),
        complaint: 'unjudged runs were not queued',
        isForStart: true,
      },
      {
        name: 'queue_forgotten',
        everyMs: findForgottenEveryMs,
        run: async () => requeueForgotten(queue, await findForgotten()),
        complaint: 'forgotten tasks were not queued',
      },
      {
        name: 'queue_arrived',
        everyMs: findForgottenEveryMs,
        run: async () => queueArrivedUploads(await findWaitingUploads(), deps),
        complaint: 'uploads that are there were not queued',
        isForStart: true,
      },
      {
        name: 'queue_result_files',
        everyMs: findForgottenEveryMs,
        run: async () => Promise.all((await findUnmadeFiles()).map((run) => queueResultFiles(queue, run))),
        complaint: 'files of bench runs were not queued',
      },
      {
        name: 'queue_schedules',
        everyMs: findSchedulesEveryMs,
        run: async () => queueDueSchedules(queue, await findSchedules()),
        complaint: 'schedules that are due were not queued',
      },
      {
        name: 'mind_bench_runs',
        everyMs: mindRunsEveryMs,
        run: async () =>
          mindBenchRuns(await findOpenRuns(), earlierLooks, { ...deps, check: () => queue.check() }),
        complaint: 'bench runs were not looked after',
      },
      ...moreRoutines,
    ],
    { onRound, log },
  )
  const delivering = startDelivering({
    findDue,
    deliver: (due) => withSpan('deliver', { 'flamegate.delivery_id': due.id }, () => deliver(due, deps)),
    log,
  })
  const workers = queue.startWorkers(
    {
      import_results: traced('import_results', deps),
      import_profile: traced('import_profile', deps),
      import_virtual_user: traced('import_virtual_user', deps),
      import_bench_result: traced('import_bench_result', deps),
      store_project_file: traced('store_project_file', deps),
      validate_virtual_user: traced('validate_virtual_user', deps),
      print_bench_report: traced('print_bench_report', deps),
      export_workspace: traced('export_workspace', deps),
      make_result_files: traced('make_result_files', deps),
      watch_run: traced('watch_run', deps),
      remove_export: traced('remove_export', deps),
      end_capture: traced('end_capture', deps),
      start_scheduled_run: traced('start_scheduled_run', deps),
      // Without spans: they take as long as the runs.
      run_bench_shard: (payload, { signal }) => watchHandlers.run_bench_shard(payload, deps, signal),
      end_bench_run: (payload, { signal }) => watchHandlers.end_bench_run(payload, deps, signal),
    },
    { concurrency, onEnded: onJobEnded, onGiveUp: (_name, payload) => giveUpJob(payload, deps) },
  )
  return {
    async close(options) {
      routines.stop()
      await Promise.all([workers.close(options), delivering.close(options)])
    },
  }
}

/** A handler that runs below the span of whoever queued the job. */
function traced<N extends keyof typeof jobHandlers>(
  name: N,
  deps: JobDeps,
): (payload: JobPayloads[N], context: JobContext) => Promise<void> {
  return (payload, { attempt, waitedMs }) =>
    withJobSpan(
      payload.trace,
      name,
      {
        'flamegate.task_id': payload.taskId,
        'flamegate.request_id': payload.requestId,
        'flamegate.workspace_id': payload.workspaceId,
        'flamegate.job.attempt': attempt,
        'flamegate.job.waited_ms': waitedMs,
      },
      async () => {
        await beginAgain(payload, deps)
        await jobHandlers[name](payload, deps)
      },
    )
}
