import { formatBytes, newId } from '@flamegate/contract'
import { hasEnded } from '../ports/index.ts'
import { inDays } from '../share-links.ts'
import { workerCaller, type JobHandler } from './job.ts'

/** How long an archive is kept. */
const keptDays = 7
const contentType = 'application/gzip'

/** Writes everything of the workspace of the task into a file. */
export const exportWorkspace: JobHandler<'export_workspace'> = async ({ taskId, workspaceId }, deps) => {
  const { stores, storage, workspaceArchives } = deps
  const caller = workerCaller(workspaceId)
  const task = await stores.tasks.find(caller, taskId)
  if (task === undefined || hasEnded(task)) return
  const tell = (bytes: number) =>
    stores.tasks.progress(caller, taskId, { percent: 10, message: `${formatBytes(bytes)} read` })
  const archive = (await tell(0)) ? await workspaceArchives(workspaceId, tell) : undefined
  if (archive === undefined) {
    await stores.tasks.finish(caller, taskId, { isCancelled: true })
    return
  }
  try {
    const fileId = newId('file')
    const storageKey = `${workspaceId}/${fileId}`
    const name = `workspace-${new Date().toISOString().slice(0, 10)}.tar.gz`
    const { sizeBytes, md5, sha256 } = archive
    const expiresAt = inDays(keptDays)
    await stores.files.create(caller, {
      id: fileId,
      workspaceId,
      projectId: null,
      runId: null,
      purpose: 'export_workspace',
      name,
      contentType,
      sizeBytes,
      storageKey,
      expiresAt,
    })
    await storage.receive(storageKey, archive.open(), { sizeBytes, md5, contentType })
    await stores.files.markReady(caller, fileId, { sizeBytes, sha256, expiresAt })
    await stores.tasks.finish(caller, taskId, {
      result: {
        ...task.result,
        file_id: fileId,
        file_name: name,
        size_bytes: sizeBytes,
        expires_at: expiresAt.toISOString(),
        next_call: { operation: 'download_file', input: { file_id: fileId } },
      },
    })
  } finally {
    await archive.remove()
  }
}
