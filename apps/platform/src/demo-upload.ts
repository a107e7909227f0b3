import type { Client } from '@flamegate/client'
import { operations, type OutputOf } from '@flamegate/contract'

/** What seeding one project needs to know. */
export interface Seeding {
  client: Client
  projectId: string
  /** Where a presigned request of ours reaches us from this very machine. */
  reachable: (url: string) => string
}

/** Sends the bytes where the answer says and waits until the worker has read them; what came of it. */
export async function upload(
  { client, reachable }: Seeding,
  announced: Pick<OutputOf<typeof operations.createProfileUpload>, 'upload' | 'task_id'>,
  bytes: Uint8Array,
): Promise<Record<string, unknown>> {
  if (announced.upload === null) throw new Error('There is nothing to upload to.')
  const { method, url, headers } = announced.upload
  const response = await fetch(reachable(url), { method, headers, body: new Uint8Array(bytes) })
  if (!response.ok) throw new Error(`An upload answered ${response.status}: ${await response.text()}`)
  return waitForTask(client, announced.task_id)
}

async function waitForTask(client: Client, taskId: string): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { task } = await client.call(operations.getTaskResult, { task_id: taskId })
    if (task.status === 'SUCCESS') return task.result ?? {}
    if (task.status === 'FAILED') throw new Error(`A demo file could not be read: ${task.problem?.detail}`)
    if (Date.now() > deadline) throw new Error('A demo file was not read within a minute.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
