import {
  deliver,
  giveUpJob,
  jobHandlers,
  watchHandlers,
  judgeLater,
  mindBenchRuns,
  queueDueSchedules,
  queueResultFiles,
  requeueForgotten,
  type JobDeps,
  type QueueHealth,
} from '@flamegate/operations'
import type {
  DueSchedule,
  ForgottenTask,
  JobPayload,
  OpenBenchRun,
  UnjudgedRun,
  UnmadeFiles,
} from '@flamegate/operations/ports'
import type { OpenQueue, Workers } from '@flamegate/queue'
import { withSpan } from '@flamegate/runtime'
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
  /** Finds runs of which files are still to be made; asked every minute. */
  findUnmadeFiles: () => Promise<readonly UnmadeFiles[]>
  /** Finds schedules that are due; asked every second. */
  findSchedules: () => Promise<readonly DueSchedule[]>
  /** Finds bench runs that have not ended; asked every other second. */
  findOpenRuns: () => Promise<readonly OpenBenchRun[]>
  /** Finds messages of the outbox that are due, the first of each workspace first; asked all the time. */
  findDue: () => Promise<readonly { workspaceId: string; id: string }[]>
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
    findUnmadeFiles,
    findSchedules,
    findOpenRuns,
    findDue,
    log,
  } = parts
  const deps: JobDeps = parts
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'expired rows were not removed'))
  }, sweepEveryMs)
  timer.unref()
  const liveTimer = setInterval(() => {
    sweepLive().catch((error: unknown) => log.error({ err: error }, 'live apps were not looked after'))
  }, sweepLiveEveryMs)
  liveTimer.unref()
  const judgeTimer = setInterval(() => {
    judgeLive().catch((error: unknown) => log.error({ err: error }, 'live apps were not judged'))
  }, judgeLiveEveryMs)
  judgeTimer.unref()
  const queueUnjudged = () => {
    findUnjudged()
      .then((runs) => judgeLater(queue, runs))
      .catch((error: unknown) => log.error({ err: error }, 'unjudged runs were not queued'))
  }
  queueUnjudged()
  const unjudgedTimer = setInterval(queueUnjudged, findUnjudgedEveryMs)
  unjudgedTimer.unref()
  const forgottenTimer = setInterval(() => {
    findForgotten()
      .then((tasks) => requeueForgotten(queue, tasks))
      .catch((error: unknown) => log.error({ err: error }, 'forgotten tasks were not queued'))
  }, findForgottenEveryMs)
  forgottenTimer.unref()
  const filesTimer = setInterval(() => {
    findUnmadeFiles()
      .then((runs) => Promise.all(runs.map((run) => queueResultFiles(queue, run))))
      .catch((error: unknown) => log.error({ err: error }, 'files of bench runs were not queued'))
  }, findForgottenEveryMs)
  filesTimer.unref()
  const schedulesTimer = setInterval(() => {
    findSchedules()
      .then((schedules) => queueDueSchedules(queue, schedules))
      .catch((error: unknown) => log.error({ err: error }, 'schedules that are due were not queued'))
  }, findSchedulesEveryMs)
  schedulesTimer.unref()
  const health: QueueHealth = { awaySince: undefined }
  const runsTimer = setInterval(() => {
    findOpenRuns()
      .then((runs) => mindBenchRuns(runs, health, { ...deps, check: () => queue.check() }))
      .catch((error: unknown) => log.error({ err: error }, 'bench runs were not looked after'))
  }, mindRunsEveryMs)
  runsTimer.unref()
  const delivering = startDelivering({
    findDue,
    deliver: (due) => withSpan('deliver', { 'flamegate.delivery_id': due.id }, () => deliver(due, deps)),
    log,
  })
  const workers = queue.startWorkers(
    {
      import_results: (payload) =>
        withSpan('import_results', attributes(payload), () => jobHandlers.import_results(payload, deps)),
      import_profile: (payload) =>
        withSpan('import_profile', attributes(payload), () => jobHandlers.import_profile(payload, deps)),
      import_virtual_user: (payload) =>
        withSpan('import_virtual_user', attributes(payload), () =>
          jobHandlers.import_virtual_user(payload, deps),
        ),
      import_bench_result: (payload) =>
        withSpan('import_bench_result', attributes(payload), () =>
          jobHandlers.import_bench_result(payload, deps),
        ),
      store_project_file: (payload) =>
        withSpan('store_project_file', attributes(payload), () =>
          jobHandlers.store_project_file(payload, deps),
        ),
      validate_virtual_user: (payload) =>
        withSpan('validate_virtual_user', attributes(payload), () =>
          jobHandlers.validate_virtual_user(payload, deps),
        ),
      print_bench_report: (payload) =>
        withSpan('print_bench_report', attributes(payload), () =>
          jobHandlers.print_bench_report(payload, deps),
        ),
      make_result_files: (payload) =>
        withSpan('make_result_files', attributes(payload), () =>
          jobHandlers.make_result_files(payload, deps),
        ),
      watch_run: (payload) =>
        withSpan('watch_run', attributes(payload), () => jobHandlers.watch_run(payload, deps)),
      remove_export: (payload) =>
        withSpan('remove_export', attributes(payload), () => jobHandlers.remove_export(payload, deps)),
      end_capture: (payload) =>
        withSpan('end_capture', attributes(payload), () => jobHandlers.end_capture(payload, deps)),
      start_scheduled_run: (payload) =>
        withSpan('start_scheduled_run', attributes(payload), () =>
          jobHandlers.start_scheduled_run(payload, deps),
        ),
      // Without spans: they take as long as the runs.
      run_bench_shard: (payload, { signal }) => watchHandlers.run_bench_shard(payload, deps, signal),
      end_bench_run: (payload, { signal }) => watchHandlers.end_bench_run(payload, deps, signal),
    },
    { concurrency, onGiveUp: (_name, payload) => giveUpJob(payload, deps) },
  )
  return {
    async close(options) {
      clearInterval(timer)
      clearInterval(liveTimer)
      clearInterval(judgeTimer)
      clearInterval(unjudgedTimer)
      clearInterval(forgottenTimer)
      clearInterval(filesTimer)
      clearInterval(schedulesTimer)
      clearInterval(runsTimer)
      await Promise.all([workers.close(options), delivering.close(options)])
    },
  }
}

function attributes({ taskId, requestId }: JobPayload): Record<string, string> {
  return { 'flamegate.task_id': taskId, 'flamegate.request_id': requestId }
}
