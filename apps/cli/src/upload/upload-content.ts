import type { Client } from '@flamegate/client'
import type { PresignedRequest } from './send-presigned.ts'
import { sendPresigned, UploadRefused } from './send-presigned.ts'
import type { Progress } from './progress.ts'
import type { UploadFile } from './upload-file.ts'
import { TaskFailed, waitForTask } from './wait-for-task.ts'

/** What an upload works with. */
export interface UploadContext {
  client: Client
  progress: Progress
  pause: (ms: number) => Promise<void>
  /** What the CI calls this piece of work. */
  job: string | undefined
  /** Whether to stay until the file is read. */
  isWaited: boolean
}

/** An upload that was announced: where its bytes go, unless they came along, and the task that reads them. */
export interface AnnouncedUpload {
  upload: PresignedRequest | null
  task_id: string
}

/** What came of an upload; `result` is that of its task, undefined when nobody waited for it. */
export interface SentUpload<Announced> {
  announced: Announced
  result: Record<string, unknown> | undefined
}

/**
 * Announces an upload, sends its bytes and waits until they are read. `announce` is given a key: with the same key the
 * API answers an earlier upload again, which is gone on with; it is begun anew, without the key, when that one came to
 * nothing.
 *
 * @throws UploadRefused, TaskFailed
 */
export async function uploadContent<Announced extends AnnouncedUpload>(
  context: UploadContext,
  file: UploadFile,
  key: string,
  announce: (idempotencyKey: string | undefined) => Promise<Announced>,
): Promise<SentUpload<Announced>> {
  const announced = await announce(key)
  let isEarlier = false
  try {
    isEarlier = (await send(context, file, announced)) === 'there'
    return await finish(context, announced)
  } catch (error) {
    // A link that was made just now is not over: this one is of an earlier upload that never arrived.
    const cameToNothing =
      (error instanceof UploadRefused && error.isLinkOver) || (error instanceof TaskFailed && isEarlier)
    if (!cameToNothing) throw error
  }
  const again = await announce(undefined)
  await send(context, file, again)
  return finish(context, again)
}

async function send(
  { progress, pause }: UploadContext,
  file: UploadFile,
  { upload }: AnnouncedUpload,
): Promise<'sent' | 'there'> {
  if (upload === null) return 'sent'
  return sendPresigned(file, upload, (sentBytes) => progress.sent(sentBytes, file.sizeBytes), pause)
}

async function finish<Announced extends AnnouncedUpload>(
  { client, progress, isWaited }: UploadContext,
  announced: Announced,
): Promise<SentUpload<Announced>> {
  return {
    announced,
    result: isWaited ? await waitForTask(client, announced.task_id, progress) : undefined,
  }
}
