import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RequestLogFiles } from '@flamegate/operations/ports'
import type { RequestLogTask, ToRequestLog, WholeFile } from './messages.ts'

const threadFile = new URL('request-log-thread.ts', import.meta.url)
const heapMegabytes = 512

/** Makes a file of requests in a thread, and in the temporary folder. */
export const openRequestLogFile: RequestLogFiles = async (format, run) => {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-requests-'))
  const path = join(folder, 'requests')
  const task: RequestLogTask = { format, path, run }
  const thread = new Worker(threadFile, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  let failure: unknown
  // Also while nobody asks it anything.
  thread.on('error', (error) => {
    failure = error
  })
  const ask = async (message: ToRequestLog): Promise<WholeFile | null> => {
    if (failure !== undefined) throw failure
    // Rejects with what ends the thread.
    const answered = once(thread, 'message')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(message)
    const [answer]: (WholeFile | null)[] = await answered
    return answer ?? null
  }
  return {
    async add(piece, slot) {
      await ask({ type: 'add', piece, slot })
    },
    async end() {
      const whole = await ask({ type: 'end' })
      if (whole === null) throw new TypeError('The file was ended, and is not whole')
      return { ...whole, open: () => createReadStream(path) }
    },
    async remove() {
      await thread.terminate()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
