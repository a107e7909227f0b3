import { newId, Problem, type Caller } from '@flamegate/contract'
import type { CallContext, Deps } from './implement.ts'
import { enterUpload } from './limits/upload-limits.ts'
import { isImportJobName } from './ports/index.ts'
import type { FileRecord, ImportJobName, PresignedRequest, Stores, Task } from './ports/index.ts'

/** How long an announced file is waited for. */
export const uploadMinutes = 60

interface NewUpload {
  workspaceId: string
  projectId: string
  runId: string | null
  kind: ImportJobName
  fileName: string
  sizeBytes: number
}

/**
 * Announces a file: a file row and a task that waits for its bytes. The bytes come by the presigned request,
 * or are given at once (`content`), in which case the import starts right away.
 * @throws Problem `plan_limit_reached`
 */
export async function announceFile(
  context: CallContext,
  upload: NewUpload,
): Promise<{ file: FileRecord; taskId: string }> {
  await enterUpload(context, upload.workspaceId, upload.sizeBytes)
  return addFile(context, upload)
}

/** The same of an upload that was counted. */
export async function addFile(
  { caller, deps }: CallContext,
  upload: NewUpload,
): Promise<{ file: FileRecord; taskId: string }> {
  const fileId = newId('file')
  const file = await deps.stores.files.create(caller, {
    id: fileId,
    workspaceId: upload.workspaceId,
    projectId: upload.projectId,
    runId: upload.runId,
    purpose: upload.kind,
    name: upload.fileName,
    contentType: 'application/octet-stream',
    sizeBytes: upload.sizeBytes,
    storageKey: `${upload.workspaceId}/${fileId}`,
    expiresAt: new Date(Date.now() + uploadMinutes * 60_000),
  })
  return { file, taskId: newId('task') }
}

/** A request that uploads the file; the import starts when the bytes are there, and fails when they never come. */
export async function presignUpload(context: CallContext, file: FileRecord): Promise<PresignedRequest> {
  return context.deps.storage.presignUpload(file.storageKey, {
    sizeBytes: file.sizeBytes,
    contentType: file.contentType,
    expiresInS: uploadMinutes * 60,
  })
}

/** What a task that imports a file keeps in its result from the start, so that whoever polls can start it. */
interface ImportResult extends Record<string, unknown> {
  file_id: string
  run_id?: string
  profile_id?: string
}

/** Creates the task of an import and looks after it: at once when the bytes are there, else when they expire. */
export async function createImportTask(
  context: CallContext,
  kind: ImportJobName,
  task: { id: string; workspaceId: string; projectId: string; result: ImportResult },
  options: { isUploaded: boolean },
): Promise<void> {
  const { caller, deps } = context
  await deps.stores.tasks.create(caller, {
    id: task.id,
    workspaceId: task.workspaceId,
    projectId: task.projectId,
    kind,
    message: options.isUploaded ? 'Waiting to be read' : 'Waiting for the upload',
    result: task.result,
  })
  try {
    await deps.queue.add(
      kind,
      { taskId: task.id, workspaceId: task.workspaceId, requestId: context.requestId },
      options.isUploaded ? {} : { delayMs: uploadMinutes * 60_000 },
    )
  } catch (error) {
    // Nobody will begin it, and nobody has its id.
    const detail = 'The queue of jobs could not be reached. Create a new upload.'
    await deps.stores.tasks.finish(caller, task.id, { problem: { code: 'unavailable', detail } })
    throw error
  }
}

/** Who asks for an import, in a call or on behalf of who did not. */
interface Starting {
  caller: Caller
  deps: Pick<Deps, 'stores' | 'storage' | 'queue'>
  requestId: string
}

/** Starts the import of a task whose bytes have arrived by now; asking more often does no harm. */
export async function startImport({ caller, deps, requestId }: Starting, task: Task): Promise<void> {
  const fileId = task.result?.['file_id']
  if (typeof fileId !== 'string' || !isImportJobName(task.kind)) return
  const file = await deps.stores.files.find(caller, fileId)
  if (file === undefined || (await deps.storage.find(file.storageKey)) === undefined) return
  await deps.queue.add(task.kind, { taskId: task.id, workspaceId: task.workspaceId, requestId })
}

/** Tells what waited for an import that it does not come any more. */
export async function abandonUpload(
  { runs, profiles }: Pick<Stores, 'runs' | 'profiles'>,
  caller: Caller,
  { result }: Task,
): Promise<void> {
  const { run_id: runId, profile_id: profileId } = result ?? {}
  const detail = 'The import was cancelled. Create a new upload.'
  if (typeof runId === 'string') await runs.fail(caller, runId, [detail])
  if (typeof profileId === 'string') await profiles.fail(caller, profileId, { code: 'cancelled', detail })
}

/** The bytes of inline content. @throws Problem `invalid_input`, `too_large` */
export function inlineBytes(content: string, encoding: 'text' | 'base64', maxBytes: number): Uint8Array {
  const bytes = encoding === 'text' ? Buffer.from(content, 'utf8') : Buffer.from(content, 'base64')
  if (
    encoding === 'base64' &&
    bytes.toString('base64').replaceAll('=', '') !== content.replaceAll(/[=\s]/g, '')
  ) {
    throw new Problem('invalid_input', 'content is not valid base64.', {
      errors: [{ field: 'content', message: 'Not valid base64.' }],
    })
  }
  if (bytes.length > maxBytes) {
    throw new Problem(
      'too_large',
      `Inline content may have ${maxBytes} bytes at most. Leave content out, give size_bytes, and use the upload URL.`,
      {
        errors: [{ field: 'content', message: `${bytes.length} bytes.` }],
      },
    )
  }
  return bytes
}
