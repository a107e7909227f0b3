import { operations } from '@flamegate/contract'
import { client } from '../api.ts'
import { TaskFailed } from '../task-failed.ts'
import { uploadBytes } from '../uploads/upload-bytes.ts'

interface Settings {
  /** Of the run; empty: that of the file. */
  name: string
  signal: AbortSignal
  /** Told what goes on, and how far it is in percent. */
  onProgress: (words: string, percent: number) => void
}

/**
 * Brings results of another tool to the platform, and waits until it has read them.
 * @returns the report that was made of them
 * @throws Error in words for people
 */
export async function sendResults(
  projectId: string,
  file: File,
  { name, signal, onProgress }: Settings,
): Promise<string> {
  const { upload, task_id } = await client.call(
    operations.importJtlReport,
    {
      project_id: projectId,
      file_name: file.name,
      size_bytes: file.size,
      ...(name === '' ? {} : { name }),
    },
    { signal },
  )
  if (upload !== null)
    await uploadBytes(upload, file, {
      signal,
      onProgress: (share) => onProgress(`Uploading ${file.name}`, share * 100),
    })
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it has ended
    const { task, next_poll_seconds } = await client.call(operations.getTaskResult, { task_id }, { signal })
    onProgress(task.message, task.progress_percent)
    const reportId = task.result?.['bench_report_id']
    if (task.status === 'SUCCESS' && typeof reportId === 'string') return reportId
    if (next_poll_seconds === null)
      throw new TaskFailed(task.problem?.detail ?? 'The results were not imported: it was called off.')
    // oxlint-disable-next-line no-await-in-loop -- see above
    await new Promise((resolve) => setTimeout(resolve, next_poll_seconds * 1000))
  }
}
