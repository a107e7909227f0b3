import { operations } from '@flamegate/contract'
import { client } from '../api.ts'
import { TaskFailed } from '../task-failed.ts'
import { uploadBytes } from '../uploads/upload-bytes.ts'

/**
 * Stores a file in a project under a path; resolves when it is there for virtual users.
 * @param onProgress Told the share of the bytes that was sent, 0 to 1
 */
export async function sendProjectFile(
  projectId: string,
  path: string,
  file: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<void> {
  const { upload, task_id } = await client.call(
    operations.uploadProjectFile,
    { project_id: projectId, path, size_bytes: file.size },
    { signal },
  )
  if (upload !== null) await uploadBytes(upload, file, { signal, onProgress })
  onProgress(1)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it has ended
    const { task, next_poll_seconds } = await client.call(operations.getTaskResult, { task_id }, { signal })
    if (task.status === 'SUCCESS') return
    if (next_poll_seconds === null)
      throw new TaskFailed(task.problem?.detail ?? 'The file was not stored: it was cancelled.')
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, next_poll_seconds * 1000))
  }
}
