import { Problem, type Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'
import type { LimitFactor } from '../limits/workspace-limits.ts'
import { abandonUpload, uploadMinutes } from '../uploads.ts'
import { hasEnded, isImportJobName, mayComeBack } from '../ports/index.ts'
import type {
  BenchJobPayload,
  FileRecord,
  GithubApi,
  JobName,
  JobPayload,
  JobPayloads,
  ReportPrinter,
  RequestLogFiles,
  ResultReader,
  SourceReader,
  Task,
  VirtualUserRunner,
  WorkspaceArchives,
} from '../ports/index.ts'
import { isTooEarly } from './too-early.ts'

export interface JobDeps extends Pick<
  Deps,
  | 'stores'
  | 'storage'
  | 'queue'
  | 'postMessage'
  | 'sendMail'
  | 'sealing'
  | 'targets'
  | 'publicUrl'
  | 'newSecret'
> {
  github: GithubApi
  /** Of load; calls are not counted here. */
  limits: LimitFactor
  runner: VirtualUserRunner
  sourceReader: SourceReader
  resultReader: ResultReader
  printer: ReportPrinter
  requestLogFiles: RequestLogFiles
  workspaceArchives: WorkspaceArchives
}

export type JobHandler<N extends JobName> = (payload: JobPayloads[N], deps: JobDeps) => Promise<void>

/** Waits for what others do, for as long as that takes. `signal` is aborted when the process leaves; another one goes on then. */
export type WatchHandler = (payload: BenchJobPayload, deps: JobDeps, signal: AbortSignal) => Promise<void>

/** The worker's own identity: it acts in the one workspace of the job, as a member of it. */
export function workerCaller(workspaceId: string): Caller {
  return {
    principal: {
      userId: 'usr_worker',
      via: 'session',
      clientId: 'worker',
      clientName: 'Worker',
      scopes: ['write'],
      workspaceIds: [workspaceId],
    },
    roles: new Map([[workspaceId, 'member']]),
    access: 'write',
  }
}

/** What was uploaded: as it comes, or as a whole. */
export interface UploadedContent {
  open: () => Promise<AsyncIterable<Uint8Array>>
  read: () => Promise<Uint8Array>
}

/** What an import works on. */
export interface ImportContext {
  caller: Caller
  task: Task
  file: FileRecord
  content: UploadedContent
  /** Between reading and storing: goes no further when somebody asked to stop. */
  checkpoint: (percent: number, message: string) => Promise<void>
}

/** Somebody called it off. */
class Cancelled extends Error {}

/**
 * Frames an import: finds the task's file, runs `read`, and ends the task with its result or with the problem
 * that a person can do something about. Any other error passes through, so that the queue tries again, as does that something is away. A task
 * that has ended is left alone, for jobs may be delivered twice. One that is called off ends at the next checkpoint,
 * of which the last comes before anything is stored.
 */
export async function runImport(
  payload: JobPayload,
  deps: JobDeps,
  maxBytes: number,
  read: (context: ImportContext) => Promise<Record<string, unknown>>,
  onProblem: (caller: Caller, task: Task, problem: { code: string; detail: string }) => Promise<void>,
): Promise<void> {
  const caller = workerCaller(payload.workspaceId)
  const task = await deps.stores.tasks.find(caller, payload.taskId)
  // Whoever called it off may have got no further than that.
  if (task?.status === 'CANCELLED') await abandonUpload(deps.stores, caller, task)
  if (task === undefined || hasEnded(task)) return

  async function checkpoint(percent: number, message: string): Promise<void> {
    if (!(await deps.stores.tasks.progress(caller, payload.taskId, { percent, message })))
      throw new Cancelled()
  }

  try {
    const fileId = String(task.result?.['file_id'])
    const file = await deps.stores.files.find(caller, fileId)
    const stored = file === undefined ? undefined : await deps.storage.find(file.storageKey)
    if (stored === undefined && isImportJobName(task.kind)) {
      const job = { name: task.kind, payload, waitMs: uploadMinutes * 60_000 }
      if (await isTooEarly(caller, job, deps)) return
    }
    if (file === undefined || stored === undefined) {
      throw new Problem('upload_missing', 'The file was announced, but never uploaded. Create a new upload.')
    }
    await checkpoint(10, `Reading ${file.name}`)
    const { sizeBytes, sha256 = null } = stored
    if (sizeBytes > maxBytes) throw new RangeError(`The upload is larger than ${maxBytes} bytes.`)
    await deps.stores.files.markReady(caller, file.id, { sizeBytes, sha256 })
    const content = contentOf(deps.storage, file.storageKey, maxBytes)
    const result = await read({ caller, task, file, content, checkpoint })
    await deps.stores.tasks.finish(caller, task.id, { result: { ...task.result, ...result } })
  } catch (error) {
    if (error instanceof Cancelled) {
      await abandonUpload(deps.stores, caller, task)
      await deps.stores.tasks.finish(caller, task.id, { isCancelled: true })
      return
    }
    if (!(error instanceof Problem) || mayComeBack(error)) throw error
    const problem = { code: error.code, detail: error.message }
    await onProblem(caller, task, problem)
    await deps.stores.tasks.finish(caller, task.id, { problem })
  }
}

function contentOf(storage: Deps['storage'], key: string, maxBytes: number): UploadedContent {
  return {
    async open() {
      const content = await storage.open(key)
      if (content === undefined) throw new Error(`There is no object ${key}.`)
      return content
    },
    read: () => storage.read(key, { maxBytes }),
  }
}
